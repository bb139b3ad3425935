"""The same game over a network: messages, server, client and browser page."""
