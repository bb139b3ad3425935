"""The pages of menus as data: sections of rows."""

from collections.abc import Sequence
from typing import NamedTuple


class MenuRow(NamedTuple):
    """A row that can be opened; `id` is unique on its page.

    `key` opens it; `value` can be changed; `text` explains it on the same line, and `detail` below
    the menu. The cursor skips a row if `is_stop` is False.
    """

    id: str
    label: str
    text: str = ""
    key: str = ""
    value: str = ""
    detail: str = ""
    is_stop: bool = True


class MenuSection(NamedTuple):
    """Rows under a title."""

    title: str
    rows: Sequence[MenuRow]


class MenuPage(NamedTuple):
    """A page: a title, a text at its right, sections, and pairs of key and label for the footer."""

    title: str
    right: str
    sections: Sequence[MenuSection]
    footer: Sequence[tuple[str, str]] = ()

    @property
    def stops(self) -> list[MenuRow]:
        """The rows at which the cursor stops, in order."""
        return [row for section in self.sections for row in section.rows if row.is_stop]

    def matching(self, text: str) -> "MenuPage":
        """Return the page reduced to the rows that contain a text."""
        folded = text.casefold()
        sections = [
            MenuSection(section.title, [row for row in section.rows if _contains(row, folded)])
            for section in self.sections
        ]
        return self._replace(sections=[section for section in sections if section.rows])


def section_of(page: MenuPage, row: str, by: int) -> str:
    """Return the id of the first stop of the next or previous section, wrapping around."""
    starts = [next((r.id for r in s.rows if r.is_stop), "") for s in page.sections]
    starts = [start for start in starts if start]
    stops = [stop.id for stop in page.stops]
    at = stops.index(row) if row in stops else -1
    here = max((n for n, start in enumerate(starts) if stops.index(start) <= at), default=0)
    return starts[(here + by) % len(starts)] if starts else row


def _contains(row: MenuRow, folded: str) -> bool:
    return row.is_stop and folded in f"{row.label} {row.value} {row.text}".casefold()
