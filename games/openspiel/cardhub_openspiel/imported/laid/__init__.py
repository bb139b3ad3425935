"""Actions that other players do not observe immediately, as cards laid face down."""
