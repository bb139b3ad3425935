"""The secret of a match: deals cannot be predicted, and can be verified afterwards."""

import hashlib
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from cardhub.base.errors import MatchError, MatchFileError
from cardhub.lab.analysis import analyse
from cardhub.lab.match.blocks import Block, Games
from cardhub.lab.match.log.log_reader import read_games
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.log.run_records import RUNS
from cardhub.lab.match.match_spec import Match, Salt
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.executors import make_executor
from cardhub.lab.match.run.hidden_memory import is_memory_hidden
from cardhub.lab.match.run.run_secrets import RunSecrets, read_key
from cardhub.lab.match.run.runner import SERIAL, RunOptions, Watcher, replay_log, run
from cardhub.lab.match.secret import OLD_SECRET, salt_of, salt_text
from cardhub.lab.match.task import GameResult, Timing
from cardhub.lab.match.verifier import verify
from cardhub.lab.report.report_files import written_result
from cardhub.lab.report.view.overview import warnings_of
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
    """Ends a match with an exception after some games."""

    def __init__(self, games: int, error: BaseException) -> None:
        self._left = games
        self._error = error

    @override
    def game(self, result: GameResult, timing: Timing | None) -> None:
        self._left -= timing is not None
        if not self._left:
            raise self._error


def leave(cup: Match, registry: PluginRegistry, folder: Path, games: int = 5) -> None:
    """Play a part of a match, and interrupt it."""
    watcher = Leaving(games, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        run(cup, registry, folder, RunOptions(watcher=watcher))


def die(
    cup: Match,
    registry: PluginRegistry,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: RunOptions = SERIAL,
    *,
    games: int = 5,
) -> None:
    """Play a part of a match that is killed: its files are those while it runs."""
    watched = replace(options, watcher=Leaving(games, KeyboardInterrupt()))
    with monkeypatch.context() as patch:
        patch.setattr(RunSecrets, "end", lambda *_, **__: None)
        with pytest.raises(KeyboardInterrupt):
            run(cup, registry, folder, watched)
    (folder / "result.json").unlink()


def secrets_in(folder: Path) -> str:
    """Return the secrets of a match that is over, as `--salt` takes them."""
    salt = match_in(folder).salt
    assert salt is not None
    assert salt.is_known
    return salt_text(salt)


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
    """Its SHA-256 in the first line, the secret in the result."""
    run(match(CUP), registry, Path("out"))
    revealed = result_in(Path("out"))["salt"]["revealed"]
    assert len(bytes.fromhex(revealed)) == 32
    published = first_line(Path("out"))["match"]["salt"]
    assert hashlib.sha256(bytes.fromhex(revealed)).hexdigest() == published
    run(match(CUP), registry, Path("other"))
    assert result_in(Path("other"))["salt"]["revealed"] != revealed


def test_until_then_it_is_in_no_file_and_the_rest_is_played_with_a_new_one(
    match: ReadMatch,
    registry: PluginRegistry,
    tmp_path: Path,
    digests: Digests,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A match with both secrets from the start has the same bytes."""
    cup, folder = match(CUP), tmp_path / "left"
    drawn: list[str] = []

    def noted_salt(secret: str) -> Salt:
        drawn.append(secret)
        return salt_of(secret)

    monkeypatch.setattr("cardhub.lab.match.run.run_secrets.salt_of", noted_salt)

    class Looking(Leaving):
        @override
        def game(self, result: GameResult, timing: Timing | None) -> None:
            files = [path.read_text("utf-8") for path in folder.iterdir()]
            assert not [secret for secret in drawn[-1:] for text in files if secret in text]
            super().game(result, timing)

    with pytest.raises(KeyboardInterrupt):
        run(cup, registry, folder, RunOptions(watcher=Looking(5, KeyboardInterrupt())))
    assert result_in(folder)["salt"]["revealed"] is None
    assert verify(folder, registry, rerun=1).notes == []  # no deal follows from it any more
    run(cup, registry, folder, RunOptions(watcher=Looking(99, KeyboardInterrupt())))
    first, second = drawn
    assert secrets_in(folder) == f"{first},2:{second}"
    assert verify(folder, registry, rerun=1).played_again == 12
    given = match(CUP.replace("drawn", secrets_in(folder)))
    run(given, registry, tmp_path / "whole")
    assert digests(folder) == digests(tmp_path / "whole")


def test_a_match_that_was_killed_goes_on_with_a_new_secret(
    match: ReadMatch, registry: PluginRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verification reports that a secret is lost, and no problem."""
    cup, folder = match(CUP), Path("out")
    die(cup, registry, folder, monkeypatch)
    outcome = verify(folder, registry, rerun=1)
    assert (outcome.games, outcome.played_again, outcome.problems) == (4, 0, [])
    assert "until the match is over" in outcome.notes[0]
    die(cup, registry, folder, monkeypatch)
    run(cup, registry, folder)
    outcome = verify(folder, registry, rerun=1)
    assert (outcome.games, outcome.played_again, outcome.problems) == (12, 4, [])
    assert "its secret is lost" in outcome.notes[0]
    assert [row["block"] for row in result_in(folder)["salt"]["later"]] == [2, 4]
    run(cup, registry, folder, RunOptions(analyse=analyse))
    warnings = {warning.title: warning for warning in warnings_of(written_result(folder))}
    assert "its secret is lost, so no command repeats this match" in warnings["Drawn deals"].text


@pytest.mark.parametrize("is_recorded", [True, False])
def test_a_match_that_was_killed_in_its_first_block_is_verified(
    match: ReadMatch,
    registry: PluginRegistry,
    monkeypatch: pytest.MonkeyPatch,
    is_recorded: bool,
) -> None:
    """Its log is still committed to the first secret, also if that was in no other file yet."""
    cup, folder = match(CUP), Path("out")
    die(cup, registry, folder, monkeypatch, games=1)
    if not is_recorded:
        (folder / RUNS).unlink()
    die(cup, registry, folder, monkeypatch, games=1)
    run(cup, registry, folder)
    outcome = verify(folder, registry, rerun=1)
    assert (outcome.games, outcome.played_again, outcome.problems) == (12, 12, [])
    assert [row["block"] for row in result_in(folder)["salt"]["later"]] == [0, 0]


def test_with_the_key_of_the_operator_a_killed_match_goes_on_with_its_secret(
    match: ReadMatch,
    registry: PluginRegistry,
    tmp_path: Path,
    digests: Digests,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cup, folder = match(CUP), tmp_path / "left"
    keyed = RunOptions(key=read_key(HEX))
    die(cup, registry, folder, monkeypatch, keyed)
    leave_by_key = replace(keyed, watcher=Leaving(2, KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        run(cup, registry, folder, leave_by_key)
    assert HEX not in (folder / RUNS).read_text("utf-8")
    assert match_in(folder).has_unknown_secret  # it is still needed
    run(cup, registry, folder, keyed)
    run(match(CUP.replace("drawn", secrets_in(folder))), registry, tmp_path / "whole")
    assert digests(folder) == digests(tmp_path / "whole")
    run(cup, registry, tmp_path / "other", keyed)
    assert secrets_in(tmp_path / "other") != secrets_in(folder)


def test_a_block_that_was_cut_is_played_anew(
    match: ReadMatch, registry: PluginRegistry, tmp_path: Path
) -> None:
    """Its games have one deal, so a new secret is not for half of it."""
    leave(match(CUP), registry, Path("out"))
    log = Path("out/games.jsonl")
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    run(match(CUP), registry, Path("out"))
    assert verify(Path("out"), registry, rerun=1).played_again == 12
    (change,) = result_in(Path("out"))["salt"]["later"]
    assert change["block"] == 1


def test_a_match_of_an_older_cardhub_goes_on_and_is_verified(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    """It kept its secret in a file, which is removed."""
    leave(match(CUP), registry, Path("out"))
    secret = secrets_in(Path("out"))
    (Path("out") / RUNS).unlink()
    (Path("out") / OLD_SECRET).write_text(f"{secret}\n", "utf-8")
    assert verify(Path("out"), registry, rerun=1).notes == []
    run(match(CUP), registry, Path("out"))
    assert verify(Path("out"), registry, rerun=1).played_again == 12
    assert not (Path("out") / OLD_SECRET).exists()
    assert secrets_in(Path("out")).startswith(f"{secret},2:")


def test_the_memory_of_a_match_is_hidden_while_it_runs(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    class Looking(Watcher):
        is_hidden = False

        @override
        def game(self, result: GameResult, timing: Timing | None) -> None:
            self.is_hidden = is_memory_hidden()

    watcher = Looking()
    run(match(CUP), registry, Path("out"), RunOptions(watcher=watcher))
    assert watcher.is_hidden == (sys.platform == "linux")
    assert not is_memory_hidden()


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
    (Path("out") / RUNS).unlink()
    assert verify(Path("out"), registry).notes == []  # the result has it, too
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


def test_an_unfinished_match_is_replayed_without_its_secret(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    leave(match(CUP), registry, Path("out"))
    (Path("out") / RUNS).unlink()
    state = replay_log(match_in(Path("out")), Games(match(CUP)), Path("out"), Watcher())
    assert state.blocks == 2  # as reports show it


def test_a_match_with_another_secret_is_another_match(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    leave(match(CUP.replace("drawn", HEX)), registry, Path("out"))
    with pytest.raises(MatchError, match=r"out holds another match \(see salt\)"):
        run(match(CUP.replace("drawn", "5a" * 32)), registry, Path("out"))
    run(match(CUP), registry, Path("out"))  # a drawn one goes on where it left off
    assert result_in(Path("out"))["is_finished"]


def test_a_damaged_record_of_runs_is_named(match: ReadMatch, registry: PluginRegistry) -> None:
    leave(match(CUP), registry, Path("out"))
    (Path("out") / RUNS).write_text("c0de", "utf-8")
    with pytest.raises(MatchError, match=r"runs\.json: .*\nfix: restore this file"):
        run(match(CUP), registry, Path("out"))


@pytest.mark.parametrize("text", ["", "c0de", "zz" * 32, HEX + "00"])
def test_an_invalid_key_is_refused(text: str) -> None:
    with pytest.raises(MatchError, match="the file has no key of 64 hexadecimal digits"):
        read_key(text)


def test_a_match_made_longer_gets_a_new_secret(
    match: ReadMatch, registry: PluginRegistry, tmp_path: Path, digests: Digests
) -> None:
    """Its first one has been revealed."""
    run(match(CUP), registry, Path("out"))
    first = secrets_in(Path("out"))
    longer = CUP.replace("blocks: 6", "blocks: 9")
    run(match(longer), registry, Path("out"))
    assert secrets_in(Path("out")).startswith(f"{first},6:")
    run(match(longer.replace("drawn", secrets_in(Path("out")))), registry, tmp_path / "whole")
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
