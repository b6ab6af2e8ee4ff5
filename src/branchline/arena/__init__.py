"""The arena: bots against bots on the same deals, with honest statistics."""
