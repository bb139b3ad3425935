"""A replay as a session that people step through: notes, coming actions, playing on."""
