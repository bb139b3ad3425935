"""Bots that play at a table from other machines, by the bot protocol over a WebSocket."""
