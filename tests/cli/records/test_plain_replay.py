"""A replay in plain text, step by step, and the list of saved games."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cardhub.cli.records import text_replay as plain_replay
from cardhub.cli.records.text_replay import PlainReplay
from cardhub.cli.session.painter import Painter
from cardhub.play.host.opening import Opener
from cardhub.play.host.replays.stepping.replay_session import ReplaySession
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.plugins.registry import find_plugins
from cardhub.view.text.glyphs import UNICODE

Run = Callable[..., Result]


@pytest.fixture
def typed(
    record: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[ReplaySession, str]]:
    """Return a function that types commands, and returns the session and the output."""
    registry = find_plugins()

    def type_commands(*commands: str) -> tuple[ReplaySession, str]:
        lines = iter(commands)

        def ask(_: str) -> str:
            try:
                return next(lines)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr(plain_replay, "ask", ask)
        session = ReplaySession(Opener(registry, BlockingScheduler()).replay(record))
        PlainReplay(session, registry, Painter(UNICODE)).run()
        return session, capsys.readouterr().out

    return type_commands


def test_commands_step_forward_and_back(typed: Callable[..., tuple[ReplaySession, str]]) -> None:
    """Enter alone goes forward; each step prints its sentences, the table and what comes next."""
    session, text = typed("", "forward", "back", "quit", "forward")
    assert session.step == 1
    assert text.count("left stack") == 4
    assert text.count("Next: ") == 4


def test_commands_go_to_rounds_steps_and_the_end(
    typed: Callable[..., tuple[ReplaySession, str]],
) -> None:
    """The result is printed at the end, as after a game."""
    session, text = typed("round", "round 1", "step 12", "end")
    assert session.step == session.replay.last
    assert "Result: " in text
    firsts = [chapter.first for chapter in session.chapters]
    assert typed("round")[0].step == firsts[1]
    assert typed("round 3")[0].step == firsts[2]
    assert typed("step 12")[0].step == 12


def test_a_beat_is_a_table_with_its_sentence(
    run: Run, typed: Callable[..., tuple[ReplaySession, str]], record: Path
) -> None:
    record.unlink()
    seats = [word for name in ("Ada", "Bo", "Cy", "Di") for word in ("--seat", f"{name}=random")]
    run("play", "hearts", "--plain", "--seed", "3", "--record", str(record), *seats)
    tables = typed("find takes", "back", "")[1].split("\nHearts · ")
    swept, beat, again = tables[2:]
    assert "Waiting for" in swept
    assert "takes the trick" in beat
    assert "Waiting for" not in beat
    assert "takes the trick" not in again
    assert sum("plays" in line for line in beat.splitlines()) == 4


def test_wrong_commands_are_answered(typed: Callable[..., tuple[ReplaySession, str]]) -> None:
    session, text = typed("jump", "round 99", "step x", "view Nobody", "find nonsense")
    assert session.step == 0
    assert text.count("left stack") == 1
    for part in ("Unknown command 'jump'", "There is no round", "There is no step"):
        assert part in text
    assert "Views: Zoe, Anna, Bob, spectator, all." in text
    assert "The log does not contain 'nonsense'" in text


def test_another_view_shows_what_that_player_saw(
    typed: Callable[..., tuple[ReplaySession, str]],
) -> None:
    session, text = typed("view anna", "forward", "log")
    assert session.viewer == 1
    assert "Zoe lays a " in text


def test_a_bot_tells_its_choice(typed: Callable[..., tuple[ReplaySession, str]]) -> None:
    assert "Hint by the rule bot" in typed("why rule")[1]
    assert "nonsense" in typed("why nonsense")[1]


def test_without_a_file_the_saved_games_are_listed(run: Run) -> None:
    """Each on a line of at most 80 columns with its number, by which it is replayed."""
    words = ("play", "gargon", "--plain", "--seat", "Zoe=human", "--seed", "3")
    assert run(*words, typed="quit\n").exit_code == 0
    listed = run("replay").stdout.splitlines()
    assert listed[0].lstrip().startswith("1  Gargon")
    assert all(len(line) <= 80 for line in listed)
    assert "as seen by Zoe" in run("replay", "1").stdout.splitlines()[0]
    refused = run("replay", "99")
    assert refused.exit_code == 2
    assert "there is no saved game number 99" in refused.stderr


def test_a_long_chapter_is_cut_before_the_columns_behind_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("play", "garner", "--plain", "--seed", "3", typed="quit\n")
    monkeypatch.setenv("COLUMNS", "60")
    [line] = run("replay").stdout.splitlines()
    assert len(line) <= 60
    assert line.startswith("1  Garner, 0 cards")
    assert "…" in line
    assert line.split("  ")[-2:] == ["your turn · against rule", "just now"]
