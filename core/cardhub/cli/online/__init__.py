"""Commands that play with others over the network."""
