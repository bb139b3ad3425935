"""The painter that each region is drawn with: canvas, view, plan, texts and cursor."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from cardhub.view.layout.canvas import Box, Canvas, Run, Stop, TableGlyphs
from cardhub.view.layout.plan import Plan
from cardhub.view.layout.shape import areas_of
from cardhub.view.view import (
    AreaView,
    CardCatalogue,
    CardView,
    LogLine,
    Spot,
    View,
)


class FooterKey(NamedTuple):
    """A key of the footer and its purpose; `is_on`: it works now."""

    key: str
    label: str
    is_on: bool = True


class TableTexts(NamedTuple):
    """Texts of a table that are not part of a view.

    `turn`: the tag of the prompt bar, by default the player to act; `busy`: the text after a bot
    that is to act; `news`: the log since the viewer acted, in one line; `scroll`: lines by which
    the log is scrolled back; `title` and `detail`: the description of the spot under the cursor;
    `unseen`: lines about unseen cards; `controls`: rows drawn instead of buttons; `says_you`: a
    single person is at this terminal; `hinted`: the spots of each action of a hint, the best first;
    `hides_cursor`: the cursor is not marked, because a past moment has no choices.
    """

    turn: str = ""
    busy: str = ""
    news: str = ""
    log: Sequence[LogLine] = ()
    scroll: int = 0
    title: str = ""
    detail: str = ""
    unseen: Sequence[str] = ()
    footer: Sequence[FooterKey] = ()
    controls: Sequence[Sequence[Run]] = ()
    says_you: bool = True
    hinted: Sequence[Collection[Spot]] = ()
    hides_cursor: bool = False


NO_TEXTS = TableTexts()
# As `turn`: the prompt is the sentence of a beat, which stands out without a word before it.
NO_TAG = " "


class TablePainter:
    """A table that is being drawn, with helpers that all regions use."""

    def __init__(
        self,
        canvas: Canvas,
        view: View,
        catalogue: CardCatalogue,
        plan: Plan,
        texts: TableTexts,
        cursor: Spot | None,
        picked: int | None,
        glyphs: TableGlyphs,
    ) -> None:
        self.canvas = canvas
        self.view = view
        self.catalogue = catalogue
        self.plan = plan
        self.texts = texts
        self.cursor = cursor
        # A hidden cursor still decides which part of a long row is visible.
        self.marked = None if texts.hides_cursor else cursor
        self.glyphs = glyphs
        self._texts = glyphs.texts.with_suits(catalogue.ascii)
        self.legal = view.legal_spots()
        self.companions = self._companions(picked)
        self._choosing = {spot.area for spot in self.legal if spot.kind in ("card", "site")}

    def text(self, text: str) -> str:
        """Return a text in the characters of the table."""
        return self._texts.text(text)

    def stop(self, spot: Spot, box: Box, region: str) -> None:
        """Add a stop of the cursor."""
        self.canvas.stops.append(Stop(spot, box, region))

    def is_heavy(self, spot: Spot) -> bool:
        """Return whether a spot is under the cursor or belongs to the action there."""
        return spot == self.marked or spot in self.companions

    def hint_number(self, spot: Spot) -> str:
        """Return the number of the best action of the hint at a spot, or an empty text."""
        actions = enumerate(self.texts.hinted, 1)
        return next((str(number) for number, spots in actions if spot in spots), "")

    def is_faint(self, spot: Spot) -> bool:
        """Return whether a card is not legal while other cards of its area are."""
        return spot.area in self._choosing and spot not in self.legal

    def marks_legal(self, spot: Spot) -> bool:
        """Return whether a one-row card needs a mark as playable, because colours are missing."""
        return self.glyphs.has_brackets and spot.area in self._choosing and spot in self.legal

    def areas(self, region: str, seat: int | None = None) -> list[tuple[int, AreaView]]:
        """Return the areas of a region with their indexes; `seat`: only this seat's areas."""
        return [
            (index, area)
            for index, area in areas_of(self.view, region)
            if seat is None or area.seat == seat
        ]

    def others(self) -> list[int]:
        """Return the other seats in turn order, beginning after the bottom seat."""
        count = len(self.view.players)
        return [(self.view.own + offset) % count for offset in range(1, count)]

    def colour(self, card: CardView) -> str:
        """Return the colour of a card's face, or of its back."""
        if card.face is None:
            return self.catalogue.backs[card.back].colour
        return self.catalogue.faces[card.face].colour

    def _companions(self, picked: int | None) -> frozenset[Spot]:
        if self.marked is None:
            return frozenset()
        choices = self.view.choices_at(self.marked)
        shown = [choice for choice in choices if choice.action == picked] or list(choices[:1])
        return frozenset(shown[0].spots) if shown else frozenset()
