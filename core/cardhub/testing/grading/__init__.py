"""Grading of bots that students hand in: checks, games against references, files with grades."""
