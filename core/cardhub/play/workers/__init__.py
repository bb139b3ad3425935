"""Bots that answer in the background: in a separate process, or in a thread."""
