"""Reports of a match: a page, the same as text, and a table of ratings.

They show what stands in `result.json` and in the log of games, and compute nothing. The same two
files always give the same bytes.
"""
