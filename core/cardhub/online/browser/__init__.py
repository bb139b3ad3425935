"""The page that a server of tables sends to a browser."""
