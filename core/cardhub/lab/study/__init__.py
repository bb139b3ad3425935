"""Studies of games: figures for designers, from matches of a game's bots against themselves.

`run_study` plays the matches of a `StudyRequest`, `study_of` computes a `StudyResult` from their
logs, and `compare` tests the differences between several results.
"""
