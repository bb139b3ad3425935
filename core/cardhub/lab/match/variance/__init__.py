"""Less luck in the scores of a match: terms with mean 0, added to what a game was worth (AIVAT)."""
