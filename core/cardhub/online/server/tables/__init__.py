"""Tables of a server: seats, games, clocks and chat, independent of the network."""
