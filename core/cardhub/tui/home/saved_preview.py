"""Previews of saved games: their tables, drawn as at the table but without cursor."""

from pathlib import Path

from cardhub.base.errors import CardhubError
from cardhub.play.host.saved.home_facts import HomeFacts
from cardhub.play.host.saved.preferences import CardSize
from cardhub.play.host.saved.saved_list import SavedGame
from cardhub.play.host.saved.saved_view import SavedTable, saved_table
from cardhub.tui.home.menu.menu_drawing import Preview
from cardhub.view.layout.draw import draw
from cardhub.view.layout.plan import LEAST_HEIGHT, PlanOptions, TerminalSize, plan_of
from cardhub.view.layout.shape import shape_of
from cardhub.view.layout.table_glyphs import ASCII_TABLE, COLOUR_TABLE
from cardhub.view.text.glyphs import Glyphs

# Rows of a table for prompt, actions, detail and footer.
BARS = 6


class SavedPreviews:
    """Draws previews; each saved game is replayed once."""

    def __init__(self, facts: HomeFacts, glyphs: Glyphs) -> None:
        self._facts = facts
        self._glyphs = ASCII_TABLE if glyphs.is_ascii else COLOUR_TABLE
        self._tables: dict[tuple[Path, float], SavedTable | None] = {}

    def of(self, path: Path, width: int, height: int, cards: CardSize) -> Preview | None:
        """Return the table of a saved game in a size; None if it cannot be drawn there."""
        saved = next((game for game in self._facts.unfinished if game.path == path), None)
        table = self._table(saved) if saved else None
        if table is None:
            return None
        # Without the bars at the top and below the hand, which tell what can be done now.
        size = TerminalSize(width, max(height + BARS, LEAST_HEIGHT))
        shape = shape_of(table.view, table.catalogue)
        plan = plan_of(shape, size, PlanOptions(cards=cards, has_log=False))
        if not plan.fits:
            return None
        frame = draw(table.view, table.catalogue, plan, glyphs=self._glyphs)
        boxes = (plan.box(region) for region in ("actions", "detail", "footer"))
        end = min(box.y for box in boxes if box.width == width)
        return Preview("as you left it", frame.rows[1:end])

    def _table(self, saved: SavedGame) -> SavedTable | None:
        key = saved.path, saved.changed
        if key not in self._tables:
            facts = self._facts.game(saved.game)
            try:
                self._tables[key] = saved_table(facts.game, saved) if facts.game else None
            except CardhubError:
                self._tables[key] = None  # the row says why it cannot be replayed
            except Exception:  # noqa: BLE001  # the code of a faulty game may raise anything
                self._tables[key] = None
        return self._tables[key]
