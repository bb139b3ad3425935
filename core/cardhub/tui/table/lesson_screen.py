"""The screen of a lesson: comments in boxes over the table; the key of hints repeats them."""

from collections.abc import Callable, Iterator, Sequence

from typing_extensions import override

from cardhub.play.host.lessons.lesson_table import LessonHost
from cardhub.play.host.lessons.tutor import find_spots
from cardhub.play.host.saved.preferences import DEFAULTS, Preferences
from cardhub.play.table_messages import TableStatus
from cardhub.tui.table.comment_dialog import CommentDialog, Parts, pages
from cardhub.tui.table.game_over import GameOver
from cardhub.tui.table.play_screen import TableScreen
from cardhub.view.layout.canvas import Box, TableGlyphs
from cardhub.view.view import Spot

# Follows the introduction of a lesson.
KEYS = (
    "The arrow keys move the cursor, and Enter acts there; with the mouse, click twice. Below or "
    "beside the table you can read what that will do. Press w to see why a card cannot be played, "
    "u to take an action back, i for this comment, and ? for help."
)


class LessonScreen(TableScreen):
    """A table with comments on the learner's decisions."""

    def __init__(
        self, host: LessonHost, glyphs: TableGlyphs, preferences: Preferences = DEFAULTS
    ) -> None:
        super().__init__(host, glyphs, GameOver, preferences)
        self.greeting = ()  # a comment is in front of the table
        self._tutor = host.tutor
        self._commented = -1

    def on_screen_resume(self) -> None:
        """Show a comment that waited until another screen was closed."""
        self._comment_once()

    @override
    def _show_present(self, status: TableStatus) -> None:
        super()._show_present(status)
        # A comment would take the keys of the log or of a question in front of the table.
        if self.app.screen is self:
            self._comment_once()

    def _comment_once(self) -> None:
        """Show the comment on the learner's decision, if it has not been shown yet."""
        view = self.session.view()
        if view.choices and view.revision != self._commented:
            is_first = self._commented < 0
            self._commented = view.revision
            self._comment(is_first=is_first)

    @override
    def action_hint(self) -> None:
        """Show the comment again; after the lesson's script, ask for a hint instead."""
        if self._tutor.comment().suggested is None or not self.session.view().choices:
            super().action_hint()
        else:
            self._comment()

    @override
    def show_refusal(self, text: str) -> None:
        self._show_page(self._pages([text]), 0)

    def _comment(self, *, is_first: bool = False) -> None:
        """Show the comment page by page, then point at the suggestion."""
        comment = self._tutor.comment()
        lines = list(comment.lines)
        if is_first:
            lines.insert(1, KEYS)
        # A comment that only repeats the suggestion needs no box.
        is_short = lines == [comment.suggestion]
        self._show_page([] if is_short else self._pages(lines), 0, self._suggest)

    def _pages(self, lines: Sequence[str]) -> Sequence[str]:
        size = self.app.size
        return pages([self.glyphs.texts.text(line) for line in lines], size.width, size.height)

    def _show_page(
        self, texts: Sequence[str], number: int, then: Callable[[], None] = lambda: None
    ) -> None:
        """Show a page and the following pages; call `then` after the last one."""
        if number == len(texts):
            self.call_after_refresh(then)
            return
        title = f"Lesson, page {number + 1} of {len(texts)}" if len(texts) > 1 else "Lesson"
        dialog = CommentDialog(title, texts[number], self._parts)
        self.app.push_screen(dialog, lambda _: self._show_page(texts, number + 1, then))

    def _suggest(self) -> None:
        """Point at the suggested action."""
        for spot in self._suggested_spots()[:1]:
            self.table.point_at(spot)

    @override
    def say_about(self, text: str) -> None:
        if self.table.cursor in self._suggested_spots():
            # The cursor's detail follows the suggestion, and must not replace it.
            suggestion = self.glyphs.texts.text(self._tutor.comment().suggestion)
            title, _, about = text.partition("\n")
            # The title of a button is the name of its action, which the suggestion has.
            named = () if title in suggestion else (title,)
            text = "\n".join((suggestion, " ".join((*named, about))))
        super().say_about(text)

    def _suggested_spots(self) -> Sequence[Spot]:
        """Return the spots of the suggested action."""
        suggested = self._tutor.comment().suggested
        choices = self.session.view().choices
        return [
            spot for choice in choices if suggested in choice.actions() for spot in choice.spots
        ]

    def _parts(self) -> Parts:
        """Return the boxes of the table; wanted are the suggestion and the parts to look at."""
        wanted = {*self._suggested_spots(), *self._seen_spots()}
        stops = self.table.frame.stops
        prompt = Box(0, 0, self.app.size.width, 1)
        return Parts(
            [stop.box for stop in stops if stop.spot in wanted],
            [prompt, *(stop.box for stop in stops)],
        )

    def _seen_spots(self) -> Iterator[Spot]:
        """Return the spots of the areas, players and cards that the comment names."""
        session = self.session
        return find_spots(session.view(), session.catalogue, self._tutor.comment().see)
