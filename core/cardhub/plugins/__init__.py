"""Plugins: games, bots, commands, themes and formats, found by name and imported on demand."""
