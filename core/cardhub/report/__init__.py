"""Reports of a match: a page, the same as text, and a table of ratings.

They show the contents of `result.json` and of the log of games, and compute nothing. The same two
files always give the same bytes.
"""
