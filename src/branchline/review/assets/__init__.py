"""What a review page is made of."""
