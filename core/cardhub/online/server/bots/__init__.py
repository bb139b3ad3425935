"""Bots that play from other machines, with the bot protocol over a WebSocket."""
