"""Texts about a view: cards in words, explanations, reasons, rules, and unseen cards."""
