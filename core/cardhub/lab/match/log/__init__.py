"""The folder of a match: its log, its result and single games."""
