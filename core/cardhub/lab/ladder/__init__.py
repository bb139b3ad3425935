"""A ladder: versions of bots, matches between them, and one list of ratings over months."""
