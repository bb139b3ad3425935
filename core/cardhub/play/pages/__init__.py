"""Pages of finished games, which work without a network."""
