"""Ratings of all bots in one game by a Plackett-Luce fit, with bootstrap intervals."""
