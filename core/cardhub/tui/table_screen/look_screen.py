"""A look at one person's own cards while another person is to act at the same terminal."""

from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from typing_extensions import override

from cardhub.play.host.session import Session
from cardhub.tui.dialogs.dialog import SingleResultScreen
from cardhub.tui.table_screen.table_widget import TableWidget
from cardhub.view.layout.table_glyphs import TableGlyphs


class LookScreen(SingleResultScreen[None]):
    """Shows the table as a person sees it, without actions, until any key or click."""

    AUTO_FOCUS = ""

    def __init__(self, session: Session, glyphs: TableGlyphs) -> None:
        super().__init__()
        self._session = session
        self._glyphs = glyphs

    @override
    def compose(self) -> ComposeResult:
        yield TableWidget(self._glyphs, id="look")

    def on_mount(self) -> None:
        """Show the table."""
        view, table = self._session.view(), self.query_one(TableWidget)
        table.can_focus = False
        name = view.players[view.viewer].name
        # The prompt is for the player to act.
        looked_at = replace(view, prompt="Any key hides the cards again")
        table.change(turn=f"{name.upper()} LOOKS", says_you=False)
        table.show_view(looked_at, self._session.catalogue, self._session.log())

    def on_key(self, event: events.Key) -> None:
        """Hide the cards."""
        event.stop()
        self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        """Hide the cards."""
        event.stop()
        self.dismiss(None)
