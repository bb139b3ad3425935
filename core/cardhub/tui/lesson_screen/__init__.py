"""The table of a lesson: comments over the table, and the suggestion on request."""
