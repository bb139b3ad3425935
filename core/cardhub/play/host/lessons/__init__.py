"""Lessons: a first game of a few rounds with comments, from a file next to the game's module."""
