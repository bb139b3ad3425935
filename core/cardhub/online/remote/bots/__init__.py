"""Bots of this machine at tables of servers, connected by the bot protocol over a WebSocket."""
