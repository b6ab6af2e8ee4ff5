"""What one seat sees, as numbers for learning: the layout, what is remembered, and the action spaces."""
