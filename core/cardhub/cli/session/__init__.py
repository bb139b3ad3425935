"""Commands that play a game: `play` and `resume`, on the screen or in plain text."""
