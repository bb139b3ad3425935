"""Orchards: a deck-building game, whose market and hands count equal cards."""

from pathlib import Path
from typing import Annotated

from cardhub import (
    CHANCE,
    OVER,
    Actions,
    Area,
    Counter,
    Display,
    Game,
    IndexOf,
    Names,
    Number,
    Option,
    Range,
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
)

CARDS = load_cards(
    Path(__file__).with_name("cards.yaml"), coins=int, draws=int, cost=int, points=int
)
COINS, DRAWS, COST, POINTS = map(CARDS.ints, ("coins", "draws", "cost", "points"))
PENNY, TREE, GROVE = map(CARDS.face, ("Penny", "Tree", "Grove"))
START = {PENNY: 5, TREE: 2}
HAND = 5
ACTIONS = Actions(Tokens("play", CARDS.count), Tokens("buy", CARDS.count), "end", "begin", "draw")
PLAY, BUY, END, BEGIN, DRAW = ACTIONS.starts
OPTIONS: dict[str, Option] = {"turns": Number(12, "Turns of each player.", 4, 20)}


class Table(State):
    """The state: the seat whose turn it is, with its coins, and how many cards it still draws."""

    market = shared(faces="all", noun="market")
    deck = per_seat(faces="nobody")
    hand = per_seat(faces="owner")
    played = per_seat(faces="all", noun="played cards")
    discard = per_seat(faces="all", noun="discarded cards")
    player: Annotated[int, IndexOf("seats")]
    coins: Annotated[int, Usual(0, 10)]
    wanted: Annotated[int, Range(0, HAND)]
    turns: Annotated[int, Range(0, 80)]
    points: Annotated[list[int], Usual(0, 30)]


class OrchardsDisplay(Display[Table]):
    """The market above the cards of the players, equal cards counted."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the market, and of each seat the hand and what was played."""
        market = sorted(state.market, key=state.face.__getitem__)
        areas = [Area("market", market, counted=True, room=len(CARDS.faces))]
        for seat in range(state.seats):
            own = seat == viewer
            hand, played = state.hand[seat], state.played[seat]
            if own:
                hand = sorted(hand, key=state.face.__getitem__)
            areas += [
                Area("played", played, seat, place="front", counted=True, room=3),
                Area("deck", state.deck[seat], seat, look="count"),
                Area("discarded", state.discard[seat], seat, look="count"),
                Area("hand", hand, seat, look="hand" if own else "count", counted=own, room=HAND),
            ]
        lines = [SeatLine(amount(points, "point")) for points in state.points]
        counters = [Counter("coins", state.coins, pips=10)]
        prompt = "play a card, buy one, or end the turn" if state.seat >= 0 else "cards are drawn"
        left = state.settings.number("turns") - state.turns // state.seats
        status = f"{amount(left, 'turn')} left"
        return Scene(prompt, areas, status=status, seats=dict(enumerate(lines)), counters=counters)

    def action_label(self, state: Table, action: int) -> str:
        """Return the action with its object."""
        return "end the turn" if action == END else ""

    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        """Return why a card cannot be played or bought."""
        verb, token = ACTIONS.verb_and_index[action]
        if verb == "play" and token in state.hand[state.player]:
            return "it only scores points" if POINTS[state.face[token]] else None
        if verb == "buy" and token in state.market:
            cost = COST[state.face[token]]
            return f"it costs {amount(cost, 'coin')}" if cost > state.coins else None
        return None


class Orchards(Game[Table]):
    """Buy cards for a deck of your own, and plant the most trees."""

    name, title, seats = "orchards", "Orchards", Seats(2, 4)
    cards, actions, options, state_type = CARDS, ACTIONS, OPTIONS, Table
    score_range = Usual(0, 30)
    display_type = OrchardsDisplay

    def deal(self, state: Table) -> None:
        """Lay out all cards as the market; chance gives each seat its first cards."""
        state.put_all(range(CARDS.count), state.market)
        state.points = [0] * state.seats
        state.seat = CHANCE

    def legal(self, state: Table) -> list[int]:
        """Return the cards with coins or draws in the hand, and a card of each affordable kind."""
        if state.seat == CHANCE:
            return [DRAW if any(state.discard) or any(state.deck) else BEGIN]
        face = state.face
        hand = [t for t in state.hand[state.seat] if COINS[face[t]] or DRAWS[face[t]]]
        kinds = {face[token]: token for token in reversed(state.market)}
        bought = [BUY + token for kind, token in kinds.items() if COST[kind] <= state.coins]
        return sorted([*(PLAY + token for token in hand), *bought, END])

    def apply(self, state: Table, action: int) -> None:
        """Draw cards, play one, or end the turn."""
        seat = state.player
        verb, token = ACTIONS.verb_and_index[action]
        match verb:
            case "begin":
                begin(state)
            case "draw":
                draw(state)
            case "play":
                state.move(token, state.hand[seat], state.played, seat)
                state.coins += COINS[state.face[token]]
                state.wanted = DRAWS[state.face[token]]
                state.seat = CHANCE if state.wanted else seat
            case _:
                if verb == "buy":
                    state.points[seat] += POINTS[state.face[token]]
                    state.move(token, state.market, state.discard, seat)
                end_turn(state)

    def scores(self, state: Table) -> list[int]:
        """Return the points of the cards of each seat."""
        return state.points[:]


def begin(state: Table) -> None:
    """Give each seat its first cards, to be shuffled by the first draw."""
    for seat in range(state.seats):
        for face, count in START.items():
            for token in [token for token in state.market if state.face[token] == face][:count]:
                state.move(token, state.market, state.discard, seat)
                state.points[seat] += POINTS[face]
    state.log("Everybody gets the first seven cards")
    begin_turn(state, 0)


def begin_turn(state: Table, seat: int) -> None:
    """Begin the turn of a seat, for which chance draws a hand."""
    state.player, state.coins, state.wanted = seat, 0, HAND
    state.seat = CHANCE


def draw(state: Table) -> None:
    """Draw the wanted cards; with an empty deck the discarded cards are shuffled first."""
    deck, discard = state.deck[state.player], state.discard[state.player]
    drawn = deck[-state.wanted :]
    for token in reversed(drawn):
        state.move(token, deck, state.hand, state.player)
    state.wanted -= len(drawn)
    if drawn:
        state.log("{player} draws {cards}", state.player, drawn)
    if state.wanted and discard:
        # The next action draws on, because the deck is shuffled at the end of this one.
        state.put_all(discard, state.deck, state.player)
        discard.clear()
        state.shuffle(deck)
        state.log("{player} shuffles the discarded cards", state.player)
        return
    state.wanted = 0
    state.seat = state.player


def end_turn(state: Table) -> None:
    """Discard the hand and the played cards, and end the game or begin the next turn."""
    seat = state.player
    state.log("{player} discards {cards}", seat, [*state.played[seat], *state.hand[seat]])
    for pile in (state.hand[seat], state.played[seat]):
        state.put_all(pile, state.discard, seat)
        pile.clear()
    state.turns += 1
    is_last = state.turns == state.seats * state.settings.number("turns")
    if is_last or all(state.face[token] != GROVE for token in state.market):
        state.seat = OVER
        return
    begin_turn(state, left_of(seat, state.seats))
