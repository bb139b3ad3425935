"""Verifying a match, and finding single games in it."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from tests.lab.match.conftest import PlayOnce
from tests.lab.match.match_files import KUHN

from cardhub.base.errors import MatchError
from cardhub.lab.analysis import analyse
from cardhub.lab.match.log.log_reader import read_games
from cardhub.lab.match.log.lookup import fault_of, find_game, match_in
from cardhub.lab.match.match_spec import Match, canonical
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.executors import make_executor
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.lab.match.verifier import verify
from cardhub.plugins.registry import PluginRegistry

CUP = """
    cardhub_match: 1
    isolate: no
    name: cup
    seed: 11
    bots:
      - {id: a, use: random}
      - {id: b, use: rule}
      - {id: bad, use: "cheat:after=5"}
    games:
      - {game: gargon, players: 3, seating: rotation}
      - {game: gamon, rules: {coins: 4}}
    schedule: {blocks: 1}
    faults: {max: 10, share: 1}
"""
Edit = Callable[[Callable[[dict[str, Any]], None], int], None]


@pytest.fixture(scope="module")
def original(registry: PluginRegistry, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a match that was played once for all tests."""
    folder = tmp_path_factory.mktemp("original")
    (folder / "cup.yaml").write_text(dedent(CUP), "utf-8")
    run(replace(read_match(folder / "cup.yaml", registry), salt=None), registry, folder / "out")
    return folder / "out"


@pytest.fixture
def played(original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of that folder."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(original, "out")
    return Path("out")


@pytest.fixture
def edit(played: Path) -> Edit:
    """Return a function that changes one line of the log, counted from 1."""

    def change(how: Callable[[dict[str, Any]], None], number: int) -> None:
        path = played / "games.jsonl"
        lines = path.read_text("utf-8").splitlines()
        data = json.loads(lines[number - 1])
        how(data)
        lines[number - 1] = canonical(data)
        path.write_text("\n".join(lines) + "\n", "utf-8")

    return change


def test_nothing_is_wrong_with_a_match_as_it_was_played(
    played: Path, registry: PluginRegistry
) -> None:
    """All games replay; and all come out the same when they are played again."""
    outcome = verify(played, registry, 1.0)
    assert outcome.problems == outcome.notes == []
    assert outcome.games == outcome.played_again == 3 + 6
    part = verify(played, registry, 0.5)
    assert part.is_fine
    assert 0 < part.played_again < 9


def test_workers_play_games_again(play_once: PlayOnce, registry: PluginRegistry) -> None:
    outcome = verify(play_once(KUHN), registry, 1.0, RunOptions(make_executor(2), 4))
    assert outcome.is_fine
    assert outcome.games == outcome.played_again == 20


def test_a_match_without_statistics_is_verified_without_them(
    played: Path, registry: PluginRegistry
) -> None:
    """The parts of a study have none, and `cardhub match verify` reports no problem."""
    outcome = verify(played, registry, 0, RunOptions(analyse=analyse))
    assert outcome.problems == []
    assert [note.split(" has ")[1] for note in outcome.notes] == [
        "no statistics, like the parts of a study"
    ]


def swap(data: dict[str, Any], key: str) -> None:
    """Exchange the first two of a list that differ."""
    values = data[key]
    other = next(n for n, value in enumerate(values) if value != values[0])
    values[0], values[other] = values[other], values[0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: swap(data, "scores"), "scores should be "),
        (lambda data: swap(data, "places"), "places should be "),
        (lambda data: swap(data, "cards"), "cards should be "),
        (lambda data: data["moves"].pop(), "should be "),
        (lambda data: data["moves"].reverse(), "its moves cannot be replayed: "),
        (lambda data: data.update(seed="5"), "seed should be "),
        (lambda data: data.update(seed=5), "seed: expected `str`, got `int`"),
        (lambda data: data.update(steps=5), "steps should be "),
        (lambda data: data.update(end="steps"), "end should be 'over', not 'steps'"),
        (lambda data: swap(data, "seats"), " is not the bot of seat "),
        (lambda data: data["bots"].reverse(), "bots should be "),
        (lambda data: data["faults"].clear(), "places should be "),
        (lambda data: data["faults"][0].update(step=1), "its moves cannot be replayed: "),
        (lambda data: data.update(id="0" * 16), "is out of place"),
        (lambda data: data.pop("moves"), "the line: object missing required field `moves`"),
    ],
)
def test_a_game_that_was_changed_is_found(
    played: Path,
    registry: PluginRegistry,
    edit: Edit,
    change: Callable[[dict[str, Any]], None],
    said: str,
) -> None:
    """Any change is found, with its line; and the result no longer follows."""
    edit(change, 3)
    outcome = verify(played, registry)
    assert any("games.jsonl:3: " in line and said in line for line in outcome.problems)
    assert any("result.json: does not follow" in line for line in outcome.problems)


def test_games_after_a_bad_line_are_counted(
    played: Path, registry: PluginRegistry, edit: Edit
) -> None:
    """The next game follows from all games before it; further bad lines are reported as well."""
    edit(lambda data: data.update(steps=-1), 4)
    edit(lambda data: data.update(steps=True), 6)
    outcome = verify(played, registry)
    assert (outcome.games, outcome.unverified) == (2, 7)
    problems = [line.removeprefix("out/games.jsonl") for line in outcome.problems]
    assert problems[:2] == [
        ":4: steps: expected `int` >= 0",
        ":6: steps: expected `int`, got `bool`",
    ]
    assert problems[2].startswith(": 7 games were not verified: ")


def test_a_log_that_was_written_otherwise_is_found(played: Path, registry: PluginRegistry) -> None:
    """Any other spelling: the same game always gives the same bytes."""
    path = played / "games.jsonl"
    path.write_text(path.read_text().replace('"end":"over"', '"end": "over"', 1))
    assert (
        "the line is not in the format that cardhub writes" in verify(played, registry).problems[0]
    )


def test_a_log_of_more_games_than_the_match_is_told(
    match: Callable[[str], Match], registry: PluginRegistry
) -> None:
    """The number of blocks may grow, but not shrink."""
    run(match(CUP.replace("blocks: 1", "blocks: 2")), registry, Path("out"))
    with pytest.raises(MatchError, match=r"games.jsonl:\d+: .* fewer `blocks` than the log has"):
        run(match(CUP), registry, Path("out"))


def test_a_result_that_was_changed_is_found(played: Path, registry: PluginRegistry) -> None:
    path = played / "result.json"
    path.write_text(path.read_text().replace('"blocks": 4', '"blocks": 5', 1))
    (problem,) = verify(played, registry).problems
    wrong = "out/result.json: does not follow from games.jsonl: blocks should be 4, not 5"
    assert problem == wrong


def counted(match: Match, folder: Path) -> dict[str, Any]:
    """Return statistics: an Analyse."""
    return {"games": [{"elo": 400 / 3, "rank": 1}]}


@pytest.mark.parametrize(
    ("old", "new", "problem", "note"),
    [
        (
            "133.33333333333334",
            "133.3333333333333",
            "",
            "as is usual on other machines: statistics.games[0].elo",
        ),
        ("133.33333333333334", "133.4", "statistics.games[0].elo should be 133.33", ""),
        ('"rank": 1', '"rank": 2', "statistics.games[0].rank should be 1, not 2", ""),
        ('"rank": 1', '"rang": 1', "statistics.games[0].rang should be 'nothing', not 1", ""),
        ('"rank": 1', '"rank":  1', "does not follow from games.jsonl", ""),
        ("133.33333333333334", "null", "elo should be 133.33333333333334, not None", ""),
    ],
)
def test_a_changed_figure_is_found_by_its_name(
    played: Path,
    match: Callable[[str], Match],
    registry: PluginRegistry,
    old: str,
    new: str,
    problem: str,
    note: str,
) -> None:
    """The last digits may differ between machines; all other digits must be equal."""
    how = RunOptions(analyse=counted)
    run(match(CUP), registry, played, how)
    path = played / "result.json"
    path.write_text(path.read_text().replace(old, new, 1))
    outcome = verify(played, registry, options=how)
    for lines, said in ((outcome.problems, problem), (outcome.notes, note)):
        assert len(lines) == bool(said)
        assert all(said in line for line in lines)


def test_a_game_of_other_moves_is_found_by_playing_it_again(
    played: Path, match: Callable[[str], Match], registry: PluginRegistry
) -> None:
    """Replaying does not show who chose a move; a whole match of another bot is legal, too."""
    other = match(CUP.replace("use: random", "use: steady"))
    run(other, registry, Path("other"))
    header, *_ = (played / "games.jsonl").read_text("utf-8").splitlines()
    _, *games = Path("other/games.jsonl").read_text("utf-8").splitlines()
    ids = [json.loads(line)["id"] for line in (played / "games.jsonl").read_text().splitlines()[1:]]
    forged = [
        canonical(json.loads(line) | {"id": own}) for line, own in zip(games, ids, strict=True)
    ]
    (played / "games.jsonl").write_text("\n".join([header, *forged]) + "\n", "utf-8")
    (played / "result.json").unlink()
    assert verify(played, registry).is_fine
    problems = verify(played, registry, 1.0).problems
    assert problems
    assert all(
        "the result differs when the game is played again" in problem for problem in problems
    )


def test_other_versions_are_noted(played: Path, registry: PluginRegistry, edit: Edit) -> None:
    edit(lambda data: data["versions"].update(python="2.7"), 1)
    assert verify(played, registry).notes == [
        "games or bots have other versions here than when the match was played"
    ]


def test_games_that_need_the_clock_are_not_played_again(
    match: Callable[[str], Match], registry: PluginRegistry
) -> None:
    """They are counted, and replayed like the others."""
    run(match(CUP.replace("use: rule", "use: timed")), registry, Path("out"))
    outcome = verify(Path("out"), registry, 1.0)
    assert (outcome.games, outcome.played_again, outcome.left_out) == (9, 2, 7)
    assert outcome.is_fine


def test_a_match_without_result_is_verified_as_far_as_it_goes(
    played: Path, registry: PluginRegistry
) -> None:
    (played / "result.json").unlink()
    lines = (played / "games.jsonl").read_bytes().splitlines(keepends=True)
    (played / "games.jsonl").write_bytes(b"".join(lines[:5]) + b"{torn")
    outcome = verify(played, registry)
    assert (outcome.games, outcome.problems) == (4, [])
    assert outcome.notes == ["there is no result.json: the match was interrupted"]


def test_a_folder_without_a_match_is_an_error(tmp_path: Path, registry: PluginRegistry) -> None:
    with pytest.raises(MatchError, match="No such file"):
        verify(tmp_path, registry)
    (tmp_path / "games.jsonl").write_text("{}\n")
    with pytest.raises(MatchError, match="not the log of a match"):
        verify(tmp_path, registry)


def test_games_are_found_by_the_beginning_of_their_ids(played: Path) -> None:
    """If it is long enough to be one game's."""
    games = [game for _, game in read_games(played)]
    assert find_game(played, games[3].id[:10]) == games[3]
    with pytest.raises(MatchError, match="9 game ids start with ''"):
        find_game(played, "")
    wrong = games[0].id[:-1] + "x"
    with pytest.raises(MatchError, match=f"no game '{wrong}'. Did you mean '{games[0].id}'?"):
        find_game(played, wrong)


def test_the_match_of_a_folder_is_known_without_its_file(
    played: Path, match: Callable[[str], Match]
) -> None:
    assert match_in(played) == replace(match(CUP), fresh=False, isolate="auto")
    (played / "result.json").unlink()
    assert match_in(played).entrants == match(CUP).entrants


def test_faults_are_found_by_game_and_seat(played: Path) -> None:
    games = [game for _, game in read_games(played)]
    faulty = next(game for game in games if game.faults)
    seat = faulty.faults[0].seat
    assert fault_of(played, faulty) == fault_of(played, faulty, seat)
    with pytest.raises(MatchError, match=f"at seat {seat + 1}; the faults were at seat {seat}"):
        fault_of(played, faulty, seat + 1)
    fine = next(game for game in games if not game.faults)
    with pytest.raises(MatchError, match=f"no bot was at fault in game {fine.id}"):
        fault_of(played, fine)
