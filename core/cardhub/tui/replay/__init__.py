"""The replay of a game on the screen: the table with a timeline and viewpoints."""
