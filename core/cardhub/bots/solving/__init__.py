"""Small games solved exactly: trees, regret minimisation and best responses."""
