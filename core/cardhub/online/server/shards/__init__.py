"""A server as several processes: each has the tables whose ids begin with its letter."""
