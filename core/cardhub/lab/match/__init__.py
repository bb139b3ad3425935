"""Matches: bots play games; any number of worker processes gives the same bytes."""
