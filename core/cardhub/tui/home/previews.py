"""Previews next to and below the rows of the home screen: tables of saved games, and games."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cardhub.base.errors import CardhubError
from cardhub.model.game.game import Game
from cardhub.play.host.saved.home_facts import GameFacts, HomeFacts
from cardhub.play.host.saved.preferences import CardSize
from cardhub.play.host.saved.saved_list import SavedGame, SavedTable, saved_table
from cardhub.play.seating import HUMAN, NAMES, Player
from cardhub.play.setup import set_up
from cardhub.tui.home.menu.menu_drawing import Preview
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.layout.canvas import TABLES, Box, Canvas, Run, Style
from cardhub.view.layout.draw import draw
from cardhub.view.layout.drawing.card_rows import CardLook, draw_card
from cardhub.view.layout.drawing.table_painter import NO_TEXTS, TablePainter
from cardhub.view.layout.plan import LEAST_HEIGHT, PlanOptions, TerminalSize, plan_of
from cardhub.view.layout.shape import CardSize as LayoutSize
from cardhub.view.layout.shape import shape_of
from cardhub.view.text.glyphs import Glyphs, wrapped
from cardhub.view.view import CardView, Spot

# Rows of a table's prompt, actions, detail and footer.
BARS = 6
# The most cards that show a game, in a row and in all, and a terminal of a usual size, for the
# sizes of cards.
MOST_IN_ROW, MOST_CARDS, USUAL = 4, 12, TerminalSize(120, 40)
# The deal of the table that shows a game.
SHOWN_SEED = 1
MUTED, ACCENT = Style("muted"), Style("accent")

Rows = Sequence[Sequence[Run]]


class SavedPreviews:
    """Draws previews of saved games; it replays each game once."""

    def __init__(self, facts: HomeFacts, glyphs: Glyphs) -> None:
        self._facts = facts
        self._glyphs = glyphs
        self._tables: dict[tuple[Path, float], SavedTable | None] = {}

    def of(self, path: Path, width: int, height: int, cards: CardSize) -> Preview | None:
        """Return the drawn table of a saved game, or None if it cannot be drawn in this size."""
        saved = next((game for game in self._facts.unfinished if game.path == path), None)
        table = self._table(saved) if saved else None
        rows = _table_rows(table, width, height, cards, self._glyphs) if table else None
        return Preview("where you left off", rows) if rows else None

    def _table(self, saved: SavedGame) -> SavedTable | None:
        key = saved.path, saved.changed
        if key not in self._tables:
            facts = self._facts.game(saved.game)
            try:
                self._tables[key] = saved_table(facts.game, saved) if facts.game else None
            except CardhubError:
                self._tables[key] = None  # the row shows why it cannot be replayed
            except Exception:  # noqa: BLE001  # the code of a faulty game may raise anything
                self._tables[key] = None
        return self._tables[key]


class GamePreviews:
    """Draws what a game is: a few words, and its board at the beginning or some of its cards."""

    def __init__(self, facts: HomeFacts, glyphs: Glyphs) -> None:
        self._facts = facts
        self._glyphs = glyphs
        self._tables: dict[str, SavedTable | None] = {}
        self._drawn: dict[tuple[object, ...], Preview] = {}

    def of(self, name: str, width: int, height: int, cards: CardSize) -> Preview | None:
        """Return a game in this size, or None if it is not loaded yet or cannot be loaded."""
        facts = self._facts.games.get(name)
        if facts is None or facts.game is None:
            return None
        key = name, width, height, cards, self._facts.is_new(name)
        if key not in self._drawn:
            self._drawn[key] = self._draw(facts, facts.game, width, height, cards)
        return self._drawn[key]

    def _draw(
        self, facts: GameFacts, game: Game[Any], width: int, height: int, cards: CardSize
    ) -> Preview:
        canvas = Canvas(width, height)
        y = 1
        for text, style in self._words(facts, game):
            for line in wrapped(text, width - 4):
                canvas.write(2, y, self._glyphs.text(line), style)
                y += 1
        if facts.name not in self._tables:
            self._tables[facts.name] = _first_deal(game)
        table = self._tables[facts.name]
        if table is None:
            return Preview(facts.title, canvas.rows())
        rows = None
        if shape_of(table.view, table.catalogue).board:
            rows = _table_rows(table, width, height - y - 1, cards, self._glyphs)
        if rows:
            for row, runs in enumerate(rows, y + 1):
                canvas.runs(0, row, runs)
        else:
            _draw_cards(canvas, table, Box(2, y + 1, width - 4, height - y - 1), self._glyphs)
        return Preview(facts.title, canvas.rows())

    def _words(self, facts: GameFacts, game: Game[Any]) -> Iterator[tuple[str, Style]]:
        """Yield a sentence about the game, its size, and how to learn it if it is new."""
        about = facts.summary.removeprefix(f"{facts.title}: ") or facts.tagline
        yield about[:1].upper() + about[1:], Style(is_bold=True)
        yield " · ".join(filter(None, (facts.seats, facts.length))), MUTED
        if self._facts.suggests_lesson(game):
            yield f"New to you? :learn {facts.name} comments on a first hand.", ACCENT


def _first_deal(game: Game[Any]) -> SavedTable | None:
    """Return the table at the beginning of a game, as the first player sees it."""
    names = NAMES[: game.seats.default]
    try:
        referee = set_up(game, [Player(name, HUMAN) for name in names], {}, SHOWN_SEED)
        referee.proceed()
        return SavedTable(build_view(referee.observe(0), names), build_catalogue(game))
    except Exception:  # noqa: BLE001  # the code of a faulty game may raise anything
        return None


def _table_rows(
    table: SavedTable, width: int, height: int, cards: CardSize, glyphs: Glyphs
) -> Rows | None:
    """Return a drawn table without what is only for playing, or None if it does not fit."""
    # Leave out the prompt bar and the rows below the hand.
    size = TerminalSize(width, max(height + BARS, LEAST_HEIGHT))
    plan = plan_of(
        shape_of(table.view, table.catalogue), size, PlanOptions(cards=cards, has_log=False)
    )
    if not plan.fits:
        return None
    frame = draw(table.view, table.catalogue, plan, glyphs=TABLES[glyphs.name])
    boxes = (plan.box(region) for region in ("actions", "detail", "footer"))
    end = min(box.y for box in boxes if box.width == width)
    rows = frame.rows[1:end]
    return rows if len(rows) <= height else None


def _draw_cards(canvas: Canvas, table: SavedTable, room: Box, glyphs: Glyphs) -> None:
    """Draw different cards of a game in rows of at least two, as large as the room allows."""
    catalogue, faces = table.catalogue, len(table.catalogue.faces)
    plan = plan_of(shape_of(table.view, catalogue), USUAL)
    widths, heights = plan.shape.sizes.widths, plan.shape.sizes.heights
    fitting = (
        size
        for size in reversed(LayoutSize)
        if size > LayoutSize.S
        and heights[size] <= room.height
        and 2 * (widths[size] + 1) <= room.width
    )
    size = next(fitting, None)
    if size is None:
        return
    in_row = min(room.width // (widths[size] + 1), MOST_IN_ROW)
    count = min(in_row * (room.height // heights[size]), faces, MOST_CARDS)
    count -= count % in_row if count > in_row else 0
    painter = TablePainter(
        canvas, table.view, catalogue, plan, NO_TEXTS, None, None, TABLES[glyphs.name]
    )
    for number in range(count):
        face = (2 * number + 1) * faces // (2 * count)
        row, place = divmod(number, in_row)
        x, y = room.x + place * (widths[size] + 1), room.y + row * heights[size]
        box = Box(x, y, widths[size], heights[size])
        # At a spot of the view, a card would look as if it could not be played.
        card = CardView(token=-1 - number, back=0, face=face)
        draw_card(painter, CardLook(card, Spot("seat", -1), box, size))
