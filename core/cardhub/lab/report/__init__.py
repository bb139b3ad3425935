"""Reports of a match: HTML, Markdown, and a table of ratings.

They show `result.json` and the games of the log without computing statistics. The same files always
give the same bytes.
"""
