"""The members of a table: seating, replacement of absent players, takebacks and chat."""
