"""The screens of the terminal; importing this package does not load Textual."""

from cardhub.tui.run_home import run_home
from cardhub.tui.run_table import run_table

__all__ = ["run_home", "run_table"]
