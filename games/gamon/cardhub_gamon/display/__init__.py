"""Scenes and event texts: how the table is shown."""
