"""Checking a match against its log."""
