"""Tuning of a bot: which values of its options win most."""
