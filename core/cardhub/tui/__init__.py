"""The table on the screen; Textual is imported only when a table is opened."""

from cardhub.tui.run_home import run_home
from cardhub.tui.run_table import run_table

__all__ = ["run_home", "run_table"]
