"""The display of Big Two: the table and all texts for people."""

from typing import Literal

from typing_extensions import override

from big_two.combinations import SIZES, name
from big_two.table import ACTIONS, CARDS, STRENGTH, Table, bits
from big_two.turns import cost, lowest_face
from cardhub import (
    CHANCE,
    OVER,
    Area,
    BreakdownRow,
    BreakdownSection,
    Display,
    Names,
    Scene,
    SeatLine,
    Summary,
    amount,
    clockwise,
)


class BigTwoDisplay(Display[Table]):
    """The cards to beat, the hands, and sentences about plays."""

    primary = ("play", "deal")

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the cards to beat, then the cards of each seat, the viewer's own last."""
        note = name(bits(state, state.table)) if state.table else ""
        areas = [
            Area("to beat", state.table, note=note, room=max(SIZES)),
            Area("played before", state.out, look="count"),
        ]
        own = viewer if viewer < state.seats else state.seats - 1
        for seat in clockwise(own + 1, state.seats):
            areas += _areas_of(state, seat, viewer)
        lines = {seat: _line(state, seat) for seat in range(state.seats)}
        return Scene(_prompt(state), areas, status=_status(state), seats=lines)

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
        """Describe an action and its results."""
        verb, _ = ACTIONS.verb_and_index[action]
        if verb == "deal":
            player, deal = names.player(after.lead), after.number + 1
            return [f"Deal {deal}: {player} has {_lowest(after)} and leads"]
        player = names.player(before.seat)
        if verb == "choose":
            return []  # the sentence about the play has the cards
        if verb == "pass":
            return [f"{player} passes"]
        played = sorted(before.chosen[before.seat], key=lambda token: STRENGTH[after.face[token]])
        return [f"{player} plays {names.cards(played)}"]

    @override
    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        """Return the cards left and the points of all seats, if a deal has ended."""
        if after.number == before.number:
            return None
        rows = [["player", "cards left", "points", "total"]]
        for seat, points in enumerate(after.points):
            left = 0 if seat == before.seat else len(before.hand[seat])
            gained = points - before.points[seat]
            rows.append([names.player(seat), str(left), f"{gained:+}", str(points)])
        return Summary(f"Deal {after.number}: {names.player(before.seat)} is out of cards", rows)

    @override
    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        if action in self.game.legal(state):
            return None
        verb, token = ACTIONS.verb_and_index[action]
        chosen = state.chosen[state.seat]
        if verb == "pass":
            return "you have chosen cards; play them" if chosen else "you lead, so you must play"
        if verb == "play":
            return (
                "the chosen cards do not make a combination that you may play"
                if chosen
                else "you have chosen no cards"
            )
        if verb == "deal":
            return "cards are dealt by chance"
        if token not in state.hand[state.seat]:
            return "you have chosen it already" if token in chosen else "it is not in your hand"
        return _no_combination(state, names)

    @override
    def consequence(self, state: Table, action: int, names: Names) -> str:
        """Return the combination of the chosen cards, or the consequence of passing."""
        verb, _ = ACTIONS.verb_and_index[action]
        chosen = state.chosen[state.seat]
        if verb == "play":
            left = len(state.hand[state.seat])
            kind = name(bits(state, chosen))
            if not left:
                return f"{kind}: your last cards, so you win the deal"
            return f"{kind}: you then have {amount(left, 'card')} left"
        if verb == "pass":
            return f"you may play again later; {names.player(state.lead)} leads if all others pass"
        return f"it goes with {names.cards(_sorted(state, chosen))}" if chosen else ""

    @override
    def breakdown(self, state: Table) -> list[BreakdownSection]:
        """Return the points of the last deal by payments and winnings, and those before it."""
        paid = [-cost(len(hand)) for hand in state.hand]
        won = [-sum(paid) if not hand else 0 for hand in state.hand]
        before = [
            points - loss - gain for points, loss, gain in zip(state.points, paid, won, strict=True)
        ]
        notes = [amount(len(hand), "card") if hand else "" for hand in state.hand]
        rows = [BreakdownRow("cards left", paid, notes), BreakdownRow("first out of cards", won)]
        if any(before):
            rows.insert(0, BreakdownRow("deals before", before))
        return [BreakdownSection("", rows)]

    @override
    def chapter(self, state: Table) -> str:
        return f"deal {state.number + (state.seat != OVER)}"


def _no_combination(state: Table, names: Names) -> str:
    """Return why a card cannot be chosen for a combination with the cards chosen before."""
    tokens = state.chosen[state.seat]
    chosen = names.cards(_sorted(state, tokens))
    if state.is_first and lowest_face(state.seats) not in [state.face[token] for token in tokens]:
        lowest = _lowest(state)
        if chosen:
            return f"it makes no combination with {lowest} and {chosen}"
        return f"it makes no combination with {lowest}"
    if state.table:
        kind, table = name(bits(state, state.table)), names.cards(state.table)
        if chosen:
            return f"you have no {kind} with it and {chosen} that beats {table}"
        return f"you have no {kind} with it that beats {table}"
    return f"it makes no combination with {chosen}" if chosen else "it makes no combination"


def _areas_of(state: Table, seat: int, viewer: int) -> list[Area]:
    hand, chosen = state.hand[seat], state.chosen[seat]
    size = len(state.face) // state.seats
    if seat != viewer:
        # Other players' hands are numbers only; viewers without a seat may see their cards.
        look: Literal["count", "row"] = "count" if viewer < state.seats else "row"
        shown = Area("hand", hand, seat, look, room=size)
        return [shown, Area("chosen", chosen, seat, room=max(SIZES))]
    return [
        Area("chosen", _sorted(state, chosen), seat, room=max(SIZES)),
        Area("hand", _sorted(state, hand), seat, "hand", room=size),
    ]


def _line(state: Table, seat: int) -> SeatLine:
    badges = ["leads" if not state.table else "to beat"] if seat == state.lead else []
    return SeatLine(amount(state.points[seat], "point"), badges)


def _status(state: Table) -> str:
    number = state.number + (state.seat != OVER)
    deals = state.settings.number("deals")
    return (
        f"deal {number} of {deals}"
        if deals > 1
        else f"{amount(len(state.out) + len(state.table), 'card')} played"
    )


def _sorted(state: Table, tokens: list[int]) -> list[int]:
    return sorted(tokens, key=lambda token: STRENGTH[state.face[token]])


def _prompt(state: Table) -> str:
    if state.seat == CHANCE:
        return "deal"
    if state.seat == OVER:
        return "the game is over"
    if state.table:
        return f"beat the {name(bits(state, state.table))} or pass"
    return f"lead a combination with {_lowest(state)}" if state.is_first else "lead any combination"


def _lowest(state: Table) -> str:
    return CARDS.faces[lowest_face(state.seats)].label
