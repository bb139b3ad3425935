"""The workbench of a game whose files change."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.kit.waiting import wait_until

from cardhub.base.errors import RecordError
from cardhub.plugins.registry import find_plugins
from cardhub.testing.workbench.bench_messages import Look, NewDeal, PlayOn
from cardhub.testing.workbench.workbench import (
    BenchState,
    OpenFinding,
    OpenPosition,
    SavePosition,
    Workbench,
)

GAME = '''
"""Highest: both players draw, and the higher card wins."""

from pathlib import Path

from cardhub import OVER, Actions, Game, Seats, State, load_cards, per_seat, shared


class Table(State):
    stack = shared(faces="nobody")
    drawn = per_seat(faces="all")


class Draw(Game[Table]):
    """Draw the higher card."""

    name, title, seats = "draw", "Draw", Seats(2)
    cards = load_cards(Path(__file__).with_name("draw_cards.yaml"))
    actions, state_type = Actions("draw"), Table

    def deal(self, state: Table) -> None:
        state.put_all(range(8), state.stack)

    def legal(self, state: Table) -> list[int]:
        return [0]

    def apply(self, state: Table, action: int) -> None:
        print("Anna draws" if state.seat == 0 else "Bob draws")
        state.put(state.stack.pop(), state.drawn, state.seat)
        state.seat = 1 - state.seat if len(state.stack) > 4 else OVER

    def scores(self, state: Table) -> list[int]:
        return [len(drawn) for drawn in state.drawn]
'''


@pytest.fixture
def game_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of a game in a folder of plugins."""
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path / "home"))
    path = tmp_path / "plugins" / "draw.py"
    path.parent.mkdir()
    cards = "".join(f"  - {{name: C{value}}}\n" for value in range(1, 9))
    path.with_name("draw_cards.yaml").write_text(f"cards:\n{cards}")
    path.write_text(GAME)
    return path


@pytest.fixture
def bench(game_file: Path) -> Iterator[Workbench]:
    """Return the workbench of the game, which does not look at its files by itself."""
    declared = find_plugins([game_file.parent]).games()["draw"]
    source = declared.source()
    assert source == game_file
    workbench = Workbench([game_file.parent], "draw", source, check_seconds=0)
    yield workbench
    workbench.close()


def state_of(bench: Workbench) -> BenchState:
    return bench.wait(-1, 0)


def actions_of(bench: Workbench) -> list[str]:
    shown = state_of(bench).shown
    assert shown is not None
    return [f"{stop.name} {stop.action}" for stop in shown.stops[1:]]


def test_a_position_survives_changes_of_the_rules_and_mistakes_in_them(
    bench: Workbench, game_file: Path
) -> None:
    state = bench.begin(NewDeal(0, {}, 1))
    assert not state.faults
    bench.run(PlayOn(2))
    assert actions_of(bench) == ["Anna draw", "Bob draw"]
    assert state_of(bench).printed.count("draws") >= 2
    bench.run(SavePosition("two draws"))
    assert state_of(bench).saved == ("two draws",)

    game_file.write_text(GAME.replace("state.seat = 1 - state.seat if", "state.seat = 1 - if"))
    bench.reload()
    (fault,) = state_of(bench).faults
    assert "SyntaxError" in fault.text
    assert "draw.py:30" in fault.text
    assert actions_of(bench) == ["Anna draw", "Bob draw"]  # as they were

    game_file.write_text(
        GAME.replace('title, seats = "draw", "Draw"', 'title, seats = "draw", "Two"')
    )
    bench.reload()
    state = state_of(bench)
    assert (state.faults, state.reloads) == ((), 2)
    assert state.shown is not None
    assert state.shown.title == "Two"
    assert actions_of(bench) == ["Anna draw", "Bob draw"]

    bench.run(PlayOn(100))
    assert actions_of(bench)[2:] == ["Anna draw", "Bob draw", " end"]
    bench.run(OpenPosition("two draws"))
    assert actions_of(bench) == ["Anna draw", "Bob draw"]
    with pytest.raises(RecordError, match=r"nothing\.jsonl cannot be read"):
        bench.run(OpenPosition("nothing"))
    with pytest.raises(RecordError, match="begins with a letter or digit"):
        bench.run(SavePosition("../two draws"))


def test_the_position_of_a_failed_check_opens(game_file: Path) -> None:
    game_file.write_text(GAME.replace("return [len(drawn)", "return [state.stack[9] + len(drawn)"))
    bench = Workbench([game_file.parent], "draw", game_file, check_seconds=2)
    try:
        bench.begin(NewDeal(0, {}, 1))

        def has_ended() -> bool:
            checked = state_of(bench).checked
            return checked is not None and checked.state != "running"

        wait_until(has_ended)
        checked = state_of(bench).checked
        assert checked is not None
        assert checked.state == "failed"
        finding = next(finding for finding in checked.findings if finding.record)
        assert finding.fault.lines[0].file == str(game_file)
        bench.run(OpenFinding(finding.check))
        shown = state_of(bench).shown
        assert shown is not None
        assert shown.position.record.splitlines()[1:] == finding.record.splitlines()[1:]
    finally:
        bench.close()


def test_a_game_that_cannot_be_imported_at_first_is_dealt_when_it_can(
    bench: Workbench, game_file: Path
) -> None:
    game_file.write_text("import nothing_like_this\n" + GAME)
    state = bench.begin(NewDeal(0, {}, 7))
    assert state.shown is None
    assert "nothing_like_this" in state.faults[0].text
    bench.run(Look())
    game_file.write_text(GAME)
    bench.reload()
    state = state_of(bench)
    assert state.shown is not None
    assert state.shown.seed == "7"
