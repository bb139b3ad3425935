"""The table on the screen as pure functions: sizes of cards, plan of regions, drawing."""
