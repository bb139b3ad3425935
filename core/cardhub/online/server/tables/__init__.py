"""Tables of a server: their seats, games, clocks and chat, without any network."""
