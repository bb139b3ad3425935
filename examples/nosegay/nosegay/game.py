"""Nosegay: a drafting game.

All players choose a card of their hands at the same time; then each hand is passed to the left, so
its last holder knows which cards are in it, and the next one learns what was left.
"""

from pathlib import Path

from cardhub import (
    OVER,
    Actions,
    Area,
    BreakdownRow,
    BreakdownSection,
    Display,
    Game,
    Goal,
    Names,
    Scene,
    SeatLine,
    Seats,
    State,
    Tokens,
    Usual,
    amount,
    left_of,
    load_cards,
    per_seat,
    shared,
    simultaneous,
)

CARDS = load_cards(Path(__file__).with_name("cards.yaml"), kind=str, value=int)
VALUE = CARDS.ints("value")
KINDS = ("daisy", "rose", "tulip", "violet", "bee")
# By face, the index of its kind.
KIND = [KINDS.index(str(card.fields["kind"])) for card in CARDS.faces]
DAISY, ROSE, TULIP, VIOLET, BEE = range(len(KINDS))
# A hand and the number of players are 10 together: five players have five cards each.
HAND_AND_SEATS = 10
# The points of two roses, and of the most tulips.
PAIR, MOST_TULIPS = 5, 6


class Table(State):
    """The state: `nosegay` are the flowers and bees that a seat has taken."""

    choices = simultaneous()
    hand = per_seat(faces="owner")
    nosegay = per_seat(faces="all")
    rest = shared(faces="nobody", noun="remaining cards")


class NosegayDisplay(Display[Table]):
    """The nosegays, and what they score."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the nosegay and the hand of each seat."""
        room = HAND_AND_SEATS - state.seats
        areas = []
        for seat in range(state.seats):
            # Only the own hand is sorted: the order must not show what other hands hold.
            own = seat == viewer
            hand = by_face(state, state.hand[seat]) if own else state.hand[seat]
            taken = by_face(state, state.nosegay[seat])
            areas += [
                Area("nosegay", taken, seat, room=room, counted=True),
                Area("hand", hand, seat, "hand" if own else "row", room=room, counted=own),
            ]
        lines = {
            seat: SeatLine(amount(points, "point"))
            for seat, points in enumerate(self.game.scores(state))
        }
        prompt = "the game is over" if state.seat == OVER else "take a card; the rest is passed on"
        return Scene(prompt, areas, seats=lines)

    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
        """Return what all have taken."""
        return [
            f"{names.player(seat)} takes a {names.card(card)}"
            for seat, card in before.known_choices().items()
        ]

    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        """Return why a card cannot be taken: it is in a nosegay, another hand, or not dealt."""
        if action in state.hand[state.seat]:
            return None
        if any(action in cards for cards in state.nosegay):
            return "it is in a nosegay, where it stays"
        return "it is not in your hand"

    def breakdown(self, state: Table) -> list[BreakdownSection]:
        """Return the points of each seat by kind."""
        rows = [
            BreakdownRow(f"{name}s" if kind else "daisies", [p[kind] for p in points(state)])
            for kind, name in enumerate(KINDS)
        ]
        return [BreakdownSection("", rows)]


class Nosegay(Game[Table]):
    """Players gather flowers from hands that go around the table."""

    name, title, seats = "nosegay", "Nosegay", Seats(2, 5)
    cards, actions = CARDS, Actions(Tokens("take", CARDS.count))
    goal, state_type, display_type = Goal.WIN, Table, NosegayDisplay
    score_range = Usual(0, 40)

    def deal(self, state: Table) -> None:
        """Deal the hands; the other cards are out of the game, unseen."""
        size = HAND_AND_SEATS - state.seats
        for seat in range(state.seats):
            state.put_all(range(size * seat, size * (seat + 1)), state.hand, seat)
        state.put_all(range(size * state.seats, CARDS.count), state.rest)
        state.ask(range(state.seats))

    def legal(self, state: Table) -> list[int]:
        """Return the legal actions: take any card of the hand."""
        return state.hand[state.seat][:]

    def apply(self, state: Table, action: int) -> None:
        """Choose a card; after the last choice all take their cards, and the hands are passed."""
        choices = state.choose(action)
        if not choices:
            return
        for seat, card in choices.items():
            state.move(card, state.hand[seat], state.nosegay, seat)
        if not state.hand[0]:
            state.seat = OVER
            return
        pass_hands(state)
        state.ask(range(state.seats))

    def scores(self, state: Table) -> list[int]:
        """Return the points of all nosegays."""
        return [sum(by_kind) for by_kind in points(state)]


def pass_hands(state: Table) -> None:
    """Give every hand to the player on the left, who sees it."""
    hands = [hand[:] for hand in state.hand]
    for hand in state.hand:
        hand.clear()
    for seat, hand in enumerate(hands):
        state.put_all(hand, state.hand, left_of(seat, state.seats))


def points(state: Table) -> list[list[int]]:
    """Return by seat the points of each kind."""
    counts = [count_kinds(state, cards) for cards in state.nosegay]
    most = max(count[TULIP] for count in counts)
    is_alone = [count[TULIP] for count in counts].count(most) == 1
    result = []
    for cards, count in zip(state.nosegay, counts, strict=True):
        has_most = is_alone and count[TULIP] == most
        flowers = sum(count[kind] > 0 for kind in (DAISY, ROSE, TULIP, VIOLET))
        daisies = sum(VALUE[state.face[card]] for card in cards)
        violets = count[VIOLET] * (count[VIOLET] + 1) // 2
        roses = count[ROSE] // 2 * PAIR
        result.append([daisies, roses, has_most * MOST_TULIPS, violets, count[BEE] * flowers])
    return result


def count_kinds(state: Table, cards: list[int]) -> list[int]:
    """Return the number of cards of each kind."""
    counts = [0] * len(KINDS)
    for card in cards:
        counts[KIND[state.face[card]]] += 1
    return counts


def by_face(state: Table, cards: list[int]) -> list[int]:
    """Return cards sorted by kind."""
    return sorted(cards, key=lambda card: state.face[card])
