"""The parts of a state: zones, tokens and their faces, actions, settings."""
