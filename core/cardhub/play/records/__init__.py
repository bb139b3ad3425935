"""Records of games: written, read, replayed, redacted and verified."""
