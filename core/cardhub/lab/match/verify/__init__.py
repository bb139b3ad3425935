"""Verification of a match: its games are replayed from the actions and seeds of the log."""
