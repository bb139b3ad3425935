"""Views: all that one person may see and do at a table, as plain data."""
