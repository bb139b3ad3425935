"""Slips of spelling and of form in the source of a game."""
