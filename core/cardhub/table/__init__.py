"""What lies on a table: zones, tokens, their faces, and the actions that move them."""
