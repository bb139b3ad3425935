"""Bots asked in the background: in a process of their own, or in a thread."""
