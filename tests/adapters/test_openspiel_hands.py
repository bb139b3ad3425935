"""OpenSpiel's card games whose public actions depend on hidden cards: Hearts, Spades, Oh Hell."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from cardhub import CHANCE, Game, Observation
from cardhub.adapters.openspiel_games.hands.hand_game import HandGame
from cardhub.adapters.openspiel_games.named_games import game_named
from cardhub.adapters.openspiel_games.openspiel_game import OpenSpielState
from cardhub.hidden.chance import sample_action
from cardhub.hidden.determinize import FaceSampler
from cardhub.table.faces import BLANK, blanked
from cardhub.testing.checking import run_or_raise
from cardhub.testing.coverage import Coverage
from cardhub.testing.game_checks.game_suite import PlayBudget, run_suite

# Checks that determinizations are fair samples.
BIAS = ("check_variety", "check_guesses")
NAMES = ("hearts", "spades", "oh_hell")


@pytest.fixture(scope="module", params=NAMES)
def game(request: pytest.FixtureRequest) -> HandGame:
    """Return one of the games; loading one takes seconds."""
    found = game_named(f"openspiel:{request.param}", request.param)
    assert isinstance(found, HandGame)
    return found


@pytest.fixture(scope="module")
def hearts() -> HandGame:
    """Return Hearts, in which three cards are passed first."""
    found = game_named("openspiel:hearts", "hearts")
    assert isinstance(found, HandGame)
    return found


def step(game: HandGame, state: OpenSpielState, rng: Random) -> None:
    """Carry out a random action, or one of chance."""
    is_chance = state.seat == CHANCE
    game.apply(
        state, sample_action(game, state, rng) if is_chance else rng.choice(game.legal(state))
    )


def another_world(sampler: FaceSampler[Any], rng: Random) -> Any:
    """Return the deal that the game fills in for an observation, as a full state."""
    game, state = sampler.game, sampler.state.clone()
    assert isinstance(game, HandGame)
    history, faces = game._history(state), blanked(state.face)[:]
    for index, token in game._tokens(state).items():
        if token < game.laid.first:
            faces[token] = game.survey.deck.kinds.index(history[index])
        else:
            size, first = game.laid.size, game.laid.first_face
            number = (token - game.laid.first) // size
            faces[token] = first + number * size + history[index]
    unseen = [token for token, face in enumerate(faces) if face == BLANK]
    left = sorted(set(range(len(faces))) - set(faces))
    for token, face in zip(unseen, left, strict=True):
        faces[token] = face
    state.face = faces
    return state


def test_worlds_that_a_seat_cannot_distinguish_look_the_same_to_it(
    game: HandGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All checks of secrecy: scenes, views, labels, stories, records, errors and messages."""
    # The other world is the one that the game fills in for a seat; it is no fair sample.
    monkeypatch.setattr(type(game), "undeterminable", "")
    monkeypatch.setattr("cardhub.hidden.observation.determinize", another_world)
    looked = set()

    def run(check: Callable[..., object], game: Game[Any], subject: Any, *more: Any) -> bool:
        looked.add(check.__name__)
        return check.__name__ in BIAS or run_or_raise(check, game, subject, *more)

    run_suite(game, PlayBudget(1), 0, run, Coverage(game))
    assert looked >= {"check_same_view", "check_same_words", "check_same_story", "check_record"}
