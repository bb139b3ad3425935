"""Folders of teams: their programs are built before a match, and published after it."""
