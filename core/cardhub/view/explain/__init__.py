"""Texts of a view: cards in words, explanations, reasons, rules, and cards not seen."""
