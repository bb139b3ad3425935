"""Messages of a table to its clients: the table itself, and the game as each viewer sees it."""
