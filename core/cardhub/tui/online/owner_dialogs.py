"""Dialogs of a table's owner about the fault of a bot, and about one that takes too long."""

from collections.abc import Callable, Mapping
from typing import ClassVar

from typing_extensions import override

from cardhub.play.host.session import Course, Wish
from cardhub.tui.table_screen.course_dialogs import CourseDialogs
from cardhub.tui.table_screen.table_view import TableView
from cardhub.view.view import View


class OwnerDialogs(CourseDialogs):
    """Opens dialogs for the owner of the table, who alone may decide.

    `replace` puts another bot into a seat.
    """

    saved = "The game is saved up to this turn, and stands still until you decide."
    after_fault: ClassVar[Mapping[str, str]] = {
        "retry": "Ask the bot again",
        "replace": "Another bot",
        "leave": "Leave",
    }

    def __init__(
        self,
        screen: TableView,
        wish: Callable[[Wish], None],
        leave: Callable[[], None],
        is_owner: Callable[[], bool],
        replace: Callable[[int], None],
    ) -> None:
        super().__init__(screen, wish, leave)
        self._is_owner = is_owner
        self._replace = replace
        self._seat = 0

    @override
    def show(self, course: Course, view: View) -> None:
        self._seat = view.to_act
        if self._is_owner():
            super().show(course, view)

    @override
    def _decide(self, button: str | None) -> None:
        if button == "replace":
            self._replace(self._seat)
        else:
            super()._decide(button)
