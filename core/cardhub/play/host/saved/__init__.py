"""Saved games, their statistics, and settings that last."""
