"""A view as plain text in reading order: for pipes, screen readers and simple terminals."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from cardhub.base.writing import counted_phrase
from cardhub.model.game.scene import Tally
from cardhub.model.table.actions import column_label
from cardhub.model.table.state import CHANCE
from cardhub.view.amount_ranges import describe_amounts
from cardhub.view.text.glyphs import UNICODE, Glyphs, cells, counted_names, pad, wrapped_deeper
from cardhub.view.view import (
    AreaView,
    CardCatalogue,
    CardView,
    GridView,
    View,
    numbered_choices,
)

# Width in cells if the output is not a terminal.
WIDTH = 78
# Number of a pile's cards that are named, from the top.
PILE_SHOWN = 5
INDENT = 4
# A no-break space between a card and its detail.
TIE = "\u00a0"


def table_lines(
    view: View, catalogue: CardCatalogue, width: int = WIDTH, glyphs: Glyphs = UNICODE
) -> list[str]:
    """Return the whole table as lines of at most `width` cells, then the numbered choices."""
    return _TableText(view, catalogue, width, glyphs).lines()


def seat_lines(
    view: View, catalogue: CardCatalogue, seat: int, glyphs: Glyphs = UNICODE
) -> list[str]:
    """Return one seat of the table as lines of any width: the player, then the areas."""
    lines = _TableText(view, catalogue, WIDTH, glyphs).seat(seat)
    mark = f"{glyphs.to_act} "
    return [line.removeprefix(mark).strip().replace(TIE, " ") for line in lines]


def board_lines(view: View, catalogue: CardCatalogue, glyphs: Glyphs = UNICODE) -> list[str]:
    """Return the boards of a table as lines of any width."""
    text = _TableText(view, catalogue, WIDTH, glyphs)
    boards = [area for area in view.areas if isinstance(area, GridView)]
    return [line for board in boards for line in text.grid(board)]


def prompt_text(view: View) -> str:
    """Return the player to act and the prompt."""
    if view.is_over:
        return "The game is over"
    if view.to_act == CHANCE:
        return f"Chance: {view.prompt}"
    if view.has_chosen:
        return view.prompt  # it names those who have yet to choose
    name = view.players[view.to_act].name
    if view.to_act == view.viewer:
        return f"Your turn, {name}: {view.prompt}"
    return f"Waiting for {name}: {view.prompt}"


class _TableText:
    def __init__(self, view: View, catalogue: CardCatalogue, width: int, glyphs: Glyphs) -> None:
        self._view = view
        self._catalogue = catalogue
        self._width = width
        self._glyphs = glyphs.with_suits(catalogue.ascii)

    def lines(self) -> list[str]:
        view = self._view
        status = " · ".join(part for part in (view.title, view.status, self._phase()) if part)
        # The viewer's own cards come last, next to the choices.
        others = [seat for seat in range(len(view.players)) if seat != view.own]
        parts = [
            [status],
            self._shared(),
            *(self.seat(seat) for seat in (*others, view.own)),
            self._choices(),
        ]
        return [
            line for part in parts if part for text in (*part, "") for line in self._wrapped(text)
        ]

    def _phase(self) -> str:
        view = self._view
        is_known = view.is_over or len(view.phases) < 2 or view.phase in view.status
        return "" if is_known else view.phase

    def _wrapped(self, text: str) -> list[str]:
        shown = TIE.join(map(self._glyphs.text, text.split(TIE)))
        return [line.replace(TIE, " ") for line in wrapped_deeper(shown, self._width, INDENT)]

    def _shared(self) -> list[str]:
        view = self._view
        lines = [line for area in view.areas for line in self._of_table(area)]
        counters = [f"{c.caption} {c.value}" for c in view.counters if c.seat is None]
        tallies = [line for tally in view.tallies for line in self._tally(tally)]
        return [*([", ".join(counters)] if counters else []), *lines, *tallies]

    def _of_table(self, area: AreaView | GridView) -> Iterator[str]:
        if isinstance(area, GridView):
            yield from self.grid(area)
        elif area.seat is None:
            yield from self._area(area)

    def seat(self, seat: int) -> list[str]:
        """Return the lines of a seat, not wrapped."""
        view = self._view
        player = view.players[seat]
        name = f"{player.name} ({player.bot})" if player.bot else player.name
        counters = [f"{c.caption} {c.value}" for c in view.counters if c.seat == seat]
        facts = ", ".join(filter(None, (name, *player.badges, player.score, *counters)))
        head = f"{self._glyphs.to_act if seat == view.to_act else ' '} {facts}"
        areas = [a for a in view.areas if isinstance(a, AreaView) and a.seat == seat]
        return [head.rstrip(), *(" " * INDENT + line for a in areas for line in self._area(a))]

    def _area(self, area: AreaView) -> Iterator[str]:
        caption = " ".join(part for part in (area.caption, area.note) if part)
        missing = area.slots - area.count
        is_waiting = missing > 0 and not self._view.is_over
        to_come = "" if not is_waiting else f"{missing} to come" if area.count else "none yet"
        if any(card.head or card.foot for card in area.cards):
            for number, card in enumerate(area.cards, 1):
                at_length = ", ".join(
                    part for part in (self._card(card), card.head, card.foot) if part
                )
                yield f"{area.caption} {number}: {at_length}".strip()
            if to_come:
                yield f"{caption}: {to_come}"
            return
        is_counted = area.count > 0 or not (area.note or is_waiting)
        count = str(area.count) if is_counted else ""
        if area.look == "queue" and area.count > 1:
            count += ", next first"
        # In parentheses: a caption such as `at 71` may end with another number.
        head = f"{caption} ({count})" if caption and count else caption or count
        cards = ", ".join(part for part in (self._cards(area), to_come) if part)
        # Blank areas only reserve room on the screen.
        if head.strip() or cards:
            yield f"{head}: {cards}" if cards else head

    def _cards(self, area: AreaView) -> str:
        cards = area.cards
        if area.look == "pile":
            shown = [self._card(card) for card in reversed(cards[-PILE_SHOWN:])]
            more = [self._glyphs.more] if len(cards) > PILE_SHOWN else []
            return self._joined([*shown, *more])
        if area.look == "hand":
            # A hand keeps the game's order, and each card its detail.
            return ", ".join(self._with_detail(card) for card in cards)
        if area.look == "queue":
            return self._joined(self._queue(cards))
        if any(card.face is None for card in cards):
            return ", ".join(self._counted(cards))
        return self._joined(counted_names(map(self._card, cards)))

    def _joined(self, names: Iterable[str]) -> str:
        # Commas separate names of several words.
        has_long = any(" " in face.label for face in self._catalogue.faces)
        several = [*names]
        return (", " if has_long or any(" " in name for name in several) else " ").join(several)

    def _queue(self, cards: Sequence[CardView]) -> Iterable[str]:
        # A row of backs is easier to read as letters.
        backs = self._catalogue.backs
        return (
            backs[card.back].letter if card.face is None else self._card(card) for card in cards
        )

    def _counted(self, cards: Sequence[CardView]) -> Iterator[str]:
        """Yield cards, like ones of which only the back is seen with their number."""
        counts = Counter[tuple[str, str]]()
        for card in cards:
            counts[self._name(card), self._marks(card)] += card.copies
        for (name, marks), count in counts.items():
            yield counted_phrase(name, count) + marks

    def _card(self, card: CardView) -> str:
        return counted_phrase(self._name(card), card.copies) + self._marks(card)

    def _name(self, card: CardView) -> str:
        catalogue = self._catalogue
        return (
            catalogue.backs[card.back].title
            if card.face is None
            else catalogue.faces[card.face].label
        )

    def _marks(self, card: CardView) -> str:
        new = self._glyphs.changed if card.is_new else ""
        return f"{new} ({card.mark})" if card.mark else new

    def _with_detail(self, card: CardView) -> str:
        """Return a card of a hand as its face has it: corner, name and detail."""
        if card.face is None:
            return self._card(card)
        face = self._catalogue.faces[card.face]
        corner = "" if face.corner in (face.short, face.label) else face.corner
        parts = (corner, self._card(card), face.detail)
        return TIE.join(part for part in parts if part).replace(" ", TIE)

    def grid(self, grid: GridView) -> Iterator[str]:
        """Yield the lines of a board."""
        if grid.caption:
            yield f"{grid.caption}:"
        sites = [
            [self._site(grid.stacks[row * grid.columns + column]) for column in range(grid.columns)]
            for row in range(grid.rows)
        ]
        sites.insert(0, [column_label(column) for column in range(grid.columns)])
        widths = [max(map(cells, column)) for column in zip(*sites, strict=True)]
        for row, stacks in enumerate(sites):
            line = "  ".join(pad(text, width) for text, width in zip(stacks, widths, strict=True))
            yield f"{row or '':<2}  {line}".rstrip()

    def _site(self, stack: Sequence[CardView]) -> str:
        """Return the cards of a stack, the top one first; a site has no room for a title."""
        backs = self._catalogue.backs
        names = (
            self._card(card) if card.face is not None else backs[card.back].unknown
            for card in reversed(stack)
        )
        return "/".join(names) or self._glyphs.empty

    def _tally(self, tally: Tally) -> Iterator[str]:
        names = [player.name for player in self._view.players]
        for row in tally.rows:
            notes = row.notes or [""] * len(names)
            counts = [f"{name} {count}" for name, count in zip(names, row.counts, strict=True)]
            pairs = zip(counts, notes, strict=True)
            parts = (f"{text}, {note}" if note else text for text, note in pairs)
            goal = f", goal {row.goal}" if row.goal else ""
            yield f"{tally.caption} {row.label}{goal}: {'; '.join(parts)}".strip()

    def _choices(self) -> list[str]:
        names = [
            f"{n}. {describe_amounts(c)}" for n, c in numbered_choices(self._view.choices).items()
        ]
        column = max(map(cells, names), default=0) + 2
        columns = max(self._width // column, 1) if column else 1
        rows = (names[at : at + columns] for at in range(0, len(names), columns))
        return ["".join(pad(name, column) for name in row).rstrip() for row in rows]
