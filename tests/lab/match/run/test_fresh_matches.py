"""Whether bots live on from game to game: the rule of a match, from its file to its report."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cardhub.base.errors import MatchError, MatchFileError
from cardhub.lab.match.blocks import Block, Games
from cardhub.lab.match.log.log_reader import fault_path, read_games
from cardhub.lab.match.log.lookup import generator_of, match_in
from cardhub.lab.match.match_spec import Match, could_remember, identity_of
from cardhub.lab.match.run.preflight import with_stated_freshness
from cardhub.lab.match.run.runner import run
from cardhub.lab.match.verifier import verify
from cardhub.plugins.registry import PluginRegistry

HEX = "c0de" * 16
CUP = """
    cardhub_match: 1
    name: cup
    seed: 9
    bots: [{id: a, use: random}, {id: b, use: 'cheat:after=1'}]
    games: [{game: kuhn}]
    schedule: {blocks: 2}
    salt: none
"""
ReadMatch = Callable[[str], Match]


def header(folder: Path) -> dict[str, Any]:
    """Return the match in the first line of a log."""
    line = (folder / "games.jsonl").read_text("utf-8").splitlines()[0]
    match: dict[str, Any] = json.loads(line)["match"]
    return match


def play_as_before(
    match: Match, registry: PluginRegistry, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Play a match as an older cardhub did, whose header does not say that bots are fresh."""
    with monkeypatch.context() as patch:
        patch.setattr("cardhub.lab.match.run.runner.with_stated_freshness", lambda match, *_: match)
        run(match, registry, folder)


@pytest.mark.parametrize(
    ("more", "is_fresh"),
    [("", True), ("fresh: yes", True), ("fresh: no", False), ("isolate: no", False)],
)
def test_the_first_line_says_whether_bots_are_fresh(
    match: ReadMatch, registry: PluginRegistry, more: str, is_fresh: bool
) -> None:
    cup = match(f"{CUP}    {more}\n")
    run(cup, registry, Path("out"))
    assert header(Path("out"))["fresh"] is is_fresh
    assert match_in(Path("out")).fresh is is_fresh


def test_only_a_match_of_cardhubs_own_bots_is_fresh_in_one_process(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    """They forget each game."""
    own = CUP.replace("'cheat:after=1'", "random")
    cup = with_stated_freshness(match(f"{own}    isolate: no\n"), registry, Path("out"))
    assert cup.fresh is True


def test_the_games_of_a_match_without_a_secret_are_the_same(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    logs = []
    for rule in ("yes", "no"):
        run(match(f"{CUP}    fresh: {rule}\n"), registry, Path(rule))
        logs.append((Path(rule) / "games.jsonl").read_text("utf-8").splitlines()[1:])
    assert logs[0] == logs[1]


def test_another_value_is_refused(match: ReadMatch) -> None:
    with pytest.raises(MatchFileError, match=r"fresh must be one of 'yes', 'no', not 'maybe'"):
        match(f"{CUP}    fresh: maybe\n")


def test_fresh_bots_cannot_play_in_the_process_of_the_match(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    cup = match(f"{CUP}    fresh: yes\n    isolate: no\n")
    with pytest.raises(MatchError, match="`isolate: no` and `fresh: yes` are mutually exclusive"):
        run(cup, registry, Path("out"))
    assert not Path("out").exists()


def test_a_match_continues_with_the_rule_that_it_began_with(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    """Unless the file says the opposite: then it is another match."""
    run(match(f"{CUP}    fresh: no\n"), registry, Path("out"))
    longer = CUP.replace("blocks: 2", "blocks: 3")
    run(match(longer), registry, Path("out"))
    assert header(Path("out"))["fresh"] is False
    assert len(list(read_games(Path("out")))) == 6
    with pytest.raises(MatchError, match=r"another match \(see fresh\)"):
        run(match(f"{longer}    fresh: yes\n"), registry, Path("out"))


def test_an_older_match_is_continued_and_verified(
    match: ReadMatch, registry: PluginRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its own rule, and the notes say what its results rest on."""
    salted = CUP.replace("salt: none", f"salt: {HEX}")
    play_as_before(match(salted), registry, Path("out"), monkeypatch)
    assert "fresh" not in header(Path("out"))
    run(match(salted.replace("blocks: 2", "blocks: 3")), registry, Path("out"))
    assert "fresh" not in header(Path("out"))
    checks = verify(Path("out"), registry, rerun=1)
    assert checks.is_fine
    assert checks.played_again == checks.games == 6
    (note,) = checks.notes
    assert note.startswith("an older cardhub began this match: programs, and Python bots")


@pytest.mark.parametrize(
    ("bot", "salt", "fresh", "could"),
    [
        ("random", None, None, False),
        ("random", HEX, None, True),
        ("random", HEX, False, True),
        ("random", HEX, True, False),
        ("cmd:python3 bot.py", None, None, True),
        ("cmd:python3 bot.py", None, True, False),
    ],
)
def test_which_bots_could_remember_an_earlier_game(
    match: ReadMatch, bot: str, salt: str | None, fresh: bool | None, could: bool
) -> None:
    text = CUP.replace("'cheat:after=1'", f"'{bot}'").replace(
        "salt: none", f"salt: {salt or 'none'}"
    )
    assert could_remember(identity_of(replace(match(text), fresh=fresh))) is could


@pytest.mark.parametrize(
    ("salt", "fresh", "differ"), [(HEX, True, True), (HEX, False, False), ("none", True, False)]
)
def test_the_seed_of_a_bot_cannot_identify_the_deal(
    match: ReadMatch, salt: str, fresh: bool, differ: bool
) -> None:
    """It differs in the games of a deal if there is a secret to keep."""
    cup = replace(match(CUP.replace("salt: none", f"salt: {salt}")), fresh=fresh)
    games = Games(cup).of(Block("kuhn", 0, ("a", "b")))
    assert len({game.seed for game in games}) == 1
    seeds = {seat.generator for game in games for seat in game.seats if seat.bot == "a"}
    assert len(seeds) == (len(games) if differ else 1)


def test_the_seed_of_a_bot_at_fault_is_derived_again(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    cup = match(CUP.replace("salt: none", f"salt: {HEX}"))
    run(cup, registry, Path("out"))
    games = Games(match_in(Path("out"))).of(Block("kuhn", 0, ("a", "b")))
    faulty = {game.id: game for _, game in read_games(Path("out")) if game.faults}
    task = next(task for task in games if task.id in faulty)
    (seat,) = faulty[task.id].faulty
    fault = fault_path(Path("out"), task.id, seat)
    assert generator_of(fault) == task.seats[seat].generator
    assert json.loads(fault.read_text("utf-8"))["generator"] == task.seats[seat].generator
