"""Tuning a bot: a planted optimum, interruptions, and what is refused."""

from pathlib import Path

import pytest

from cardhub.base.errors import MatchError, OptionError
from cardhub.lab.tune.tuning import (
    FILE,
    TunedOption,
    TuneRequest,
    Tuning,
    read_option,
)
from cardhub.plugins.registry import PluginRegistry, find_plugins

GAME, BOT = "leduc", "climber"


@pytest.fixture(scope="module")
def registry() -> PluginRegistry:
    """Return a registry with a bot that can be tuned."""
    return find_plugins([Path(__file__).with_name("entrants")])


def tuning(
    registry: PluginRegistry, folder: Path, games: int, bot: str = BOT, seed: int = 1
) -> Tuning:
    """Return a tuning of both options."""
    options = tuple(read_option(registry, GAME, BOT, name) for name in ("boldness", "memory"))
    return Tuning(TuneRequest(GAME, 2, {}, bot, options, games, seed), folder, registry)


def played(
    registry: PluginRegistry, folder: Path, games: int, workers: int = 1, seed: int = 1
) -> Tuning:
    """Return a tuning with all its games."""
    whole = tuning(registry, folder, games, seed=seed)
    whole.play(workers, lambda: None)
    return whole


def test_a_planted_optimum_is_approached(registry: PluginRegistry, tmp_path: Path) -> None:
    """Both options get nearer to their best values, 80 and 30, and the test is on other deals."""
    done = played(registry, tmp_path, 1000)
    assert done.games == 1000
    assert 65 <= done.values["boldness"] <= 95
    assert 15 <= done.values["memory"] <= 45
    test = done.test(20)
    assert [bot["use"] for bot in test["bots"]] == [
        "climber:boldness={boldness},memory={memory}".format(**done.values),
        "climber:boldness=50,memory=50",
    ]
    assert test["schedule"] == {"blocks": 20}


def test_an_interrupted_tuning_continues_with_the_same_bytes(
    registry: PluginRegistry, tmp_path: Path
) -> None:
    """Any number of workers plays the same games; half a line is written again."""
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    played(registry, whole, 120)

    def interrupt() -> None:
        raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            tuning(registry, broken, 120).play(1, interrupt)
    with (broken / FILE).open("ab") as file:
        file.write(b'{"signs":[1,')
    played(registry, broken, 120, workers=2)
    assert (broken / FILE).read_bytes() == (whole / FILE).read_bytes()


def test_another_seed_has_other_games(registry: PluginRegistry, tmp_path: Path) -> None:
    texts = []
    for seed in (1, 2):
        played(registry, tmp_path / str(seed), 40, seed=seed)
        texts.append((tmp_path / str(seed) / FILE).read_bytes().splitlines()[1:])
    assert texts[0] != texts[1]


def test_a_folder_with_another_tuning_or_a_damaged_one_is_refused(
    registry: PluginRegistry, tmp_path: Path
) -> None:
    played(registry, tmp_path, 20)
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(MatchError, match="the folder has another tuning\nfix: "):
        played(registry, tmp_path, 40)
    (tmp_path / FILE).write_bytes(before.replace(b'"games":20}\n', b'"games":"many"}\n', 2))
    with pytest.raises(MatchError, match=f"{FILE}: Expected `int`"):
        played(registry, tmp_path, 20)


def test_two_tunings_in_one_folder_are_refused(registry: PluginRegistry, tmp_path: Path) -> None:
    def play_beside() -> None:
        with pytest.raises(MatchError, match="another program is tuning in this folder"):
            played(registry, tmp_path, 20)

    tuning(registry, tmp_path, 20).play(1, play_beside)


def test_a_bot_at_fault_ends_the_tuning(registry: PluginRegistry, tmp_path: Path) -> None:
    bad = tuning(registry, tmp_path, 20, bot="climber:memory=7,mood=bad")
    assert bad.request.spec({"memory": 9}) == "climber:mood=bad,memory=9"
    with pytest.raises(MatchError, match="the bot was at fault in "):
        bad.play(1, lambda: None)


def test_an_option_has_a_range(registry: PluginRegistry) -> None:
    assert read_option(registry, GAME, BOT, "memory") == TunedOption("memory", 0, 100, 50)
    assert read_option(registry, GAME, BOT, "memory=60..90") == TunedOption("memory", 60, 90, 60)
    assert read_option(registry, GAME, "climber:memory=7", "memory").start == 7


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("wit", "'wit' is an unknown option"),
        ("mood", "'mood' is not a whole number"),
        ("memory=low", "'low' is not a range"),
        ("memory=9..3", "memory goes from 0 to 100"),
        ("memory=0..101", "memory goes from 0 to 100"),
    ],
)
def test_what_cannot_be_tuned_is_refused(text: str, problem: str, registry: PluginRegistry) -> None:
    with pytest.raises(OptionError, match=problem) as refused:
        read_option(registry, GAME, BOT, text)
    assert "fix: " in str(refused.value)
