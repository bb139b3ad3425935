"""Games in words: TextArena's own wrappers and agents play them to their end."""

import sys
from random import Random
from typing import Any

import pytest
from tests.kit.paths import ROOT

from cardhub import textarena as words
from cardhub.base.errors import CardhubError, MissingLibraryError, OptionError
from cardhub.plugins.registry import find_plugins

ta = pytest.importorskip("textarena", reason="textarena is not installed: pip install -e '.[dev]'")
LISTED = "Your legal actions:\n"


def choose(text: str, rng: Random) -> str:
    """Return the answer of a model that reads a text, and likes any legal action."""
    names = text.rpartition(LISTED)[2].partition("\n\n")[0].splitlines()
    name = rng.choice([line[2:] for line in names if line.startswith("- ")])
    return f"I have thought.\n\nFinal answer: {name.rpartition('as in `')[2].rstrip('`')}"


def play(env: Any, players: int, seed: int) -> tuple[Any, list[tuple[int, str]]]:
    """Play a game; return the rewards, and what each player has read at each turn."""
    env.reset(num_players=players, seed=seed)
    rng, done, read = Random(seed), False, []
    while not done:
        player, text = env.get_observation()
        read.append((player, text))
        done, _ = env.step(choose(text, rng))
    rewards, info = env.close()
    assert info[0]["reason"] == "The game is over."
    return rewards, read


@pytest.mark.parametrize("name", ["kuhn", "gamon", "garner", "gargon", "goofspiel", "holdem"])
def test_every_seat_is_played_in_words(name: str) -> None:
    """Equal seeds give equal texts, and the rules are read once."""
    game = find_plugins().game(name)
    seats = game.seats.default
    env = ta.wrappers.LLMObservationWrapper(words.env(name))
    rewards, read = play(env, seats, 3)
    assert rewards.keys() == set(range(seats))
    players = {player for player, _ in read}
    assert players <= set(range(seats))
    for player in players:
        last = [text for number, text in read if number == player][-1]
        assert last.count("# Your part") == 1
        assert f"You are Player {player + 1}." in last
    again = ta.wrappers.LLMObservationWrapper(words.env(name))
    assert play(again, seats, 3) == (rewards, read)


def test_one_player_learns_among_bots() -> None:
    """A game without a seed follows from the seed of the environment."""
    env = ta.wrappers.LLMObservationWrapper(words.env("leduc", rivals=["random"]))
    totals = [play(env, 1, seed)[0][0] for seed in range(6)]
    assert any(totals)
    texts = []
    for _ in range(2):
        env = words.env("leduc", rivals=["rule"], seed=5)
        env.reset(num_players=1)
        texts.append(env.get_observation()[1])
    assert texts[0] == texts[1]


def test_textarena_makes_registered_games() -> None:
    for _ in range(2):
        env = ta.make(words.register("kuhn"), rivals=["random"])
    rewards, _ = play(ta.wrappers.LLMObservationWrapper(env), 1, 4)
    assert rewards.keys() == {0}


def test_an_answer_without_a_legal_action_is_refused_with_its_reason() -> None:
    env = words.env("leduc", tries=2)
    env.reset(num_players=2, seed=1)
    first, _ = env.get_observation()
    assert env.step("Final answer: fold") == (False, {})
    player, messages = env.get_observation()
    assert player == first
    assert messages[-1][1].startswith("You cannot fold") or "no raise" in messages[-1][1]
    done, info = env.step("I pass.")
    assert done
    assert info["reason"]
    rewards, facts = env.close()
    assert rewards == {first: -1.0, 1 - first: 0.0}
    assert facts[first]["invalid_move"]
    with pytest.raises(ValueError, match="call `reset`"):
        env.step("Final answer: check")


def run_program_of_page(number: int) -> dict[str, Any]:
    """Run a program of the page; return its names."""
    page = (ROOT / "docs" / "learning.md").read_text("utf-8")
    names: dict[str, Any] = {}
    exec(  # noqa: S102  # the page's own program
        page.split("```py\n")[number].partition("```")[0], names
    )
    return names


def test_the_program_of_the_page_plays_a_game() -> None:
    assert run_program_of_page(1)["rewards"].keys() == {0}


def test_a_game_that_the_page_registers_is_made_with_its_bots_and_read_as_text() -> None:
    run_program_of_page(2)
    rewards, _ = play(ta.make("mine/leduc"), 1, 4)
    assert rewards.keys() == {0}


def test_without_the_library_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textarena", None)
    with pytest.raises(MissingLibraryError, match=r"fix: pip install '.\[textarena\]'"):
        words.env("kuhn").reset(num_players=2)


def test_players_read_no_words_of_others() -> None:
    """Their answers reach others as actions only."""
    env = words.env("kuhn")
    env.reset(num_players=2, seed=1)
    player, messages = env.get_observation()
    env.step("My card is the queen.\n\nFinal answer: check")
    other, messages = env.get_observation()
    assert other != player
    assert "My card" not in str(messages)
    assert "Player 1 checks" in str(messages)


@pytest.mark.parametrize("wrong", [{"tries": 0}, {"returns": "cash"}, {"rivals": ["nobody"]}])
def test_parameters_are_checked(wrong: dict[str, Any]) -> None:
    with pytest.raises(CardhubError, match=r"cannot be|nobody"):
        words.env("kuhn", **wrong)
    with pytest.raises(OptionError, match="num_players cannot be 3: it is 2"):
        words.env("kuhn").reset(num_players=3)
