"""Announcing: the entries of a game as events, told to each viewer as far as they may know."""
