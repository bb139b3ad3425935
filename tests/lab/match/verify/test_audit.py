"""Blocks cancel the luck of deal and seats: a bot against itself scores exactly 1/2."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from cardhub.lab.match import verifier as match_checks
from cardhub.lab.match.blocks import Block, Games
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.playing import play
from cardhub.lab.match.seat_scores import PairScore, seat_scores
from cardhub.lab.match.verifier import self_play_audit
from cardhub.plugins.registry import PluginRegistry

CUP = """
    cardhub_match: 1
    name: cup
    seed: 3
    bots:
      - {id: a, use: steady}
      - {id: b, use: steady}
      - {id: c, use: steady}
    games:
      - {game: kuhn}
      - {game: pig, rules: {target: 30}}
      - {game: goofspiel, id: trio, players: 3, seating: SEATING}
      - {game: gargon, id: pairs, players: 4, seating: SEATING, fill: mirror}
      - {game: gargon, id: filled, players: 4, seating: SEATING, fill: [c]}
      - {game: gamon, rules: {coins: 6}, mirror: {first_attacker: [navy, pirate]}}
"""


# Without the long games.
SHORT = "".join(line for line in CUP.splitlines(keepends=True) if "4" not in line)


@pytest.mark.parametrize("seating", ["rotation", "balanced"])
def test_every_block_of_a_bot_against_itself_is_even(
    match: Callable[[str], Match], registry: PluginRegistry, seating: str
) -> None:
    cup = match(CUP.replace("SEATING", seating))
    games = Games(cup, registry.directories)
    for contest in cup.contests:
        bots = ("a", "b", "c") if contest.id == "trio" else ("a", "b")
        for deal in range(3 if contest.players == 2 else 1):
            score = PairScore("a", "b", replace(contest, score="rank"))
            gained: dict[str, list[Fraction]] = {}
            for task in games.of(Block(contest.id, deal, bots)):
                result = play(task).result
                score.add(result)
                for bot, scores in zip(
                    result.seats, seat_scores(result.places, "rank"), strict=True
                ):
                    gained.setdefault(bot, []).append(scores)
            means = {bot: sum(scores) / len(scores) for bot, scores in gained.items()}
            assert set(means.values()) == {Fraction(1, 2)}, contest.id
            if contest.players == 2 or contest.fill == "mirror":
                assert score.value == 0.5, contest.id


def test_the_audit_finds_nothing_in_a_sound_match(
    match: Callable[[str], Match], registry: PluginRegistry
) -> None:
    problems = self_play_audit(match(CUP.replace("SEATING", "balanced")), registry)
    assert list(problems) == ["kuhn", "pig", "trio", "pairs", "filled", "gamon"]
    assert set(problems.values()) == {""}


def test_the_audit_finds_deals_that_differ(
    match: Callable[[str], Match], registry: PluginRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a seed leaked from one seat to another, say."""
    cup = match(SHORT.replace("SEATING", "balanced"))
    numbers = iter(range(1000))
    monkeypatch.setattr(match_checks, "play", lambda task: play(replace(task, seed=next(numbers))))
    assert self_play_audit(cup, registry)["trio"] == (
        "deal 0 is not the same in all games of its block"
    )


def test_the_audit_finds_scores_that_are_not_even(
    match: Callable[[str], Match], registry: PluginRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = match(SHORT.replace("SEATING", "balanced"))
    monkeypatch.setattr(match_checks, "FAIR", Fraction(1, 3))
    assert "scores 1/2 against itself in block 0" in self_play_audit(cup, registry)["pig"]


def test_there_is_a_probe(registry: PluginRegistry) -> None:
    """It plays every game, and draws from its generator alone."""
    assert registry.settings_of(match_checks.PROBE, "gargon") == {}
    assert Path(match_checks.__file__).exists()
