"""The regions of a plan: which there are, how high, and where."""
