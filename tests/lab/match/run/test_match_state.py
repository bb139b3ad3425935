"""The state of a match: the next games, and the end."""

from collections.abc import Callable, Sequence

import pytest
from tests.lab.match.match_files import KUHN_AND_GARGON
from tests.lab.match.results import invented_result

from cardhub.base.errors import MatchError
from cardhub.lab.match.blocks import Block, Games
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.match_state import MatchState
from cardhub.lab.match.task import FaultNote, GameResult, GameTask
from cardhub.plugins.registry import PluginRegistry

CUP = KUHN_AND_GARGON + "    faults: {max: 1}\n"
Start = Callable[..., MatchState]


def made_up(task: GameTask, places: Sequence[int] = (), faulty: Sequence[str] = ()) -> GameResult:
    """Return an invented result."""
    seats = tuple(seat.bot for seat in task.seats)
    notes = [FaultNote(n, bot, "illegal", 0) for n, bot in enumerate(seats) if bot in faulty]
    ranks = tuple(places) or tuple(range(1, len(seats) + 1))
    return invented_result(task, places=ranks, faults=tuple(notes))


def play_all(state: MatchState, faulty: Sequence[str] = (), ahead: int = 1) -> list[GameTask]:
    """Return all games of a course in which some bots are always at fault."""
    played = []
    while tasks := state.upcoming(ahead):
        state.record(made_up(tasks[0], faulty=[s.bot for s in tasks[0].seats if s.bot in faulty]))
        played.append(tasks[0])
    return played


def b_wins_two_of_three(task: GameTask) -> list[int]:
    """Return places by which b is better than c, but does not win all deals."""
    if len(task.seats) > 2 or task.deal % 3 == 0:
        return [1] * len(task.seats)
    return [1 if seat.bot == "b" else 2 for seat in task.seats]


@pytest.fixture
def start(match: Callable[[str], Match], registry: PluginRegistry) -> Start:
    """Return a function that begins the course of CUP, or of another match."""

    def begin(text: str = CUP, **others: object) -> MatchState:
        return MatchState(match(text), Games(match(text)), **others)  # type: ignore[arg-type]  # passed on

    return begin


def test_all_games_come_in_the_order_of_blocks(start: Start) -> None:
    """Three pairs of two games and six seatings, five times."""
    state = start()
    played = play_all(state)
    assert len(played) == 5 * (3 * 2 + 6)
    assert (state.blocks, state.counts.games) == (5 * 4, 60)
    assert state.is_over
    assert state.stop == ""


@pytest.mark.parametrize("faulty", [(), ("b",), ("a", "b")])
@pytest.mark.parametrize("ahead", [3, 100])
def test_the_course_is_the_same_however_far_ahead_one_looks(
    start: Start, ahead: int, faulty: Sequence[str]
) -> None:
    """The order of games and withdrawals is the same."""
    one = [task.id for task in play_all(start(), faulty)]
    assert [task.id for task in play_all(start(), faulty, ahead)] == one


def test_a_game_out_of_place_is_refused(start: Start) -> None:
    """The error names it and the one that is due."""
    state = start()
    first, second = state.upcoming(2)
    with pytest.raises(MatchError, match=f"{second.id} is out of place: game {first.id} comes"):
        state.record(made_up(second))
    play_all(state)
    with pytest.raises(MatchError, match="the match is over"):
        state.record(made_up(first))


def test_a_bot_at_fault_too_often_is_withdrawn(start: Start) -> None:
    state = start()
    played = play_all(state, faulty=("c",))
    assert state.counts.withdrawn == {"c": 4}
    pairs = [task.bots for task in played if task.contest == "kuhn"]
    assert pairs == [("a", "b")] * 2 + [("a", "c")] * 2 + [("a", "b")] * 8
    seats = [seat for task in played if task.contest == "gargon" for seat in task.seats]
    assert len(seats) == 5 * 6 * 3
    assert all(seat.is_absent == (seat.bot == "c") for seat in seats)
    counts = state.counts.rows()
    assert counts["gargon"]["c"].absent == 30
    assert counts["gargon"]["c"].games == 0
    assert counts["kuhn"]["c"].faults == {"illegal": 2}


def test_a_bot_is_withdrawn_by_its_share_of_faults_as_well(start: Start) -> None:
    for after, withdrawn in ((3, {"a": 3}), (5, {"a": 7}), (100, {})):
        state = start(CUP.replace("{max: 1}", f"{{max: 1000, share: 0.5, after: {after}}}"))
        for faulty in (["a"], [], ["a"], ["a"], [], [], ["a"], []):
            (task,) = state.upcoming(1)
            state.record(made_up(task, faulty=[bot for bot in faulty if bot in task.bots]))
        assert state.counts.withdrawn == withdrawn


def test_a_match_ends_when_no_two_bots_are_left(start: Start) -> None:
    """However many blocks there would have been."""
    state = start(CUP.replace("blocks: 5", "blocks: 20000"))
    played = play_all(state, faulty=("a", "b"))
    assert sorted(state.counts.withdrawn) == ["a", "b"]
    assert len(played) < 10
    assert state.is_over


def test_finished_blocks_are_told(start: Start) -> None:
    """Each once, with its games in order."""
    finished: list[tuple[Block, int]] = []
    state = start(on_finished=lambda block, results: finished.append((block, len(results))))
    play_all(state)
    assert [size for _, size in finished[:4]] == [2, 2, 2, 6]
    assert len(set(finished)) == 20


def test_a_test_ends_the_match_at_the_end_of_a_block(start: Start) -> None:
    text = CUP.replace("blocks: 5", "blocks: 500") + "    stop: {sprt: {a: b, b: c, game: kuhn}}\n"
    ends = []
    for ahead in (1, 40):
        state = start(text)
        while tasks := state.upcoming(ahead):
            state.record(made_up(tasks[0], b_wins_two_of_three(tasks[0])))
        assert state.test is not None
        ends.append((state.counts.games, state.blocks, state.test.state(), state.stop))
    assert ends[0] == ends[1]
    assert ends[0][2].verdict == "better"
    assert ends[0][3] == "b against c: better"
    assert ends[0][1] < 2000


def test_a_test_ends_when_one_of_its_bots_is_withdrawn(start: Start) -> None:
    state = start(CUP + "    stop: {sprt: {a: b, b: c, game: kuhn}}\n")
    played = play_all(state, faulty=("c",))
    assert state.stop == "c withdrawn"
    assert state.test is not None
    assert state.test.state().verdict == "undecided"
    assert len(played) == 4
