"""A finished game as a page that needs no network."""
