"""Bots and search: a rule-based bot, playouts and evaluation."""
