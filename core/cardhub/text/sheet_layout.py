"""The layout of a scene: shared areas, the other players, then the viewer's own cards."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from cardhub.game.scene import Area, Grid, Scene
from cardhub.hidden.observation import Observation
from cardhub.text.areas import button_lines, large_cards, small_area
from cardhub.text.cardspans import CardSpans
from cardhub.text.glyphs import UNICODE, Glyphs, cells, clip, pad
from cardhub.text.grid import grid_lines
from cardhub.text.sheet import Line, Sheet, Span
from cardhub.text.wrapping import Word, fill
from cardhub.view.action_spots import by_spot, spots_of
from cardhub.view.spots import Spot

MAX_NAME = 12
SHARED_INDENT = 4

# An area with its index in the scene.
NumberedArea = tuple[int, Area | Grid]


def lay_out(
    observation: Observation[Any],
    players: Sequence[str],
    width: int,
    changed: Collection[int] = frozenset(),
    glyphs: Glyphs = UNICODE,
    *,
    numbered: bool = False,
) -> Sheet:
    """Return the table as its viewer sees it, in lines of at most `width` cells where possible.

    `changed` are the tokens to mark as changed. `numbered` puts numbers before the buttons.
    """
    scene = observation.scene()
    glyphs = glyphs.with_suits(observation.game.cards.suits)
    # Only the seat to act has legal actions: asking for those of others raises an error.
    can_act = observation.is_to_act and observation.seat >= 0
    legal = observation.legal() if can_act else []
    spots = by_spot(spots_of(observation.game, scene, legal, observation.seat))
    labels = observation.labels(players)
    cards = CardSpans(observation, glyphs, spots, changed, scene.marks)
    lines = _AreaLines(players, observation, cards, width).lines(scene)
    buttons = button_lines(spots, labels, glyphs, width, numbered=numbered)
    return Sheet(
        prompt=glyphs.text(scene.prompt),
        lines=tuple(lines),
        buttons=tuple(buttons),
        legal=spots,
        # Their order numbers the actions of plain text: it has to be that of reading.
        choices=labels.choices(_in_order(lines + buttons, spots)),
    )


def _in_order(lines: Iterable[Line], spots: Mapping[Spot, tuple[int, ...]]) -> list[int]:
    """Return the legal actions in reading order of their spots."""
    shown = (span.spot for line in lines for span in line if span.spot)
    return list(dict.fromkeys(action for spot in shown for action in spots.get(spot, ())))


class _AreaLines:
    def __init__(
        self,
        players: Sequence[str],
        observation: Observation[Any],
        cards: CardSpans,
        width: int,
    ) -> None:
        self._names = [clip(cards.glyphs.text(p), MAX_NAME, cards.glyphs.more) for p in players]
        self._name_width = max(map(cells, self._names))
        self._to_act = observation.state.seat
        self._viewer = observation.seat
        self._cards = cards
        self._width = width

    def lines(self, scene: Scene) -> list[Line]:
        groups = _by_seat(scene.areas)
        shared = [line for area in groups.pop(None, ()) for line in self._shared(*area)]
        # The viewer's own cards come last, next to the buttons and the line for typing.
        own = groups.pop(self._viewer, [])
        others = [line for seat, areas in groups.items() for line in self._player(seat, areas)]
        parts = [shared, others, self._player(self._viewer, own) if own else []]
        return _separated(part for part in parts if part)

    def _shared(self, number: int, area: Area | Grid) -> list[Line]:
        if isinstance(area, Grid):
            return grid_lines(area, number, self._cards, self._width)
        if area.look == "hand":
            heading = fill([self._cards.heading(area, number)], self._width, SHARED_INDENT)
            return heading + large_cards(area, number, self._cards, self._width)
        return fill([small_area(area, number, self._cards)], self._width, SHARED_INDENT)

    def _player(self, seat: int | None, areas: Iterable[NumberedArea]) -> list[Line]:
        """Return a player's name followed by small areas, and the large cards beneath."""
        blocks: list[list[Word]] = [[self._name(seat)]]
        beneath: list[Line] = []
        for number, area in areas:
            if isinstance(area, Area) and area.look == "hand":
                blocks.append(self._cards.heading(area, number))
                beneath += large_cards(area, number, self._cards, self._width)
            elif isinstance(area, Area):
                blocks.append(small_area(area, number, self._cards))
        return fill(blocks, self._width, self._name_width + 4) + beneath

    def _name(self, seat: int | None) -> Word:
        name = pad(self._names[seat] if seat is not None else "", self._name_width)
        mark = self._cards.glyphs.to_act if seat == self._to_act else " "
        spot = Spot("seat", seat) if seat is not None else None
        is_legal = spot is not None and self._cards.is_legal(spot)
        player = Span(f" {name}", "player", "", spot, is_stop=is_legal, is_legal=is_legal)
        return Word((Span(mark, "note"), player), gap=0)


def _by_seat(areas: Iterable[Area | Grid]) -> dict[int | None, list[NumberedArea]]:
    groups: dict[int | None, list[NumberedArea]] = {}
    for number, area in enumerate(areas):
        seat = area.seat if isinstance(area, Area) else None
        groups.setdefault(seat, []).append((number, area))
    return groups


def _separated(parts: Iterable[list[Line]]) -> list[Line]:
    lines: list[Line] = []
    for part in parts:
        lines += [(), *part] if lines else part
    return lines
