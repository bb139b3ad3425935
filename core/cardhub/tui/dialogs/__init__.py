"""Dialogs in front of the table."""
