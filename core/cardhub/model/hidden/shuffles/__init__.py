"""Exact filtering over shuffles: the knowledge that remains about cards after they were mixed."""
