"""Observations as arrays of fixed size, for learners."""
