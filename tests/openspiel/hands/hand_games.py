"""OpenSpiel's card games with hidden hands, loaded once, and random steps of them."""

from functools import cache
from random import Random

from tests.kit.soaking import count_examples

from cardhub import CHANCE, OVER
from cardhub.model.hidden.chance import sample_action
from cardhub_openspiel.imported.hands.hand_game import HandGame
from cardhub_openspiel.imported.hands.hand_state import HandState
from cardhub_openspiel.imported.named_games import build_game, game_named
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
# The games in which players learn cards also after these were drawn or laid.
LEARNED_LATER = (
    "hearts",
    "crazy_eights(players=2)",
    "skat",
    "bridge(use_double_dummy_result=False)",
)
# A game in which players learn cards immediately, and a game in which they learn cards later.
FAST = ("euchre", "skat")
# The number of steps, including chance, after which `shortened` ends games of several deals: in the
# second deal. It ends other games after a number of actions.
MOST_STEPS = 40
MOST_ACTIONS = count_examples(28)


@cache
def named(text: str) -> HandGame:
    """Return a card game; only the FAST ones are checked, which takes up to seconds."""
    name = f"openspiel:{text}"
    game = game_named(name, text) if text in FAST else build_game(name, text)
    assert isinstance(game, HandGame)
    if text in LEARNED_LATER:
        game.facts.expect_news()
    return game


def shortened(text: str) -> HandGame:
    """Return a card game that ends early with the present returns."""
    kind = type(named(text))
    has_deals = kind.facts.hand_survey.decks > 1

    class Shortened(kind):  # type: ignore[valid-type, misc]  # made when it was loaded
        def _draw(self, state: OpenSpielState) -> None:
            super()._draw(state)
            assert isinstance(state, HandState)
            actions = sum(actor >= 0 for actor in state.actors)
            if len(state.moves) >= MOST_STEPS if has_deals else actions >= MOST_ACTIONS:
                state.reveal(state.drawn)
                state.seat = OVER

    return Shortened()


def step(game: HandGame, state: OpenSpielState, rng: Random) -> None:
    """Carry out a random action, or one of chance."""
    is_chance = state.seat == CHANCE
    game.apply(
        state, sample_action(game, state, rng) if is_chance else rng.choice(game.legal(state))
    )
