"""Checks of consequences, chapters, room on the table, and of what is told at the end."""
