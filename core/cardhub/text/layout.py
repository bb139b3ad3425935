"""Laying out a scene: shared areas, the other players, then the viewer's own cards."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from cardhub.game.scene import Area, Grid, Scene
from cardhub.hidden.observation import Observation
from cardhub.text.areas import small_area
from cardhub.text.board import grid_lines
from cardhub.text.buttons import button_lines
from cardhub.text.cardspans import CardSpans
from cardhub.text.flow import Word, fill
from cardhub.text.glyphs import UNICODE, Glyphs, cells, clip
from cardhub.text.hand import large_cards
from cardhub.text.pointing import spots_of
from cardhub.text.sheet import Line, Sheet, Span, Spot

LONGEST_NAME = 12
SHARED_INDENT = 4

Numbered = tuple[int, Area | Grid]


def lay_out(
    observation: Observation[Any],
    players: Sequence[str],
    width: int,
    changed: Collection[int] = frozenset(),
    glyphs: Glyphs = UNICODE,
    *,
    numbered: bool = False,
) -> Sheet:
    """Return the table as a viewer may see it, in lines of at most `width` cells where possible.

    `changed` are the tokens to be marked as such. `numbered` puts numbers before the buttons.
    """
    scene = observation.scene()
    legal = legal_actions(observation)
    spots = spots_of(observation.game, scene, legal, observation.seat)
    naming = observation.naming(players)
    page = _Page(players, observation, CardSpans(observation, glyphs, spots, changed), width)
    lines = page.lines(scene)
    buttons = button_lines(spots, naming, glyphs, width, numbered=numbered)
    names = {action: name for name, action in naming.notations(legal).items()}
    return Sheet(
        prompt=glyphs.text(scene.prompt),
        lines=tuple(lines),
        buttons=tuple(buttons),
        legal=spots,
        notations={names[action]: action for action in _in_order(lines + buttons, spots)},
    )


def legal_actions(observation: Observation[Any]) -> list[int]:
    """Return what the viewer can do now; nothing while others act."""
    is_to_act = observation.is_to_act and observation.seat >= 0
    return observation.legal() if is_to_act else []


def _in_order(lines: Iterable[Line], spots: Mapping[Spot, tuple[int, ...]]) -> list[int]:
    """Return the legal actions in the order in which one reads what they point at."""
    shown = (span.spot for line in lines for span in line if span.spot)
    return list(dict.fromkeys(action for spot in shown for action in spots.get(spot, ())))


class _Page:
    """The table without buttons, from top to bottom."""

    def __init__(
        self,
        players: Sequence[str],
        observation: Observation[Any],
        cards: CardSpans,
        width: int,
    ) -> None:
        self._names = [clip(cards.glyphs.text(p), LONGEST_NAME, cards.glyphs.more) for p in players]
        self._name_width = max(map(cells, self._names)) + 2
        self._to_act = observation.state.seat
        self._viewer = observation.seat
        self._cards = cards
        self._width = width

    def lines(self, scene: Scene) -> list[Line]:
        """Return the groups of areas, a blank line between shared, others' and own."""
        groups = _by_seat(scene.areas)
        shared = [line for area in groups.pop(None, ()) for line in self._shared(*area)]
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

    def _player(self, seat: int | None, areas: Iterable[Numbered]) -> list[Line]:
        """Return a player's name with small areas behind it, and large ones beneath."""
        blocks: list[list[Word]] = [[self._name(seat)]]
        beneath: list[Line] = []
        for number, area in areas:
            if isinstance(area, Area) and area.look == "hand":
                blocks.append(self._cards.heading(area, number))
                beneath += large_cards(area, number, self._cards, self._width)
            elif isinstance(area, Area):
                blocks.append(small_area(area, number, self._cards))
        return fill(blocks, self._width, self._name_width + 2) + beneath

    def _name(self, seat: int | None) -> Word:
        name = self._names[seat] if seat is not None else ""
        mark = self._cards.glyphs.to_act if seat == self._to_act else " "
        blanks = " " * (self._name_width - 2 - cells(name))
        return Word((Span(mark, "note"), Span(f" {name}{blanks}", "player")), gap=0)


def _by_seat(areas: Iterable[Area | Grid]) -> dict[int | None, list[Numbered]]:
    groups: dict[int | None, list[Numbered]] = {}
    for number, area in enumerate(areas):
        seat = area.seat if isinstance(area, Area) else None
        groups.setdefault(seat, []).append((number, area))
    return groups


def _separated(parts: Iterable[list[Line]]) -> list[Line]:
    lines: list[Line] = []
    for part in parts:
        lines += [(), *part] if lines else part
    return lines
