"""Examples on a page of rules, which are played as they are written."""
