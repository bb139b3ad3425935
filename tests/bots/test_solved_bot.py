"""The bot that solves small games, and bots that return their probabilities."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from cardhub.base.errors import BotRefusalError
from cardhub.bots import MixedBot
from cardhub.bots.solving import sequence_form as cfr
from cardhub.model.game.initial_state import initial_state, resolve_options, shuffled_pack
from cardhub.model.hidden.observation import Observation
from cardhub.plugins.bot_files import warm_up
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()


def opening(name: str, seed: int) -> Observation[Any]:
    """Return what the first seat sees after the deal."""
    game = REGISTRY.game(name)
    settings = resolve_options(game, {}, 2)
    faces = shuffled_pack(game, settings, 2, Random(seed))
    return Observation(game, initial_state(game, settings, 2, faces), 0)


def test_a_solved_bot_samples_from_the_solution() -> None:
    bets = {}
    for seed in range(20):
        seen = opening("kuhn", seed)
        bot = REGISTRY.make_bot("cfr:300", "kuhn", Random(1))
        assert isinstance(bot, MixedBot)
        card = seen.labels().card(0)
        bets[card] = bot.policy(seen)[1]
        chosen = Counter(bot.choose(seen) for _ in range(400))
        assert chosen[1] / 400 == pytest.approx(bets[card], abs=0.1)
    assert bets["Q"] < 0.01
    assert bets["K"] == pytest.approx(3 * bets["J"], abs=0.05)


def test_a_solved_bot_refuses_a_game_that_is_too_large() -> None:
    bot = REGISTRY.make_bot("cfr", "gamon", Random(1))
    seen = opening("gamon", 1)
    with pytest.raises(BotRefusalError, match="too large to be solved\nfix: "):
        bot.choose(seen)


def test_random_play_tells_its_probabilities() -> None:
    bot = REGISTRY.make_bot("random", "kuhn", Random(1))
    assert isinstance(bot, MixedBot)
    assert bot.policy(opening("kuhn", 1)) == {0: 0.5, 1: 0.5}


def test_equal_information_texts_are_one_information_state() -> None:
    """Seats that have seen and done the same get the same text in every deal."""
    texts: dict[str, object] = {}
    for seed in range(30):
        seen = opening("leduc", seed)
        text = seen.information_text()
        assert texts.setdefault(text, seen.information_state()) == seen.information_state()
    assert len(texts) == len(set(texts.values())) == 6


def test_a_game_is_solved_in_the_warm_up_and_not_in_the_first_decision(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A game that is too large is not an error in the warm-up."""
    warm_up(REGISTRY, "cfr:iterations=7", "kuhn")
    warm_up(REGISTRY, "cfr:iterations=7", "gamon")
    monkeypatch.setattr(cfr, "solve", None)
    bot = REGISTRY.make_bot("cfr:iterations=7", "kuhn", Random(1))
    assert bot.choose(opening("kuhn", 1)) in (0, 1)
