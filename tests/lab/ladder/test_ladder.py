"""A ladder in a folder that several programs use, and go on with after a restart."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from tests.lab.analysis.conftest import write_log

from cardhub.base.errors import MatchError
from cardhub.lab.ladder.ladder import Ladder
from cardhub.lab.ladder.ladder_file import LadderFile, Meeting, MeetingScores
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.runner import SERIAL
from cardhub.lab.match.task import GameTask
from cardhub.lab.match.verifier import verify
from cardhub.plugins.registry import PluginRegistry, find_plugins

LEVEL = 0.95
VERSIONS, ROUNDS, MEETINGS = 12, 3, 12


@pytest.fixture(scope="module")
def registry() -> PluginRegistry:
    return find_plugins()


@pytest.fixture
def begin(tmp_path: Path, registry: PluginRegistry) -> Callable[[], Ladder]:
    """Return a function that opens the ladder of a test, as each program does."""

    def ladder() -> Ladder:
        ladder = Ladder(tmp_path / "ladder", registry)
        ladder.begin("kuhn", 2, {}, blocks=10, seed=4)
        return ladder

    return ladder


def spec(number: int) -> str:
    """Return the spec of a version, none of which plays in these tests."""
    return f"ismcts:{number + 1}"


def play_invented(match: Match, folder: Path) -> None:
    """Write the log of a match by planted strengths, 60 Elo from one version to the next."""
    strengths = {spec(number): 60 * number for number in range(VERSIONS)}
    elo = {entrant.id: strengths[entrant.use] for entrant in match.entrants}

    def scores(task: GameTask) -> tuple[int, int]:
        first, second = (elo[seat.bot] for seat in task.seats)
        is_won = Random(task.id + task.seed).random() < 1 / (1 + 10 ** ((second - first) / 400))
        return (1, 0) if is_won else (0, 1)

    write_log(match, folder, scores)


def die(match: Match, folder: Path) -> None:
    """Stop in the middle of a meeting."""
    raise KeyboardInterrupt


def add_versions(ladder: Ladder, part: int) -> None:
    """Add a third of the versions."""
    for number in range(VERSIONS * part // ROUNDS, VERSIONS * (part + 1) // ROUNDS):
        ladder.add(spec(number))


def test_versions_that_join_keep_their_ratings_over_restarts_and_programs(
    begin: Callable[[], Ladder],
) -> None:
    """12 versions join in 3 runs of 2 programs, which play at the same time."""
    for part in range(ROUNDS):
        first, second = begin(), begin()
        add_versions(first, part)

        def play_beside(match: Match, folder: Path, other: Ladder = second) -> None:
            assert other.meet(play_invented) is not None
            play_invented(match, folder)

        for _ in range(MEETINGS):
            first.meet(play_beside)
    rows = {row.use: row.elo for row in begin().rows(LEVEL)}
    missed = [
        number
        for number in range(VERSIONS)
        if (elo := rows[spec(number)]).low is not None
        and not elo.low <= 60 * number <= (elo.high or 0.0)
    ]
    assert len(rows) == VERSIONS
    assert missed == []


def test_each_meeting_is_played_once_and_one_that_was_left_is_played_on(
    begin: Callable[[], Ladder],
) -> None:
    add_versions(begin(), 0)
    with pytest.raises(KeyboardInterrupt):
        begin().meet(die)
    programs = [Thread(target=play_some, args=(begin(),)) for _ in range(2)]
    for program in programs:
        program.start()
    for program in programs:
        program.join()
    lines = LadderFile(begin().folder).read()
    chosen = [line.number for line in lines if isinstance(line, Meeting)]
    scored = Counter(line.number for line in lines if isinstance(line, MeetingScores))
    assert chosen == list(range(8))
    assert scored == Counter(chosen)


def play_some(ladder: Ladder) -> None:
    """Play the meetings of one program."""
    for _ in range(4):
        ladder.meet(play_invented)


def test_a_meeting_is_a_match_that_can_be_verified(
    begin: Callable[[], Ladder], registry: PluginRegistry
) -> None:
    ladder = begin()
    assert ladder.play_meeting(SERIAL) is None  # nobody plays yet
    first, again, second = (ladder.add(bot) for bot in ("random", "random", "ismcts:1"))
    assert (first, second.name) == (again, "ismcts-1")
    meeting = ladder.play_meeting(SERIAL)
    assert meeting is not None
    assert meeting.bots == ("random", "ismcts-1")
    assert verify(ladder.folder / "meetings" / "000000", registry, rerun=1).problems == []
    assert ladder.counts() == (1, 20)
    assert [row.blocks for row in ladder.rows(LEVEL)] == [10, 10]


def test_a_changed_bot_plays_only_as_a_new_version(
    tmp_path: Path, begin: Callable[[], Ladder]
) -> None:
    program = tmp_path / "bot.py"
    program.write_text("# first", "utf-8")
    ladder = begin()
    ladder.add("random")
    use = f"cmd:python {program}"
    old = ladder.add(use)
    program.write_text("# second", "utf-8")
    assert {row.name: row.is_playable for row in ladder.rows(LEVEL)} == {
        "random": True,
        old.name: False,
    }
    assert ladder.play_meeting(SERIAL) is None
    new = ladder.add(use)
    assert new.name == f"{old.name}-2"
    assert new.sha256 != old.sha256


def test_another_version_of_the_game_is_not_played(begin: Callable[[], Ladder]) -> None:
    ladder = begin()
    path = ladder.folder / "ladder.jsonl"
    version = ladder.header.version
    path.write_text(path.read_text("utf-8").replace(f'"{version}"', '"0.0"'), "utf-8")
    with pytest.raises(MatchError, match=r"rates version 0\.0 of kuhn"):
        ladder.play_meeting(SERIAL)


def test_another_ladder_or_a_damaged_one_is_refused(
    tmp_path: Path, begin: Callable[[], Ladder], registry: PluginRegistry
) -> None:
    ladder = begin()
    with pytest.raises(MatchError, match="has another ladder"):
        ladder.begin("leduc", 2, {}, blocks=10, seed=4)
    with pytest.raises(MatchError, match="has no ladder\nfix: begin it with --game GAME"):
        _ = Ladder(tmp_path / "none", registry).header
    with (ladder.folder / "ladder.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"type": "meeting", "number": 0, "bots"')  # a line that is being written
    assert ladder.counts() == (0, 0)
    ladder.add("random")
    assert [row.name for row in ladder.rows(LEVEL)] == ["random"]
    with (ladder.folder / "ladder.jsonl").open("a", encoding="utf-8") as file:
        file.write("{}\n")
    with pytest.raises(MatchError, match="fix: restore this file"):
        ladder.counts()
