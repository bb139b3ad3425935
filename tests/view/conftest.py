"""Tables of three games at any point of a random game, as in the tests of plain text."""

from tests.view.text.conftest import table

__all__ = ["table"]
