"""The result of a game on the screen."""
