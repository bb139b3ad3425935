"""Bots of this machine at tables of servers, by the bot protocol over a WebSocket."""
