"""Plugins: games, bots and commands that are found by name and imported when needed."""
