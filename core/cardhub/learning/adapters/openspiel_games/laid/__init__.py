"""Actions that others do not observe at once, as cards laid face down."""
