"""Lessons: a first game of a few rounds with comments, from a file beside the game's module."""
