"""Klondike: a patience with seven columns.

The rules as in "Hoyle's Official Rules of Card Games"; the face-up cards of a column are moved
together, so that every game ends.
"""

from typing import Annotated

from cardhub import (
    OVER,
    WATCHED,
    Actions,
    Area,
    Display,
    Game,
    Goal,
    Names,
    Number,
    Option,
    Range,
    Scene,
    Seats,
    Settings,
    State,
    Target,
    Tokens,
    french_deck,
    piles,
    shared,
)

SUITS = ("clubs", "diamonds", "spades", "hearts")
CARDS = french_deck(SUITS, range(1, 14))
RANK, SUIT = CARDS.ints("rank"), [SUITS.index(suit) for suit in CARDS.texts("suit")]
KING = 13
COLUMNS = range(7)
LONGEST = 19  # six cards face down, and a king to an ace
ACTIONS = Actions(
    "turn",
    Tokens("send home", CARDS.count),
    *(Tokens(f"move to {n + 1}", CARDS.count) for n in COLUMNS),
)
TURN, SEND, *TO = ACTIONS.starts
OPTIONS: dict[str, Option] = {
    "draw": Number(1, "Cards that a turn of the stock lays on the waste.", 1, 3),
    "passes": Number(3, "How often the stock may be gone through.", 1, 9),
}


class Table(State):
    """The state: each column is two piles, one face down and one face up; `passes` counts."""

    stock = shared(faces="nobody")
    waste = shared(faces="all", noun="waste")
    home = piles(4, faces="all", noun="home")
    hidden = piles(7, faces="nobody", noun="column")
    column = piles(7, faces="all", noun="column")
    passes: Annotated[int, Range(0, "passes")]


class KlondikeDisplay(Display[Table]):
    """The columns below the stock, the waste and the cards at home."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the table; a card is chosen where it lies, and the stock turns."""
        home = [pile[-1] for pile in state.home if pile]
        areas = [
            Area("stock", state.stock, look="count"),
            Area("waste", state.waste, look="pile"),
            Area("home", home, slots=len(SUITS), room=len(SUITS)),
        ]
        for n in COLUMNS:
            cards = [*state.hidden[n], *state.column[n]]
            areas.append(Area(f"column {n + 1}", cards, look="column", room=LONGEST))
        left = state.settings.number("passes") - state.passes
        status = f"{at_home(state)} of 52 home · pass {state.passes} of {left + state.passes}"
        points = {TURN: Target("area", "stock")}
        return Scene("move a card, or turn the stock", areas, points, status=status)

    def action_label(self, state: Table, action: int) -> str:
        """Return the action with the card and its place."""
        if action == TURN:
            return "turn the stock" if state.stock else "turn the waste over"
        token = ACTIONS.verb_and_index[action][1]
        if not state.has_face(token):
            return ""
        card = CARDS.faces[state.face[token]].label
        return f"send {card} home" if action < TO[0] else f"move {card} to column {to(action) + 1}"

    def consequence(self, state: Table, action: int, names: Names) -> str:
        """Return whether a hidden card is turned up."""
        if action == TURN:
            return ""
        token = ACTIONS.verb_and_index[action][1]
        column = column_of(state, token)
        if column is None or not state.hidden[column] or state.column[column][0] != token:
            return ""
        return f"a card of column {column + 1} is turned up"

    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        """Return what would have to lie where the card is to go."""
        if action in self.game.legal(state):
            return None
        if action == TURN:
            return "the stock has been gone through as often as allowed"
        token = ACTIONS.verb_and_index[action][1]
        if token not in movable(state):
            return "only the last card of the waste, and the face-up cards of a column, can move"
        if action < TO[0]:
            return "home rises from the ace, suit by suit, and takes the last card of a column"
        return "a column falls in rank, red on black and black on red; an empty one takes a king"


class Klondike(Game[Table]):
    """Bring all cards home, suit by suit, from the ace to the king."""

    name, title, seats = "klondike", "Klondike", Seats(1, 1)
    cards, actions, options, state_type = CARDS, ACTIONS, OPTIONS, Table
    goal, unit, score_range = Goal.COMMON, "cards", Range(0, "tokens")
    display_type = KlondikeDisplay

    def target(self, settings: Settings, seats: int) -> int:
        """Return the number of cards."""
        return CARDS.count

    def deal(self, state: Table) -> None:
        """Deal the columns; the rest is the stock."""
        token = 0
        for n in COLUMNS:
            state.put_all(range(token, token + n), state.hidden, n)
            state.put(token + n, state.column, n)
            token += n + 1
        state.put_all(range(token, CARDS.count), state.stock)
        state.passes = 1

    def legal(self, state: Table) -> list[int]:
        """Return a turn of the stock, and where the cards can go."""
        actions = []
        if state.stock or (state.waste and state.passes < state.settings.number("passes")):
            actions.append(TURN)
        for token in movable(state):
            rank, suit = RANK[state.face[token]], SUIT[state.face[token]]
            column = column_of(state, token)
            if (column is None or state.column[column][-1] == token) and (
                len(state.home[suit]) == rank - 1
            ):
                actions.append(SEND + token)
            if column is None or state.column[column][0] == token:
                actions += [TO[n] + token for n in COLUMNS if fits(state, token, n)]
        return sorted(actions)

    def apply(self, state: Table, action: int) -> None:
        """Turn the stock, or move a card with the cards on it."""
        if action == TURN:
            turn(state)
        else:
            token = ACTIONS.verb_and_index[action][1]
            column = column_of(state, token)
            source = state.waste if column is None else state.column[column]
            if action < TO[0]:
                state.move(token, source, state.home, SUIT[state.face[token]])
            else:
                for moved in source[source.index(token) :]:
                    state.move(moved, source, state.column, to(action))
            if column is not None and not source and state.hidden[column]:
                state.move(state.hidden[column][-1], state.hidden[column], state.column, column)
                if WATCHED:
                    state.log("{cards} is turned up", cards=state.column[column])
        if not self.legal(state):
            state.seat = OVER
            if WATCHED and at_home(state) == CARDS.count:
                state.log("All cards are home")

    def scores(self, state: Table) -> list[int]:
        """Return the number of cards at home."""
        return [at_home(state)]


def to(action: int) -> int:
    """Return the column that an action moves a card to."""
    return (action - TO[0]) // CARDS.count


def at_home(state: Table) -> int:
    """Return the number of cards at home."""
    return sum(map(len, state.home))


def column_of(state: Table, token: int) -> int | None:
    """Return the column of a face-up card, None for a card of the waste."""
    return next((n for n in COLUMNS if token in state.column[n]), None)


def movable(state: Table) -> list[int]:
    """Return the cards that may move: the last of the waste, the first and last of each column."""
    ends = (token for pile in state.column if pile for token in (pile[0], pile[-1]))
    return [*state.waste[-1:], *dict.fromkeys(ends)]


def fits(state: Table, token: int, column: int) -> bool:
    """Return whether a card can go on a column; a king never leaves an empty place for another."""
    rank, suit = RANK[state.face[token]], SUIT[state.face[token]]
    if not state.column[column]:
        source = column_of(state, token)
        return rank == KING and (source is None or bool(state.hidden[source]))
    last = state.face[state.column[column][-1]]
    return RANK[last] == rank + 1 and (SUIT[last] - suit) % 2 == 1


def turn(state: Table) -> None:
    """Lay cards of the stock on the waste; without stock, the waste becomes the stock again."""
    if not state.stock:
        state.passes += 1
        state.put_all(state.waste[::-1], state.stock)
        state.waste.clear()
        return
    for _ in range(min(state.settings.number("draw"), len(state.stock))):
        state.move(state.stock[-1], state.stock, state.waste)
