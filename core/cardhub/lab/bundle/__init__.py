"""A bundle: one zip with which others verify, cite and repeat a match."""
