"""Moles: a game for tests alone with hidden roles, secret looks, secret actions and private fields.

Of four cards two are moles; each of three players has one, and one lies aside. Moles know each
other. In two rounds each player in turn helps, harms, or looks at the card aside, in secret; only
moles may harm. Then all learn how many have harmed, and chance whispers a number to one player. At
last each player vows, which only mice may do, or passes.
"""

from cardhub import (
    CHANCE,
    OVER,
    Actions,
    Choice,
    Game,
    Seats,
    State,
    per_seat,
    private,
    shared,
    view_history,
)
from cardhub.model.cards import Back, Card, Cards

CARDS = Cards(
    (Card("mole", "mole", 0, 0, 2, "", {}), Card("mouse", "mouse", 0, 0, 2, "", {})),
    (Back("back", "back", "b", "?", "white"),),
    ("deck",),
)
MORE_CARDS = Cards(
    tuple(Card(name, name, 0, 0, 3, "", {}) for name in ("mole", "mouse")),
    CARDS.backs,
    CARDS.decks,
)
MOLE, MOUSE = range(2)
ACTIONS = Actions(
    "help",
    "harm",
    "look",
    Choice("whisper", range(3)),
    "vow",
    "pass",
    secret=("help", "harm", "look", "whisper"),
)
HELP, HARM, LOOK, WHISPER, VOW, PASS = ACTIONS.starts
# The actions of a round, and of the whole game: three, and a whisper.
ROUND, ALL = 4, 11


class Table(State):
    """A position; `harms` are the harms by round, `whispers` by seat, `deeds` each seat's own."""

    views = view_history()
    role = per_seat(faces="owner")
    aside = shared(faces="nobody")
    whispers = private()
    deeds = private()
    harms: list[int]
    turn: int


class Moles(Game[Table]):
    """Three players help or harm in secret; moles win with each harm."""

    name, title, seats = "moles", "Moles", Seats(3)
    cards, actions, state_type = CARDS, ACTIONS, Table

    def deal(self, state: Table) -> None:
        """Deal a role to each seat, and show the moles to each other."""
        for seat in range(3):
            state.put(seat, state.role, seat)
        state.put_all(range(3, len(state.seen)), state.aside)
        moles = [seat for seat in range(3) if state.face[seat] == MOLE]
        for mole in moles:
            for other in moles:
                state.show(mole, other, is_secret=True)

    def legal(self, state: Table) -> list[int]:
        """Return the secret actions in a round, and the open ones after both."""
        if state.seat == CHANCE:
            return [WHISPER, WHISPER + 1, WHISPER + 2]
        is_mole = state.face[state.role[state.seat][0]] == MOLE
        if state.turn >= 2 * ROUND:
            return [PASS] if is_mole else [VOW, PASS]
        return [HELP, *([HARM] if is_mole else []), LOOK]

    def chance_weights(self, state: Table) -> list[float]:
        """Return weights that differ."""
        return [1, 2, 3]

    def apply(self, state: Table, action: int) -> None:
        """Note the deed of the seat, or the whisper."""
        seat, state.turn = state.seat, state.turn + 1
        if seat == CHANCE:
            state.whispers[action - WHISPER].append(state.turn)
        else:
            state.deeds[seat].append(action)
        if action == LOOK:
            state.show(state.aside[0], seat, is_secret=True)
        if state.turn in (ROUND - 1, 2 * ROUND - 1):
            harms = sum(deeds[-1] == HARM for deeds in state.deeds)
            state.harms.append(state.disclose(harms))
            state.seat = CHANCE
        else:
            state.seat = OVER if state.turn == ALL else state.turn % ROUND
        if state.seat == OVER:
            state.reveal(range(len(state.seen)))

    def scores(self, state: Table) -> list[int]:
        """Return the harms for each mole."""
        return [sum(state.harms) if state.face[seat] == MOLE else 0 for seat in range(3)]


class ShuffledMoles(Moles):
    """Moles with three cards aside, which are shuffled after the first round."""

    name, cards = "shuffled_moles", MORE_CARDS

    def apply(self, state: Table, action: int) -> None:
        """Shuffle the cards aside when chance whispers."""
        if state.turn == ROUND - 1:
            state.shuffle(state.aside)
        super().apply(state, action)
