"""Whole matches: the same bytes however they are played, broken off and continued."""

import json
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.kit.paths import ROOT
from typing_extensions import override

from cardhub.base.errors import MatchError
from cardhub.lab.analysis import analyse
from cardhub.lab.match.blocks import Block
from cardhub.lab.match.log.log_reader import read_games
from cardhub.lab.match.log.log_writer import reserved
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.executors import make_executor
from cardhub.lab.match.run.match_state import MatchState
from cardhub.lab.match.run.runner import SERIAL, RunOptions, Watcher, run
from cardhub.lab.match.task import GameResult, Timing
from cardhub.plugins.registry import PluginRegistry

CUP = """
    cardhub_match: 1
    isolate: no
    name: cup
    seed: 12
    bots:
      - {id: a, use: random}
      - {id: b, use: steady}
      - {id: bad, use: "cheat:after=2"}
    games:
      - {game: kuhn, score: rank}
      - {game: leduc, rules: {}, score: rank}
      - {game: gargon, players: 3, seating: rotation}
    schedule: {blocks: BLOCKS}
    faults: {max: 1}
"""
GARGON = next(line for line in CUP.splitlines(keepends=True) if "gargon" in line)
TEST = "    stop: {sprt: {a: b, b: a, game: leduc, nelo: [0, NELO]}}\n"
ReadMatch = Callable[[str], Match]
Digests = Callable[[Path], list[str]]
PlayOnce = Callable[..., Path]


def cup(blocks: int) -> str:
    """Return a match file with two-player games, one for three, and a bot that is withdrawn."""
    return CUP.replace("BLOCKS", str(blocks))


def with_test(blocks: int, nelo: int = 200) -> str:
    """Return a match file with quick games that a test ends."""
    return cup(blocks).replace(GARGON, "") + TEST.replace("NELO", str(nelo))


def lines_of(folder: Path) -> list[str]:
    """Return the lines of the log of a match."""
    return (folder / "games.jsonl").read_text("utf-8").splitlines()


class Shuffled(Executor):
    """Finishes games in a random order, the last submitted rather early."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._waiting: list[tuple[Future[Any], Callable[[], Any]]] = []

    @override
    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        # Games are finished when enough of them wait.
        future: Future[Any] = Future()
        self._waiting.append((future, lambda: fn(*args, **kwargs)))
        self._rng.shuffle(self._waiting)
        while len(self._waiting) > 3:
            self.finish_one()
        return future

    def finish_one(self) -> None:
        """Play some game."""
        if self._waiting:
            future, call = self._waiting.pop()
            if future.set_running_or_notify_cancel():
                future.set_result(call())


def shuffled(number: int) -> RunOptions:
    """Return a way to run a match in which games finish in another order."""
    executor = Shuffled(Random(number))

    class Impatient(Watcher):
        def wait(self) -> None:
            """Finish one game while the match waits."""
            executor.finish_one()

    return RunOptions(lambda: executor, 9, Impatient())


@pytest.mark.parametrize("is_tested", [False, True])
def test_the_same_bytes_on_several_workers_and_in_any_order_of_finishing(
    match: ReadMatch, registry: PluginRegistry, tmp_path: Path, digests: Digests, is_tested: bool
) -> None:
    """Log and result, with a bot withdrawn and a test that stops it; in any order of finishing."""
    small = match(with_test(200) if is_tested else cup(6))
    ways = {"one": SERIAL, "shuffled": shuffled(1)}
    if not is_tested:  # a pool costs more than all games, and the test is the same in its order
        ways["two"] = RunOptions(make_executor(2), 8)
    states = {name: run(small, registry, tmp_path / name, how) for name, how in ways.items()}
    expected = digests(tmp_path / "one")
    assert [digests(tmp_path / name) for name in ways] == [expected] * len(ways)
    assert states["one"].counts.withdrawn
    assert is_tested == bool(states["one"].stop)


def test_results_do_not_depend_on_who_else_plays(play_once: PlayOnce) -> None:
    out = play_once(cup(1))
    keys = {key for line in lines_of(out)[1:] for key in json.loads(line)}
    assert keys == {
        *("absent", "bots", "cards", "deal", "end", "faults", "game", "id", "moves", "places"),
        *("scores", "seats", "seed", "steps", "vary"),
    }
    timing = [json.loads(line) for line in (out / "timing.jsonl").read_text().splitlines()]
    ids = [json.loads(line)["id"] for line in lines_of(out)[1:]]
    assert [line["id"] for line in timing] == ids
    assert all(line["seconds"] > 0 for line in timing)


def test_a_finished_match_is_made_longer_by_more_blocks(
    match: ReadMatch, registry: PluginRegistry, digests: Digests, play_once: PlayOnce
) -> None:
    """The result equals the result of a match with this length from the start."""
    grown = play_once(cup(2), copied_to=Path("grown"))
    before = lines_of(grown)
    run(match(cup(3)), registry, grown)
    assert lines_of(grown)[: len(before)] == before
    assert digests(grown) == digests(play_once(cup(3)))


def test_a_finished_match_stays_as_it_is(
    match: ReadMatch, registry: PluginRegistry, digests: Digests, play_once: PlayOnce
) -> None:
    play_once(cup(2), copied_to=Path("out"))
    before, timing = digests(Path("out")), Path("out/timing.jsonl").read_bytes()
    run(match(cup(2)), registry, Path("out"))
    assert digests(Path("out")) == before
    assert Path("out/timing.jsonl").read_bytes() == timing


def test_half_a_block_is_finished(
    match: ReadMatch,
    registry: PluginRegistry,
    tmp_path: Path,
    digests: Digests,
    play_once: PlayOnce,
) -> None:
    whole = play_once(cup(3))
    data = (whole / "games.jsonl").read_bytes()
    ends = [n for n, byte in enumerate(data) if byte == ord("\n")]
    for number, size in enumerate((ends[0] - 20, ends[0] + 1, ends[4] + 30, ends[-3] + 1)):
        folder = tmp_path / f"cut{number}"
        folder.mkdir()
        (folder / "games.jsonl").write_bytes(data[:size])
        run(match(cup(3)), registry, folder)
        assert digests(folder) == digests(whole)


def test_games_played_past_the_stop_are_kept_apart(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    state = run(match(with_test(200)), registry, Path("out"), shuffled(2))
    assert state.stop.startswith("b against a: ")
    kept = [json.loads(line) for line in Path("out/after_stop.jsonl").read_text().splitlines()]
    assert kept
    assert all(line["after_stop"] for line in kept)
    counted = {json.loads(line).get("id") for line in lines_of(Path("out"))}
    late = [line for line in kept if line["id"] not in counted]
    assert late


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("seed: 12", "seed: 13", r"out holds another match \(see seed\): choose another folder"),
        ("use: random", "use: steady", r"out holds another match \(see bots\)"),
        ("rotation", "balanced", r"out holds another match \(see games\)"),
        ("max: 1", "max: 2", r"out holds another match \(see faults \(most\)\)"),
    ],
)
def test_the_folder_of_another_match_is_refused(
    match: ReadMatch,
    registry: PluginRegistry,
    play_once: PlayOnce,
    old: str,
    new: str,
    said: str,
) -> None:
    """The error names the difference; no file is written."""
    play_once(cup(1), copied_to=Path("out"))
    before = lines_of(Path("out"))
    with pytest.raises(MatchError, match=said):
        run(match(cup(1).replace(old, new)), registry, Path("out"))
    assert lines_of(Path("out")) == before


def test_a_match_does_not_go_on_with_other_versions(
    match: ReadMatch, registry: PluginRegistry, tmp_path: Path
) -> None:
    """A program that was changed in between plays another game."""
    program = tmp_path / "bot.py"
    program.write_text((ROOT / "examples/bots/simple_bot.py").read_text())
    text = cup(1).replace("use: random", f'use: "cmd:{sys.executable} {program}"')
    run(match(text), registry, Path("out"))
    program.write_text(program.read_text() + "\n# changed\n")
    said = r"bots \(a\) changed since this match began in out: its games would not be comparable"
    with pytest.raises(MatchError, match=said):
        run(match(text), registry, Path("out"))


def test_files_of_others_are_not_overwritten(match: ReadMatch, registry: PluginRegistry) -> None:
    folder = Path("out")
    folder.mkdir()
    (folder / "result.json").write_text("precious")
    with pytest.raises(MatchError, match="does not overwrite files"):
        run(match(cup(1)), registry, folder)
    (folder / "games.jsonl").write_text("precious")
    with pytest.raises(MatchError, match="not the log of a match"):
        run(match(cup(1)), registry, folder)
    assert [path.read_text() for path in folder.iterdir()] == ["precious"] * 2


def test_a_log_that_was_edited_is_refused(
    match: ReadMatch, registry: PluginRegistry, play_once: PlayOnce
) -> None:
    play_once(cup(1), copied_to=Path("out"))
    lines = lines_of(Path("out"))
    for damage, said in (
        ([*lines[:3], *lines[4:]], r"games.jsonl:4: game \w+ is out of place: game \w+ comes"),
        (
            [*lines[:3], "{}", *lines[4:]],
            r"games.jsonl:4: the line: object missing required field `id`",
        ),
        ([*lines, lines[-1]], r"is out of place: the match is over"),
    ):
        Path("out/games.jsonl").write_text("\n".join(damage) + "\n", "utf-8")
        with pytest.raises(MatchError, match=said):
            run(match(cup(1)), registry, Path("out"))


@pytest.mark.skipif(sys.platform == "win32", reason="there is nothing to lock with")
def test_two_runners_do_not_share_a_folder(
    match: ReadMatch, registry: PluginRegistry, play_once: PlayOnce
) -> None:
    play_once(cup(1), copied_to=Path("out"))
    with (
        reserved(Path("out")),
        pytest.raises(MatchError, match="this match is being played by another program"),
    ):
        run(match(cup(1)), registry, Path("out"))


class Stopping(Watcher):
    """Watches a match, and presses Ctrl-C after some games."""

    def __init__(self, games: int) -> None:
        self._left = games
        self.games: list[str] = []
        self.old = 0
        self.blocks: list[Block] = []
        self.states: list[MatchState] = []

    @override
    def begin(self, state: MatchState) -> None:
        self.states.append(state)

    @override
    def block(self, block: Block, results: Sequence[GameResult]) -> None:
        self.blocks.append(block)

    @override
    def game(self, result: GameResult, timing: Timing | None) -> None:
        self.games.append(result.id)
        self.old += timing is None
        self._left -= timing is not None
        if self._left == 0:
            raise KeyboardInterrupt


def test_ctrl_c_leaves_what_was_played(
    match: ReadMatch, registry: PluginRegistry, digests: Digests, play_once: PlayOnce
) -> None:
    small, first, second = match(cup(3)), Stopping(7), Stopping(1000)
    with pytest.raises(KeyboardInterrupt):
        run(small, registry, Path("out"), RunOptions(watcher=first))
    result = json.loads(Path("out/result.json").read_bytes())
    assert (result["games"], result["is_finished"]) == (6, False)
    run(small, registry, Path("out"), RunOptions(watcher=second))
    assert digests(Path("out")) == digests(play_once(cup(3)))
    played = [result.id for _, result in read_games(Path("out"))]
    assert (first.games, second.games, second.old) == (played[:7], played, 6)
    assert len(second.blocks) == second.states[0].blocks


def test_the_result_counts_games_points_and_faults(play_once: PlayOnce) -> None:
    out = play_once(cup(2))
    result = json.loads((out / "result.json").read_bytes())
    games = [result for _, result in read_games(out)]
    assert result["games"] == len(games)
    kuhn = result["counts"]["kuhn"]
    assert sum(bot["games"] for bot in kuhn.values()) == 2 * sum(
        game.contest == "kuhn" for game in games
    )
    won = sum(bot["score"] for bot in kuhn.values())
    assert won == sum(game.contest == "kuhn" for game in games)
    assert sum(seat["score"] for seat in kuhn["a"]["seats"]) == kuhn["a"]["score"]
    assert set(result["counts"]["gargon"]["bad"]["faults"]) == {"illegal"}
    assert result["is_finished"] is result["is_reproducible"] is True
    assert len(result["games_sha256"]) == len(result["spec_sha256"]) == 64
    assert result["versions"]["bots"].keys() == {"a", "b", "bad"}
    assert result["statistics"] == {}


def test_statistics_are_merged_into_the_result(
    match: ReadMatch, registry: PluginRegistry, play_once: PlayOnce
) -> None:
    """Statistics derived from the match and its log follow the counts."""

    def analyse(small: Match, folder: Path) -> dict[str, int]:
        return {small.name: sum(1 for _ in read_games(folder))}

    play_once(cup(1), copied_to=Path("out"))
    run(match(cup(1)), registry, Path("out"), RunOptions(analyse=analyse))
    result = json.loads(Path("out/result.json").read_bytes())
    assert result["statistics"] == {"cup": result["games"]}


def test_a_match_with_a_secret_does_not_follow_from_its_seed_alone(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    run(match(cup(1) + "    salt: drawn\n"), registry, Path("out"))
    result = json.loads(Path("out/result.json").read_bytes())
    assert result["salt"]["revealed"]
    assert (result["is_reproducible"], result["not_reproducible"]) == (False, [])


def test_bots_that_need_the_clock_make_a_match_not_reproducible(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    run(match(cup(1).replace("use: steady", "use: timed")), registry, Path("out"))
    result = json.loads(Path("out/result.json").read_bytes())
    assert (result["is_reproducible"], result["not_reproducible"]) == (False, ["b"])


def test_a_race_is_the_same_in_any_order_of_finishing(
    match: ReadMatch, registry: PluginRegistry, tmp_path: Path, digests: Digests
) -> None:
    text = cup(1).replace("{blocks: 1}", "{mode: racing, blocks: 60, batch: 3, level: 0.5}")
    small = match(text.replace(GARGON, "").replace('"cheat:after=2"', "first"))
    run(small, registry, tmp_path / "one")
    run(small, registry, tmp_path / "shuffled", shuffled(3))
    assert digests(tmp_path / "shuffled") == digests(tmp_path / "one")


LEDUC = """
    cardhub_match: 1
    name: leduc
    seed: 7
    bots:
      - {id: solved, use: "cfr:iterations=50"}
      - {id: search, use: "ismcts:5"}
      - {id: random, use: random}
    games: [{game: leduc}]
    schedule: {mode: gauntlet, challengers: [solved], blocks: 60}
    rating: {bootstrap: 100}
    isolate: no
"""


def statistics_of(cup: Match, registry: PluginRegistry) -> dict[str, Any]:
    """Play a match of one game and return its statistics."""
    run(cup, registry, folder := Path("out"), RunOptions(analyse=analyse))
    result: dict[str, Any] = msgspec.json.decode((folder / "result.json").read_bytes())
    (game,) = result["statistics"]["games"]
    return dict(game)


@pytest.mark.soak("a shorter match has the same order, but is not certain of it")
def test_near_perfect_play_is_certain_to_be_best_in_leduc_poker(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    text = LEDUC.replace("iterations=50", "iterations=200").replace("blocks: 60", "blocks: 200")
    game = statistics_of(match(text), registry)
    assert game["bots"][0]["bot"] == "solved"
    assert game["bots"][0]["worst"] == 1
    assert [row["verdict"] for row in game["pairs"]] == ["better", "better"]


def test_near_perfect_play_comes_first_in_leduc_poker(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    game = statistics_of(match(LEDUC), registry)
    assert [row["bot"] for row in game["bots"]] == ["solved", "search", "random"]
    # By places the order is another one: search wins more games, and smaller pots.
    elo = {row["bot"]: row["elo"]["value"] for row in game["bots"]}
    assert elo["search"] > elo["solved"]
