"""The screens of a table: in play, watched, and in a lesson; with their widgets and dialogs."""
