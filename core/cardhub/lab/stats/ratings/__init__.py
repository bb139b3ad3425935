"""Ratings of all bots in one game: a Plackett-Luce fit with bootstrap intervals."""
