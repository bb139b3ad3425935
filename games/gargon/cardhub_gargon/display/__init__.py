"""Scenes, event texts and reasons: how the table is shown."""
