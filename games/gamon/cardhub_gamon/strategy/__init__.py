"""Bots and search: a rule-based bot, a model of calls and inference about hidden cards."""
