"""Checks of bots, and the suite that runs them all."""
