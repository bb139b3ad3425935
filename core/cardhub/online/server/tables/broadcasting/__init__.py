"""Messages of a table to its clients: the table, and each viewer's view of the game."""
