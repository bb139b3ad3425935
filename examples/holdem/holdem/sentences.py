"""What the rules write into the log, and the pauses at a showdown."""

from collections.abc import Mapping

from holdem.hands import Strength, compared_texts
from holdem.table import BOARD, Table

EARLY = "Nobody can bet any more, so the players show their cards"
WINS = "{player} wins {won:chip}"
# By round of betting.
BOARD_TEXTS = ("", "The flop is {cards}", "The turn is {cards}", "The river is {cards}")


def log_board(state: Table, cards: list[int]) -> None:
    """Log the cards that are turned up for a round of betting."""
    state.log(BOARD_TEXTS[state.phase], cards=cards)


def show_early(state: Table) -> None:
    """Pause at hands that are shown before the board is complete."""
    if len(state.board) < BOARD[-1]:
        state.pause(EARLY, [token for hand in state.hand for token in hand])


def show_winners(state: Table, strengths: Mapping[int, Strength], won: list[int]) -> None:
    """Log the hands of a showdown and who wins how many chips; pause for the greatest win."""
    if len(strengths) == 1:
        (seat,) = strengths
        state.log(WINS, seat, won=won[seat])
        return
    texts = compared_texts(strengths)
    for seat, text in texts.items():
        state.log(f"{{player}} shows {{cards}}: {text}", seat, state.hand[seat])
    for seat, text in texts.items():
        if won[seat]:
            state.log(f"{WINS} with {text}", seat, won=won[seat])
    best = won.index(max(won))
    state.pause(f"{{player}} wins with {texts[best]}", state.hand[best], best)
