"""Parsing and validation of match files."""
