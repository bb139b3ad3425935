"""Volunteers of a ladder: machines that play its meetings, and results that do not fit."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import msgspec
import pytest

from cardhub.base.errors import MatchError, RemoteError
from cardhub.lab.ladder.ladder import Ladder
from cardhub.lab.ladder.ladder_file import LadderFile, Meeting, MeetingScores
from cardhub.lab.ladder.volunteer_http import send_to, volunteer_server
from cardhub.lab.ladder.volunteers import Reply, Request, VolunteerDesk, play_for
from cardhub.plugins.registry import PluginRegistry, find_plugins

LEVEL = 0.95


@pytest.fixture(scope="module")
def registry() -> PluginRegistry:
    """Return the installed plugins."""
    return find_plugins()


@pytest.fixture
def ladder(tmp_path: Path, registry: PluginRegistry) -> Ladder:
    """Return a ladder of two bots in Kuhn poker."""
    ladder = Ladder(tmp_path / "ladder", registry)
    ladder.begin("kuhn", 2, {}, blocks=2, seed=4)
    for bot in ("random", "ismcts:1"):
        ladder.add(bot)
    return ladder


@pytest.fixture
def desk(ladder: Ladder, registry: PluginRegistry) -> VolunteerDesk:
    """Return a desk whose volunteers have ten seconds, and whose bots play all games again."""
    return VolunteerDesk(ladder, registry, patience=10, rerun=1)


class _EnoughError(Exception):
    """Ends a volunteer after some meetings."""


def sending(send: Callable[[Request], Reply], meetings: int) -> Callable[[Request], Reply]:
    """Return a function that sends requests until this number of logs has been returned."""
    logs = 0

    def sent(request: Request) -> Reply:
        nonlocal logs
        reply = send(request)
        logs += request.log is not None
        if logs == meetings:
            send(Request(request.worker))  # gives the next meeting up
            raise _EnoughError
        return reply

    return sent


def volunteer(
    send: Callable[[Request], Reply],
    registry: PluginRegistry,
    folder: Path,
    name: str = "anna",
    meetings: int = 2,
) -> None:
    """Play meetings as a volunteer."""
    with pytest.raises(_EnoughError):
        play_for(sending(send, meetings), registry, name, folder)


def test_a_volunteer_plays_meetings_over_http(
    desk: VolunteerDesk, registry: PluginRegistry, tmp_path: Path
) -> None:
    with volunteer_server(desk, "127.0.0.1", 0, "secret") as url:
        volunteer(partial(send_to, url), registry, tmp_path)
        with pytest.raises(RemoteError, match="lacks the secret"):
            send_to(url.replace("secret", "guess"), Request("anna"))
    (row,) = desk.ladder.workers()
    assert (row.name, row.meetings, row.games, row.fit) == ("anna", 2, 8, None)
    assert [row.blocks for row in desk.ladder.rows(LEVEL)] == [4, 4]


def test_only_versions_that_both_machines_have_are_played(
    desk: VolunteerDesk, registry: PluginRegistry, tmp_path: Path
) -> None:
    def with_other_files(request: Request) -> Reply:
        reply = desk.answer(request)
        versions = [msgspec.structs.replace(v, sha256="0") for v in reply.versions[:1]]
        return msgspec.structs.replace(reply, versions=(*versions, *reply.versions[1:]))

    end = play_for(with_other_files, registry, "anna", tmp_path)
    assert end == "the ladder has no two versions that both machines can play"


@pytest.mark.parametrize(
    ("forge", "problem"),
    [
        (
            lambda log: log.replace('"scores":[1,-1]', '"scores":[2,-2]'),
            "the log does not verify: games.jsonl:2: game",
        ),
        (lambda log: "{}\n" + log, "not the log of a match"),
    ],
)
def test_a_forged_log_does_not_count_and_its_meeting_is_played_again(
    desk: VolunteerDesk,
    registry: PluginRegistry,
    tmp_path: Path,
    forge: Callable[[str], str],
    problem: str,
) -> None:
    def forged(request: Request) -> Reply:
        log = request.log and forge(request.log)
        return desk.answer(msgspec.structs.replace(request, log=log))

    assert problem in play_for(forged, registry, "mallory", tmp_path / "mallory")
    assert desk.ladder.counts() == (0, 0)
    volunteer(desk.answer, registry, tmp_path / "anna", meetings=1)
    lines = LadderFile(desk.ladder.folder).read()
    assert [line.number for line in lines if isinstance(line, MeetingScores)] == [0]


def test_a_ladder_does_not_choose_what_a_volunteer_runs(
    desk: VolunteerDesk, registry: PluginRegistry, tmp_path: Path
) -> None:
    desk.ladder.add("cmd:true")
    offered: list[tuple[str, ...] | None] = []

    def choosing_the_program(request: Request) -> Reply:
        offered.append(request.playable)
        reply = desk.answer(request)
        forced = Meeting(0, ("random", "true"))
        return msgspec.structs.replace(reply, meeting=reply.meeting and forced)

    with pytest.raises(RemoteError, match="a bot that this machine does not play"):
        play_for(choosing_the_program, registry, "anna", tmp_path)
    assert offered == [None, ("random", "ismcts-1")]
    desk.answer(Request("anna"))


def test_a_name_is_a_word(desk: VolunteerDesk, registry: PluginRegistry, tmp_path: Path) -> None:
    end = play_for(desk.answer, registry, "an\x1b[2Ja", tmp_path)
    assert end == "a name has 1 to 60 letters, digits, dots and hyphens"


def test_a_meeting_that_is_given_up_is_played_by_another_machine(
    desk: VolunteerDesk, registry: PluginRegistry, tmp_path: Path
) -> None:
    names = tuple(version.name for version in desk.answer(Request("anna")).versions)
    assert desk.answer(Request("anna", names)).meeting is not None
    # A new start gives the meeting up, and one of the two then has it.
    desk.answer(Request("anna"))
    volunteer(desk.answer, registry, tmp_path, name="ben", meetings=2)
    assert {row.name for row in desk.ladder.workers()} == {"ben"}


def add_scores(ladder: Ladder, worker: str, mean: float, meetings: int, rng: Random) -> None:
    """Add meetings in which the first bot wins this share of blocks."""
    file = LadderFile(ladder.folder)
    with file.locked() as lines:
        number = sum(isinstance(line, Meeting) for line in lines)
        names = [version.name for version in ladder.versions()]
        for n in range(number, number + meetings):
            scores = tuple(float(rng.random() < mean) for _ in range(20))
            file.append([Meeting(n, (names[0], names[1])), MeetingScores(n, scores, 40, worker)])


def test_results_of_a_machine_that_do_not_fit_are_shown_and_can_be_left_out(
    ladder: Ladder,
) -> None:
    rng = Random(1)
    for worker, mean in (("anna", 0.4), ("ben", 0.4), ("mallory", 0.75)):
        add_scores(ladder, worker, mean, 5, rng)
    fits = {row.name: row.fits for row in ladder.workers()}
    assert fits["mallory"] is False
    with_all = ladder.rows(LEVEL)
    ladder.set_excluded("mallory", is_excluded=True)
    rows = ladder.workers()
    assert [(row.name, row.fits, row.is_excluded) for row in rows] == [
        ("anna", True, False),
        ("ben", True, False),
        ("mallory", False, True),
    ]
    assert ladder.rows(LEVEL) != with_all
    ladder.set_excluded("mallory", is_excluded=False)
    assert ladder.rows(LEVEL) == with_all
    with pytest.raises(MatchError, match="no worker 'nobody' has played"):
        ladder.set_excluded("nobody", is_excluded=True)


def test_honest_machines_fit_in_all_but_the_expected_share_of_ladders(
    tmp_path: Path, registry: PluginRegistry
) -> None:
    values = []
    for number in range(40):
        ladder = Ladder(tmp_path / str(number), registry)
        ladder.begin("kuhn", 2, {}, blocks=20, seed=number)
        for bot in ("random", "ismcts:1"):
            ladder.add(bot)
        for worker in ("anna", "ben"):
            add_scores(ladder, worker, 0.3, 4, Random(f"{number} {worker}"))
        values.append(ladder.workers()[0].fit)
    shares = [sum(value is not None and value < limit for value in values) for limit in (0.1, 0.5)]
    # 4 and 20 are expected.
    assert shares[0] <= 10
    assert 11 <= shares[1] <= 29
