"""`cardhub dev`: a page that follows the files of a game."""

from collections.abc import Callable

import pytest
from click.testing import Result

from cardhub.cli.game import dev_game as command
from cardhub.testing.workbench.bench_messages import BenchFault, NewDeal
from cardhub.testing.workbench.workbench import BenchState

Run = Callable[..., Result]
FAULT = BenchFault("the pot is empty", "/games/kuhn/game.py", 7)


@pytest.fixture
def deals(monkeypatch: pytest.MonkeyPatch) -> list[NewDeal]:
    """Return the deals that the workbench begins with; it starts no process, and ends at once."""
    begun: list[NewDeal] = []

    class Bench:
        def __init__(
            self,
            folders: object,
            name: str,
            source: object,
            checks: float,
            report: Callable[[BenchState], None],
        ) -> None:
            self.report = report
            self.state = BenchState(
                1, name, None, (FAULT,), "what the rules print", None, (), 1, 0.25
            )

        def begin(self, deal: NewDeal) -> BenchState:
            begun.append(deal)
            return self.state

        def watch_files(self) -> None:
            self.report(self.state)
            raise KeyboardInterrupt

        def close(self) -> None:
            begun.append(NewDeal(-1, {}, 0))

    monkeypatch.setattr(command, "Workbench", Bench)
    return begun


def test_the_address_is_printed_and_each_reload_with_its_faults(
    run: Run, deals: list[NewDeal]
) -> None:
    done = run("dev", "kuhn", "--seed", "3", "--checks", "0")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "/games/kuhn/game.py:7: the pot is empty"
    assert lines[1].startswith("kuhn is at http://127.0.0.1:")
    assert lines[2] == "End with Ctrl-C."
    assert lines[3].endswith("reloaded in 0.25 s, with faults:")
    assert lines[4:6] == ["  /games/kuhn/game.py:7: the pot is empty", "what the rules print"]
    assert deals == [NewDeal(0, {}, 3), NewDeal(-1, {}, 0)]  # begun and closed


def test_the_first_deal_has_the_given_players_and_options(run: Run, deals: list[NewDeal]) -> None:
    run("dev", "goofspiel", "--players", "3", "--set", "cards=5")
    assert deals[0] == NewDeal(3, {"cards": "5"}, 0)


def test_a_game_that_does_not_exist_is_refused(run: Run, deals: list[NewDeal]) -> None:
    done = run("dev", "kuhm")
    assert done.exit_code == 2
    assert "kuhn" in done.stderr
    assert not deals
