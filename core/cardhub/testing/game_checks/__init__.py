"""Checks of games, and the suite that runs them all."""
