"""No-limit Texas hold'em: its declaration, the course of a hand, and the showdown."""

from typing_extensions import override

from cardhub import CHANCE, OVER, WATCHED, Game, Goal, Range, Seats
from holdem import betting, sentences
from holdem.hands import Strength, strength
from holdem.pots import side_pots, winnings
from holdem.table import (
    ACTIONS,
    BOARD,
    CARDS,
    DEAL,
    GATHER,
    MOST_SEATS,
    NOT_ACTED,
    OPTIONS,
    PHASES,
    Table,
    is_hand_over,
)


class Holdem(Game[Table]):
    """Two cards each, five for all, and as many chips as you dare."""

    name, title, seats = "holdem", "No-limit hold'em", Seats(2, MOST_SEATS, 4)
    cards, actions, options, phases = CARDS, ACTIONS, OPTIONS, PHASES
    goal, unit, state_type = Goal.SCORE, "chips", Table
    score_range = Range("-chips", "seats * chips")
    heuristics_type = ".heuristics:HoldemHeuristics"
    display_type = ".display:HoldemDisplay"

    @override
    def deal(self, state: Table) -> None:
        """Hand out the chips and stack the cards; chance deals them, as in every later hand."""
        state.chips = [state.settings.number("chips")] * state.seats
        state.staked = [0] * state.seats
        state.button = state.seats - 1
        state.put_all(range(CARDS.count), state.stack)
        end_or_continue(state)

    @override
    def legal(self, state: Table) -> list[int]:
        if state.seat == CHANCE:
            return [GATHER] if is_hand_over(state) else [DEAL]
        return betting.legal(state)

    @override
    def apply(self, state: Table, action: int) -> None:
        verb, value = ACTIONS.verb_and_value[action]
        if verb == "gather":
            state.gather(state.stack)
            return
        match verb:
            case "deal":
                goes_on = deal_hands(state)
            case "fold":
                betting.fold(state)
            case "check" | "call":
                betting.call(state)
            case "bet" | "raise":
                betting.raise_to(state, value)
        if verb != "deal":
            goes_on = betting.pass_turn(state, state.seat)
        if not goes_on:
            end_round(state)

    @override
    def scores(self, state: Table) -> list[int]:
        """Return the chips won or lost; chips in the pot still count for their owners."""
        start = state.settings.number("chips")
        return [own + staked - start for own, staked in zip(state.chips, state.staked, strict=True)]


def end_or_continue(state: Table) -> None:
    """End the game after the last hand, or if one seat has all chips; else let chance go on."""
    players = sum(chips > 0 for chips in state.chips)
    is_last = state.number == state.settings.number("hands")
    state.seat = OVER if is_last or players == 1 else CHANCE


def deal_hands(state: Table) -> bool:
    """Deal two cards to each seat with chips and post the blinds; return whether a seat acts."""
    state.number += 1
    state.phase = 0
    state.is_in = [chips > 0 for chips in state.chips]
    state.button = betting.next_in(state, state.button)
    for seat in range(state.seats):
        if state.is_in[seat]:
            state.put_all([state.stack.pop() for _ in range(2)], state.hand, seat)
    state.bets, state.acted = [0] * state.seats, [NOT_ACTED] * state.seats
    return betting.post_blinds(state)


def end_round(state: Table) -> None:
    """Turn up cards of the board until a seat has to act, or end the hand."""
    betting.return_uncalled(state)
    if sum(state.is_in) > 1:
        if sum(betting.has_choices(state, seat) for seat in range(state.seats)) <= 1:
            show_hands(state)  # nobody can bet any more
            if WATCHED:
                sentences.show_early(state)
        while state.phase < len(BOARD) - 1:
            state.phase += 1
            missing = BOARD[state.phase] - len(state.board)
            cards = [state.stack.pop() for _ in range(missing)]
            state.put_all(cards, state.board)
            if WATCHED:
                sentences.log_board(state, cards)
            if betting.open_round(state):
                return
    end_hand(state)


def show_hands(state: Table) -> None:
    """Turn up the hands of all seats that have not folded."""
    state.reveal([token for hand in state.hand for token in hand])


def end_hand(state: Table) -> None:
    """Pay the pots, after a showdown if several seats are in; the cards stay on the table."""
    strengths: dict[int, Strength] = dict.fromkeys(players_in(state), (0,))
    if len(strengths) > 1:
        show_hands(state)
        face, board = state.face, state.board
        strengths = {s: strength([face[t] for t in (*state.hand[s], *board)]) for s in strengths}
    pots = side_pots(state.staked, state.is_in)
    won = winnings(pots, strengths, state.button, state.seats)
    state.bets = [0] * state.seats
    if WATCHED:
        sentences.show_winners(state, strengths, won)
    state.chips = [chips + gain for chips, gain in zip(state.chips, won, strict=True)]
    state.staked = [0] * state.seats
    end_or_continue(state)


def players_in(state: Table) -> list[int]:
    """Return the seats that have not folded."""
    return [seat for seat in range(state.seats) if state.is_in[seat]]
