"""Screens of a table at a server: the waiting room, the table, its chat and its result."""
