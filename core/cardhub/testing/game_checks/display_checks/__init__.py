"""Checks of consequences, chapters, room on the table, and of the accounts at the end."""
