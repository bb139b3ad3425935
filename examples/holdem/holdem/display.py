"""The display of hold'em: the table, the shortcuts of bets, and all texts for people."""

from collections.abc import Mapping
from typing import Literal

from typing_extensions import override

from cardhub import (
    CHANCE,
    OVER,
    Area,
    Counter,
    Display,
    Names,
    Scene,
    SeatLine,
    Summary,
    amount,
    clockwise,
)
from holdem.betting import legal, raise_limits
from holdem.hands import Strength, compared_texts, strength, text_of
from holdem.table import ACTIONS, BOARD, CALL, Table, is_hand_over, owed, pot


class HoldemDisplay(Display[Table]):
    """The board, the hands, the chips, and sentences about bets."""

    primary = ("check", "call", "deal")

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the board, then the cards and chips of each seat, the viewer's own last."""
        areas = [Area("board", state.board, room=5, slots=5)]
        own = viewer if viewer < state.seats else state.seats - 1
        for seat in clockwise(own + 1, state.seats):
            look: Literal["hand", "row"] = "hand" if seat == viewer else "row"
            areas.append(Area("hand", state.hand[seat], seat, look, room=2))
        counters = [Counter("pot", pot(state))]
        lines = {seat: _line(state, seat) for seat in range(state.seats)}
        return Scene(_prompt(state), areas, status=_status(state), seats=lines, counters=counters)

    @override
    def action_label(self, state: Table, action: int) -> str:
        """Return a call with its amount, if there is a bet to call."""
        debt = owed(state, state.seat)
        return f"call {debt}" if action == CALL and debt else ""

    @override
    def is_costly(self, state: Table, action: int) -> bool:
        """Return whether an action is an all-in, or a fold of a hand with chips in the pot."""
        verb, value = ACTIONS.verb_and_value[action]
        if verb in ("call", "bet", "raise"):
            return _is_all_in(state, verb, value)
        return verb == "fold" and state.staked[state.seat] > 0

    @override
    def shortcuts(self, state: Table, verb: str) -> Mapping[str, int]:
        """Return bets that people often make."""
        debt = owed(state, state.seat)
        after_call = pot(state) + debt
        _, high = raise_limits(state)
        return {
            "half the pot": state.bet + after_call // 2,
            "pot": state.bet + after_call,
            "all-in": high,
        }

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
        """Return an action and the cards that it turned up."""
        verb, value = ACTIONS.verb_and_value[action]
        if verb == "gather":
            return []  # the next hand says enough
        if verb == "deal":
            return [f"Hand {after.number}: {names.player(after.button)} has the button"]
        player = names.player(before.seat)
        is_all_in = verb in ("bet", "raise", "call") and _is_all_in(before, verb, value)
        return [f"{player} {_deed(before, verb, value)}{' and is all-in' if is_all_in else ''}"]

    @override
    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        """Return what all seats have shown, won and kept, if a hand has ended."""
        if is_hand_over(before) or not is_hand_over(after):
            return None
        rows = [["player", "won", "chips"]]
        start = [own + staked for own, staked in zip(before.chips, before.staked, strict=True)]
        for seat, chips in enumerate(after.chips):
            if start[seat]:
                rows.append([names.player(seat), f"{chips - start[seat]:+}", str(chips)])
        if shown := shown_hands(after):
            texts = compared_texts(shown)
            rows[0][1:1] = ["cards", "hand"]
            seats = [seat for seat in range(after.seats) if start[seat]]
            for seat, row in zip(seats, rows[1:], strict=True):
                text = texts.get(seat, "folded").removeprefix("a ")
                row[1:1] = [names.cards(after.hand[seat]), text]
            rows.append(["board", "", names.cards(after.board), "", ""])
        return Summary(f"Hand {after.number}", rows)

    @override
    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        """Return why a bet, a raise or a check is not legal."""
        if action in legal(state):
            return None
        verb, value = ACTIONS.verb_and_value[action]
        debt = owed(state, state.seat)
        low, high = raise_limits(state)
        match verb:
            case "check":
                return f"{amount(debt, 'chip')} more are needed to call"
            case "fold" | "call":
                return "there is no bet to answer; a check is free"
            case "deal" | "gather":
                return "cards are dealt by chance"
            case "bet" if state.bet:
                return "there is a bet; raise it"
            case "raise" if not state.bet:
                return "there is no bet to raise; bet"
        if low > high:
            return "nobody can answer a raise, or it does not cover the last one"
        if value > high:
            return f"you have only {amount(high, 'chip')} to bet in this round"
        return f"the least is {low}: a raise is at least as large as the one before it"

    @override
    def consequence(self, state: Table, action: int, names: Names) -> str:
        """Return the chips that an action stakes, or that a fold loses."""
        verb, value = ACTIONS.verb_and_value[action]
        seat = state.seat
        match verb:
            case "fold":
                staked = state.staked[seat]
                return f"you lose {amount(staked, 'chip')}" if staked else "you lose no chips"
            case "call":
                debt = owed(state, seat)
                return f"you add {amount(debt, 'chip')} to a pot of {pot(state)}"
            case "bet" | "raise":
                added = value - state.bets[seat]
                left = state.chips[seat] - added
                return f"you add {amount(added, 'chip')} and keep {left}"
        return ""

    @override
    def chapter(self, state: Table) -> str:
        return f"hand {max(state.number, 1)}"


def _is_all_in(before: Table, verb: str, value: int) -> bool:
    chips, seat = before.chips[before.seat], before.seat
    return chips == (owed(before, seat) if verb == "call" else value - before.bets[seat])


def _deed(before: Table, verb: str, value: int) -> str:
    match verb:
        case "call":
            return f"calls {owed(before, before.seat)}"
        case "bet":
            return f"bets {value}"
        case "raise":
            return f"raises to {value}"
    return f"{verb}s"


def _line(state: Table, seat: int) -> SeatLine:
    """Return the chips and the badges of a seat, the most important ones first."""
    chips = state.chips[seat]
    if not state.is_in:
        return SeatLine(amount(chips, "chip"))
    badges = [f"bet {state.bets[seat]}"] if state.bets[seat] else []
    if not state.is_in[seat]:
        badges.append("folded" if chips else "out of chips")
    elif not chips:
        badges.append("out of chips" if state.seat < 0 else "all-in")
    if hand := shown_hands(state).get(seat):
        badges.append(text_of(hand).removeprefix("a "))
    if state.button == seat:
        badges.append("button")
    return SeatLine(amount(chips, "chip"), badges)


def shown_hands(state: Table) -> dict[int, Strength]:
    """Return by seat the hands that everybody has seen, once the board is complete."""
    face, everybody = state.face, state.everybody
    if len(state.board) < BOARD[-1]:
        return {}
    return {
        seat: strength([face[token] for token in (*hand, *state.board)])
        for seat, hand in enumerate(state.hand)
        if hand and all(state.seen[token] == everybody for token in hand)
    }


def _status(state: Table) -> str:
    return f"hand {max(state.number, 1)} of {state.settings.number('hands')}"


def _prompt(state: Table) -> str:
    if state.seat == OVER:
        return "the game is over"
    if state.seat == CHANCE:
        return "the hand is over" if is_hand_over(state) else "the cards are dealt"
    debt = owed(state, state.seat)
    low, high = raise_limits(state)
    if not debt:
        return "check, or bet" if low <= high and not state.bet else "check, or raise"
    return f"fold, call {debt}, or raise" if low <= high else f"fold, or call {debt}"
