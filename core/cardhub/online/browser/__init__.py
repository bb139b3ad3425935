"""Pages that a browser opens: tables and replays drawn from views, without a network."""
