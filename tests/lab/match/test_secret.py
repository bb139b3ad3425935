"""The secret of a match: deals cannot be predicted, and can be verified afterwards."""

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from cardhub.base.errors import MatchError, MatchFileError
from cardhub.lab.match.blocks import Block, Games
from cardhub.lab.match.log.log_reader import read_games
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.executors import make_executor
from cardhub.lab.match.run.runner import RunOptions, Watcher, replay_log, run
from cardhub.lab.match.secret import SECRET, salt_of
from cardhub.lab.match.task import GameResult, Timing
from cardhub.lab.match.verifier import verify
from cardhub.play.fault_report import ask_again, read_reproduction
from cardhub.plugins.registry import PluginRegistry

CUP = """
    cardhub_match: 1
    name: cup
    seed: 9
    bots: [{id: a, use: random}, {id: b, use: random}]
    games: [{game: leduc}]
    schedule: {blocks: 6}
    salt: drawn
"""
FAULTY = CUP.replace("{id: b, use: random}", "{id: b, use: 'cheat:after=1'}")
HEX = "c0de" * 16
ReadMatch = Callable[[str], Match]
Digests = Callable[[Path], list[str]]


def first_line(folder: Path) -> dict[str, Any]:
    """Return the first line of a match's log."""
    line: dict[str, Any] = json.loads((folder / "games.jsonl").read_text("utf-8").splitlines()[0])
    return line


def result_in(folder: Path) -> dict[str, Any]:
    """Return the content of `result.json`."""
    result: dict[str, Any] = json.loads((folder / "result.json").read_bytes())
    return result


def foretold(cup: Match, folder: Path) -> int:
    """Return the number of blocks whose deal seeds can be derived from this match."""
    games = Games(cup)
    dealt = {result.deal: result.seed for _, result in read_games(folder)}
    known = {deal: games.of(Block("leduc", deal, ("a", "b")))[0].seed for deal in dealt}
    return sum(known[deal] == seed for deal, seed in dealt.items())


class Leaving(Watcher):
    """Presses Ctrl-C after some games, and looks at the folder before."""

    def __init__(self, folder: Path, games: int) -> None:
        self._folder = folder
        self._left = games
        self.mode = 0

    @override
    def game(self, result: GameResult, timing: Timing | None) -> None:
        self._left -= timing is not None
        if not self._left:
            self.mode = (self._folder / SECRET).stat().st_mode & 0o777
            raise KeyboardInterrupt


def leave(cup: Match, registry: PluginRegistry, folder: Path, games: int = 5) -> Leaving:
    """Play a part of a match."""
    watcher = Leaving(folder, games)
    with pytest.raises(KeyboardInterrupt):
        run(cup, registry, folder, RunOptions(watcher=watcher))
    return watcher


def test_without_a_secret_all_deals_follow_from_the_match_file(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    """6 of 6 for a bot that reads it; so it is where all bots are cardhub's own."""
    cup = match(CUP.replace("drawn", "none"))
    run(cup, registry, Path("out"))
    assert foretold(cup, Path("out")) == 6
    assert first_line(Path("out"))["match"]["salt"] is None
    assert result_in(Path("out"))["salt"] is None


def test_with_a_secret_no_deal_follows_from_the_match_file(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    """0 of 6, given the first line of the log as well; and 6 of 6 once it is revealed."""
    cup = match(CUP)
    run(cup, registry, Path("out"))
    published = first_line(Path("out"))["match"]["salt"]
    assert foretold(cup, Path("out")) == 0
    assert foretold(replace(cup, salt=None), Path("out")) == 0
    assert foretold(replace(cup, salt=salt_of(published)), Path("out")) == 0
    revealed = result_in(Path("out"))["salt"]["revealed"]
    assert foretold(replace(cup, salt=salt_of(revealed)), Path("out")) == 6


def test_the_secret_is_committed_to_first_and_revealed_last(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    """Its SHA-256 in the first line, the secret in the result, and no private file left."""
    run(match(CUP), registry, Path("out"))
    revealed = result_in(Path("out"))["salt"]["revealed"]
    assert len(bytes.fromhex(revealed)) == 32
    published = first_line(Path("out"))["match"]["salt"]
    assert hashlib.sha256(bytes.fromhex(revealed)).hexdigest() == published
    assert not (Path("out") / SECRET).exists()
    run(match(CUP), registry, Path("other"))
    assert result_in(Path("other"))["salt"]["revealed"] != revealed


def test_until_then_it_is_in_a_file_of_its_owner_alone(
    match: ReadMatch, registry: PluginRegistry, tmp_path: Path, digests: Digests
) -> None:
    """Nowhere else; and a match that was left goes on with it, to the bytes of one undisturbed."""
    cup, folder = match(CUP), tmp_path / "left"
    watcher = leave(cup, registry, folder)
    assert watcher.mode == 0o600 or os.name == "nt"
    secret = (folder / SECRET).read_text("utf-8").strip()
    others = [path for path in folder.iterdir() if path.name != SECRET]
    assert {path.name for path in others} == {"games.jsonl", "timing.jsonl", "result.json"}
    assert not [path for path in others if secret in path.read_text("utf-8")]
    assert result_in(folder)["salt"]["revealed"] is None
    run(cup, registry, folder)
    run(match(CUP.replace("drawn", secret)), registry, tmp_path / "whole")
    assert digests(folder) == digests(tmp_path / "whole")


def test_the_revealed_secret_gives_the_same_bytes_again(
    match: ReadMatch, registry: PluginRegistry, tmp_path: Path, digests: Digests
) -> None:
    run(match(CUP), registry, tmp_path / "drawn")
    revealed = result_in(tmp_path / "drawn")["salt"]["revealed"]
    again = match(CUP.replace("drawn", revealed))
    run(again, registry, tmp_path / "given", RunOptions(make_executor(2), 8))
    assert digests(tmp_path / "given") == digests(tmp_path / "drawn")
    assert verify(tmp_path / "given", registry, rerun=1).played_again == 12


def test_a_revealed_match_is_verified_with_its_secret(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    """Another secret is found, and so is none."""
    run(match(CUP), registry, Path("out"))
    assert verify(Path("out"), registry).notes == []
    path, result = Path("out/result.json"), result_in(Path("out"))
    for secret, said in (
        (HEX, "games.jsonl:1: the secret in result.json does not have the SHA-256 in this line"),
        (None, "games.jsonl:1: the match is over, but result.json has no secret"),
    ):
        result["salt"]["revealed"] = secret
        path.write_text(json.dumps(result), "utf-8")
        assert said in verify(Path("out"), registry).problems[0]


def test_a_deal_that_does_not_follow_from_the_secret_is_found(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    run(match(CUP.replace("drawn", HEX)), registry, Path("out"))
    other = match(CUP.replace("drawn", "5a" * 32))
    run(other, registry, Path("other"))
    log, foreign = Path("out/games.jsonl"), Path("other/games.jsonl").read_text("utf-8")
    first = log.read_text("utf-8").splitlines(keepends=True)[0]
    log.write_text(first + "".join(foreign.splitlines(keepends=True)[1:]), "utf-8")
    assert "seed should be" in verify(Path("out"), registry).problems[0]


def test_of_an_unfinished_match_it_is_said_what_cannot_be_checked(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    """Other users lack the secret; all other checks are made."""
    leave(match(CUP), registry, Path("out"))
    assert verify(Path("out"), registry, rerun=1).notes == []
    (Path("out") / SECRET).unlink()
    outcome = verify(Path("out"), registry, rerun=1)
    assert outcome.problems == []
    assert (outcome.games, outcome.played_again) == (4, 0)
    state = replay_log(match_in(Path("out")), Games(match(CUP)), Path("out"), Watcher())
    assert state.blocks == 2  # as reports show it
    assert "the secret of the match is unknown here until the match is over" in outcome.notes[0]


def test_a_match_that_has_lost_its_secret_says_how_to_go_on(
    match: ReadMatch, registry: PluginRegistry, tmp_path: Path
) -> None:
    leave(match(CUP.replace("drawn", HEX)), registry, Path("out"))
    (Path("out") / SECRET).unlink()
    with pytest.raises(MatchError, match=r"there is no secret\.hex\nfix: pass it with --salt HEX"):
        run(match(CUP), registry, Path("out"))
    with pytest.raises(MatchError, match=r"out holds another match \(see salt\)"):
        run(match(CUP.replace("drawn", "5a" * 32)), registry, Path("out"))
    run(match(CUP.replace("drawn", HEX)), registry, Path("out"))
    assert result_in(Path("out"))["is_finished"]


@pytest.mark.parametrize("damaged", ["", "c0de", "no secret", "zz" * 32])
def test_a_damaged_secret_is_never_played_with(
    match: ReadMatch, registry: PluginRegistry, damaged: str
) -> None:
    Path("out").mkdir()
    (Path("out") / SECRET).write_text(damaged, "utf-8")
    leave(match(CUP), registry, Path("out"))
    seeds = [result.seed for _, result in read_games(Path("out"))]
    assert all(len(seed) == 32 for seed in seeds)
    (Path("out") / SECRET).write_text(damaged, "utf-8")
    with pytest.raises(MatchError, match="the secret of this match is lost"):
        run(match(CUP), registry, Path("out"))


def test_a_match_made_longer_goes_on_with_its_secret(
    match: ReadMatch, registry: PluginRegistry, tmp_path: Path, digests: Digests
) -> None:
    run(match(CUP), registry, Path("out"))
    longer = CUP.replace("blocks: 6", "blocks: 9")
    run(match(longer), registry, Path("out"))
    revealed = result_in(Path("out"))["salt"]["revealed"]
    run(match(longer.replace("drawn", revealed)), registry, tmp_path / "whole")
    assert digests(Path("out")) == digests(tmp_path / "whole")


def test_a_fault_in_a_match_with_a_secret_can_be_seen_again_by_its_file_alone(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    """No other seed follows from the bot's seed; without a secret it is not shown."""
    cup = match(FAULTY)
    run(cup, registry, Path("out"))
    path = next(Path("out/faults").iterdir())
    kept = read_reproduction(path)
    assert kept.generator
    leduc = registry.game("leduc")
    again = ask_again(leduc, kept, path, lambda rng: registry.make_bot(kept.bot, "leduc", rng))
    assert again.fault is not None
    assert again.changed == 0


@pytest.mark.parametrize(
    ("bots", "is_drawn"),
    [
        ("random rule", False),
        ("random ismcts:iterations=9", False),
        ("random pimc:rollout=steady", True),
        ("random steady", True),
        ("random cmd:cat", True),
    ],
)
def test_by_default_a_secret_is_drawn_where_others_bots_play(
    file: Callable[[str], Path], registry: PluginRegistry, bots: str, is_drawn: bool
) -> None:
    one, other = bots.split()
    text = CUP.replace("    salt: drawn\n", "").replace("leduc", "gamon")
    text = text.replace("a, use: random", f"a, use: {one}")
    path = file(text.replace("b, use: random", f"b, use: '{other}'"))
    assert (read_match(path, registry).salt is not None) == is_drawn


def test_an_invalid_secret_is_refused(
    file: Callable[[str], Path], registry: PluginRegistry
) -> None:
    with pytest.raises(MatchFileError, match="salt must be 'none', 'drawn' or 64 hexadecimal dig"):
        read_match(file(CUP.replace("drawn", "c0de")), registry)
