"""The screen of a lesson: each comment in a box over the table, again with the key of hints."""

from collections.abc import Sequence

from typing_extensions import override

from cardhub.host.lessons.lesson_table import LessonHost
from cardhub.host.session import Course
from cardhub.host.table_host import Host
from cardhub.layout.table_glyphs import TableGlyphs
from cardhub.tui.dialogs.dialog import MessageDialog
from cardhub.tui.table_screen.screen import TableScreen
from cardhub.tui.table_screen.table_view import CardSizes, TableView
from cardhub.tui.table_screen.watch_screen import WatchScreen
from cardhub.view.spots import Spot

# Characters of a page: about eight lines of text.
PAGE = 480


class CommentDialog(MessageDialog):
    """A comment at the top of the table, so that the hand stays in sight."""

    DEFAULT_CSS = """
    CommentDialog { align: center top; background: $background 0%; }
    CommentDialog > .box { max-height: 75%; }
    CommentDialog .text { max-height: 60vh; }
    CommentDialog .keys { margin-top: 0; }
    """


class LessonScreen(TableScreen):
    """A table that comments the learner's decisions."""

    def __init__(
        self, host: LessonHost, glyphs: TableGlyphs, *, card_size: CardSizes = "auto"
    ) -> None:
        super().__init__(host, glyphs, card_size=card_size)
        self._tutor = host.tutor
        self._commented = -1

    @override
    def _show_present(self, course: Course) -> None:
        super()._show_present(course)
        view = self.session.view()
        if view.choices and view.revision != self._commented:
            self._commented = view.revision
            self._comment()

    @override
    def action_hint(self) -> None:
        """Show the comment again; after the script ask for a hint as at any table."""
        if self._tutor.comment().suggested is None or not self.session.view().choices:
            super().action_hint()
        else:
            self._comment()

    def _comment(self) -> None:
        """Show the comment page by page, then point at the suggestion."""
        lines = [self.glyphs.texts.text(line) for line in self._tutor.comment().lines]
        if len(lines) == 1 and len(lines[0]) < self.app.size.width:
            self._show_page([])
        elif lines:
            self._show_page(pages(lines))

    def _show_page(self, left: Sequence[str]) -> None:
        """Show the pages that are left in boxes."""
        if left:
            dialog = CommentDialog("Lesson", left[0], {"close": "Go on"})
            self.app.push_screen(dialog, lambda _: self._show_page(left[1:]))
        else:
            self.call_after_refresh(self._suggest)

    def _suggest(self) -> None:
        """Point at the suggested action, and repeat the last line below the table."""
        comment = self._tutor.comment()
        if comment.lines:
            self.say(self.glyphs.texts.text(comment.lines[-1]))
        for spot in self._suggested_spots():
            self.table.point_at(spot)

    @override
    def say_about(self, text: str) -> None:
        if self.table.cursor in self._suggested_spots():
            # The detail of the cursor comes after the comment, and must not replace it.
            self.say(f"{self.glyphs.texts.text(self._tutor.comment().lines[-1])} {text}")
        else:
            super().say_about(text)

    def _suggested_spots(self) -> Sequence[Spot]:
        """Return the first spot of the suggested action, if there is one."""
        suggested = self._tutor.comment().suggested
        choices = self.session.view().choices
        return [c.spots[0] for c in choices if c.action == suggested and c.spots]


def pages(lines: Sequence[str]) -> list[str]:
    """Return the lines in pages that fit a box at 80 by 24."""
    found: list[str] = []
    for line in lines:
        if found and len(found[-1]) + len(line) <= PAGE:
            found[-1] += f"\n\n{line}"
        else:
            found.append(line)
    return found


def table_screen(host: Host, glyphs: TableGlyphs, card_size: CardSizes = "auto") -> TableView:
    """Return the screen of a table: with comments for a lesson, or to watch a game of bots."""
    if not host.people:
        return WatchScreen(host, glyphs, card_size=card_size)
    if isinstance(host, LessonHost):
        return LessonScreen(host, glyphs, card_size=card_size)
    return TableScreen(host, glyphs, card_size=card_size)
