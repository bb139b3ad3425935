"""OpenSpiel's card games with hidden hands, loaded once, and random steps of them."""

from functools import cache
from random import Random

from cardhub import CHANCE, OVER
from cardhub.model.hidden.chance import sample_action
from cardhub_openspiel.imported.hands.hand_game import HandGame
from cardhub_openspiel.imported.named_games import game_named
from cardhub_openspiel.imported.openspiel_game import OpenSpielState

NAMES = (
    "hearts",
    "spades",
    "oh_hell",
    "crazy_eights(players=2)",
    "euchre",
    "skat",
    "gin_rummy",
    "cribbage",
    "bridge(use_double_dummy_result=False)",
)
# A game in which players learn cards immediately, and a game in which they learn cards later.
FAST = ("euchre", "skat")
# The number of steps, including chance, after which `shortened` ends games of several deals: in the
# second deal.
MOST_STEPS = 40


@cache
def named(text: str) -> HandGame:
    """Return a card game; loading one takes seconds."""
    game = game_named(f"openspiel:{text}", text)
    assert isinstance(game, HandGame)
    return game


def shortened(text: str) -> HandGame:
    """Return a card game that ends early with the present returns, if it has several deals."""
    kind = type(named(text))
    if kind.facts.hand_survey.decks == 1:
        return kind()

    class Shortened(kind):  # type: ignore[valid-type, misc]  # made when it was loaded
        def _draw(self, state: OpenSpielState) -> None:
            super()._draw(state)
            if len(state.moves) >= MOST_STEPS:
                state.reveal(state.drawn)
                state.seat = OVER

    return Shortened()


def step(game: HandGame, state: OpenSpielState, rng: Random) -> None:
    """Carry out a random action, or one of chance."""
    is_chance = state.seat == CHANCE
    game.apply(
        state, sample_action(game, state, rng) if is_chance else rng.choice(game.legal(state))
    )
