"""The table of a decision that is practised; imported on use, because few tables need it."""

from typing_extensions import override

from cardhub.play.host.practice import PracticeHost
from cardhub.play.host.saved.preferences import DEFAULTS, Preferences
from cardhub.play.host.table_host import Host
from cardhub.play.table_messages import TableStatus
from cardhub.play.table_model import TableReader
from cardhub.tui.keys import Key
from cardhub.tui.table.comment_dialog import CommentDialog, Parts
from cardhub.tui.table.play_screen import PlayScreen, TableScreen
from cardhub.view.layout.canvas import TableGlyphs

BACK = "Press u to take your last action back, or q to go back to the result."
KEYS = "Press u to try another choice, or q to go back to the result."


class PracticeOver:
    """The end of a practice game at its table: a comment, because the game has no record."""

    def __init__(self, screen: TableScreen, host: Host, glyphs: TableGlyphs) -> None:
        self._screen = screen
        self._glyphs = glyphs

    def show_result(self, reader: TableReader) -> None:
        """Show the result, and how to go back to the result of the finished game."""
        result = reader.result()
        if result is not None:
            text = f"{result.sentence}.\n\n{BACK}"
            show_comment(self._screen, self._glyphs, "The practice is over", text)

    def open_replay(self, reader: TableReader) -> None:
        """Say that there is no replay."""
        self._screen.say("A practice game has no replay.")


class PracticeScreen(TableScreen):
    """A table that compares the person's new choice with the old one, then goes on with bots."""

    def __init__(
        self, host: PracticeHost, glyphs: TableGlyphs, preferences: Preferences = DEFAULTS
    ) -> None:
        super().__init__(host, glyphs, PracticeOver, preferences)
        self.greeting = ()  # a comment is in front of the table
        self._practice = host.practice
        self._verdict = ""

    @override
    def on_mount(self) -> None:
        super().on_mount()
        text = f"In the game you chose “{self._practice.old_choice}”. Choose again."
        show_comment(self, self.glyphs, "Practice", text)

    @override
    def works(self, key: Key) -> bool:
        # A practice game is not saved, and its end leads back to the result of the finished game.
        return key.id not in ("table.replay", "table.result") and super().works(key)

    @override
    def refresh_table(self) -> None:
        verdict = self._practice.verdict()
        has_changed, self._verdict = verdict != self._verdict, verdict
        super().refresh_table()
        if verdict and has_changed and self.is_attached:
            show_comment(self, self.glyphs, "Your new choice", f"{verdict}\n\n{KEYS}")

    @override
    def _turn_tag(self, status: TableStatus) -> str:
        tag = super()._turn_tag(status)
        return tag or ("" if self._practice.has_chosen else "PRACTICE")


def show_comment(screen: PlayScreen, glyphs: TableGlyphs, title: str, text: str) -> None:
    """Show a text in a box over the table."""
    lines = "\n".join(map(glyphs.texts.text, text.split("\n")))
    screen.app.push_screen(CommentDialog(title, lines, Parts))
