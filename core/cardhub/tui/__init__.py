"""The table on the screen; Textual is imported only when a table is opened."""

from cardhub.tui.run_table import run_table

__all__ = ["run_table"]
