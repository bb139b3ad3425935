"""The screen of the table: its widgets, and the course of a game on it."""
