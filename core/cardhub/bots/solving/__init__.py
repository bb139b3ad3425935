"""Exact solutions of small games: trees, regret minimisation and best responses."""
