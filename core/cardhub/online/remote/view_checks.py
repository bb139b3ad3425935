"""Checks that a view from a server can be drawn: indices are in range and counts are bounded."""

from collections.abc import Iterator

from cardhub.model.game.scene import Counter, Tally
from cardhub.model.table.actions import BLANK_AMOUNT
from cardhub.online.wire.wire_codec import WireError
from cardhub.view.view import (
    VIEW_VERSION,
    AreaView,
    CardCatalogue,
    CardView,
    ChoiceView,
    GridView,
    View,
)

# The maximum numbers of seats, cards, choices and sites, and the largest count that is drawn.
MOST_SEATS, MOST_CARDS, MOST_CHOICES, MOST_SITES, MOST_COUNT = 100, 10_000, 10_000, 2500, 10_000
MOST_AMOUNT, MOST_SHORTCUTS = 10**9, 20


def check_view(view: View, catalogue: CardCatalogue) -> None:
    """Raise WireError unless a view can be drawn with a catalogue."""
    for problem in _problems(view, catalogue):
        raise WireError(f"invalid view: {problem}")


def _problems(view: View, catalogue: CardCatalogue) -> Iterator[str]:
    """Yield problems in order. A check relies on the checks before it."""
    seats = len(view.players)
    if view.version != VIEW_VERSION:
        yield f"version {view.version}. fix: install the version of cardhub of the server"
    if not 1 <= seats <= MOST_SEATS:
        yield f"{seats} players"
    if not (-1 <= view.viewer <= seats and 0 <= view.own < seats and view.to_act < seats):
        yield "a viewer or a seat that does not exist"
    if len(view.choices) > MOST_CHOICES:
        yield f"{len(view.choices)} choices"
    if not all(map(_is_valid_range, view.choices)):
        yield "a choice of amounts without a valid range"
    if sum(_card_count(area) for area in view.areas) > MOST_CARDS:
        yield "too many cards"
    for area in view.areas:
        yield from _area_problems(area, seats)
        yield from _card_problems(area, catalogue)
    yield from _number_problems(view.counters, view.tallies, seats)
    spots = set(view.spots())
    if not all(spot in spots for choice in view.choices for spot in choice.spots):
        yield "a choice at a spot that does not exist"


def _is_valid_range(choice: ChoiceView) -> bool:
    """Return whether a choice has no amounts, or a range that can be shown."""
    amounts = choice.amounts
    if amounts is None:
        return True
    numbers = (amounts.low, amounts.high, amounts.step, amounts.stride)
    return (
        all(0 <= number <= MOST_AMOUNT for number in numbers)
        and amounts.low < amounts.high
        and min(amounts.step, amounts.stride) > 0
        and amounts.text.count(BLANK_AMOUNT) == 1
        and len(amounts.shortcuts) <= MOST_SHORTCUTS
        and all(number in amounts.amounts for _, number in amounts.shortcuts)
        and (amounts.costly_from is None or amounts.costly_from in amounts.amounts)
    )


def _card_count(area: AreaView | GridView) -> int:
    return len(area.cards) if isinstance(area, AreaView) else sum(map(len, area.stacks))


def _area_problems(area: AreaView | GridView, seats: int) -> Iterator[str]:
    if isinstance(area, GridView):
        is_board = 0 < area.rows <= MOST_SITES and 0 < area.columns <= MOST_SITES
        if not is_board or not area.rows * area.columns == len(area.stacks) <= MOST_SITES:
            yield "a board with a wrong number of sites"
    elif area.seat is not None and not 0 <= area.seat < seats:
        yield "an area of a seat that does not exist"
    elif not all(0 <= n <= MOST_COUNT for n in (area.count, area.room, area.slots, area.gone)):
        yield "an invalid count of cards"


def _card_problems(area: AreaView | GridView, catalogue: CardCatalogue) -> Iterator[str]:
    faces, backs = len(catalogue.faces), len(catalogue.backs)
    for card in _cards(area):
        if not 0 <= card.back < backs or not (card.face is None or 0 <= card.face < faces):
            yield "a card that is not in the catalogue"


def _cards(area: AreaView | GridView) -> Iterator[CardView]:
    if isinstance(area, AreaView):
        yield from area.cards
    else:
        for stack in area.stacks:
            yield from stack


def _number_problems(
    counters: tuple[Counter, ...], tallies: tuple[Tally, ...], seats: int
) -> Iterator[str]:
    for counter in counters:
        if counter.seat is not None and not 0 <= counter.seat < seats:
            yield "a counter of a seat that does not exist"
        if not 0 <= counter.pips <= MOST_COUNT:
            yield "an invalid number of pips"
    for row in (row for tally in tallies for row in tally.rows):
        if len(row.counts) != seats or len(row.notes) not in (0, seats):
            yield "a tally without a count for every seat"
