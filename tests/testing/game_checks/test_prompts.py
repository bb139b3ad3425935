"""The check `prompts`: a model reads as much as its seat knows, and names stand for one action."""

from itertools import count, islice
from typing import Any

import pytest

from cardhub import Actions, Scene
from cardhub.model.game.initial_state import resolve_options
from cardhub.testing.checking import ConformanceError
from cardhub.testing.game_checks.prompts import PromptTexts, check_prompts
from cardhub.testing.random_play import Trial, default_trial, play
from goofspiel import Goofspiel
from kuhn.game import Kuhn, KuhnDisplay
from orchards import Orchards

ORCHARDS = Orchards()


def check_games(game: Kuhn, games: int = 30) -> PromptTexts:
    """Check all positions of random games."""
    texts = PromptTexts()
    for seed in range(games):
        for position in play(game, default_trial(game, 2, seed)):
            check_prompts(game, position, texts)
    return texts


def test_a_sound_game_has_as_many_prompts_as_information_states() -> None:
    assert len(check_games(Kuhn(), 60)) == 12


def test_equal_cards_with_other_numbers_in_another_game_are_no_ambiguity() -> None:
    """Two of these games begin alike, but their market has other pennies."""
    texts = PromptTexts()
    for seed in (2, 3):
        for position in islice(play(ORCHARDS, default_trial(ORCHARDS, 2, seed)), 4):
            check_prompts(ORCHARDS, position, texts)
    assert len(texts) > 1


def test_equal_hands_of_small_packs_read_the_same_whatever_the_order_of_the_deal() -> None:
    """Nobody knows which of two tokens is which card of the own hand."""
    game, texts = Goofspiel(), PromptTexts()
    settings = resolve_options(game, {"cards": 2, "order": "descending"}, 2)
    for seed in range(12):
        for position in play(game, Trial(2, settings, seed)):
            check_prompts(game, position, texts)
    assert len(texts) > len(texts._by_prompt)


def test_a_scene_that_hides_what_the_seat_knows_is_found() -> None:
    class Hiding(KuhnDisplay):
        def scene(self, state: Any, viewer: int) -> Scene:
            scene = super().scene(state, viewer)
            return Scene(scene.prompt, [], counters=scene.counters)

    class Hidden(Kuhn):
        display_type = Hiding

    problem = r"reads the same as seat \d at step \d of seed \d+, but it knows '.*' instead of '.*'"
    with pytest.raises(ConformanceError, match=problem):
        check_games(Hidden())


def test_a_scene_that_differs_for_equal_observations_is_found() -> None:
    calls = count()

    class Changing(KuhnDisplay):
        def scene(self, state: Any, viewer: int) -> Scene:
            scene = super().scene(state, viewer)
            return Scene(f"{scene.prompt} {next(calls)}", scene.areas, counters=scene.counters)

    class Changed(Kuhn):
        display_type = Changing

    with pytest.raises(ConformanceError, match="with the same observation seat 0 reads"):
        check_games(Changed())


def test_a_scene_that_knows_more_than_its_seat_is_found() -> None:
    calls = count()

    class Telling(KuhnDisplay):
        def scene(self, state: Any, viewer: int) -> Scene:
            scene = super().scene(state, viewer)
            # Two scenes for each position: both texts of one position are alike.
            number = next(calls) // 10
            return Scene(f"{scene.prompt} {number}", scene.areas, counters=scene.counters)

    class Told(Kuhn):
        display_type = Telling

    with pytest.raises(ConformanceError, match=r"the seat knows the same as|same observation"):
        check_games(Told())


def test_two_actions_with_one_name_are_found() -> None:
    class Shouting(Kuhn):
        actions = Actions("bet", "BET")

    with pytest.raises(ConformanceError, match=r"the name 'bet' of action 0 is also read as .1."):
        check_games(Shouting(), 1)
