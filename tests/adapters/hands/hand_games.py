"""OpenSpiel's card games with hidden hands, loaded once, and random steps of them."""

from functools import cache
from random import Random

from cardhub import CHANCE
from cardhub.adapters.openspiel_games.hands.hand_game import HandGame
from cardhub.adapters.openspiel_games.named_games import game_named
from cardhub.adapters.openspiel_games.openspiel_game import OpenSpielState
from cardhub.hidden.chance import sample_action

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
# A game without, and one with cards of which players are told later; both are loaded fast.
FAST = ("euchre", "skat")
# The checks of secrecy take 5 to 25 seconds for the others.
CHECKED = tuple(name for name in NAMES if name not in ("gin_rummy", "cribbage", NAMES[-1]))


@cache
def named(text: str) -> HandGame:
    """Return a card game; loading one takes seconds."""
    found = game_named(f"openspiel:{text}", text)
    assert isinstance(found, HandGame)
    return found


def step(game: HandGame, state: OpenSpielState, rng: Random) -> None:
    """Carry out a random action, or one of chance."""
    is_chance = state.seat == CHANCE
    game.apply(
        state, sample_action(game, state, rng) if is_chance else rng.choice(game.legal(state))
    )
