"""`cardhub join --plain`: lines typed at a table of a server, and errors."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Run
from tests.kit.table_server import LiveServer, link, live_server
from tests.kit.waiting import PATIENCE
from websockets.sync.client import connect
from websockets.typing import Origin

from cardhub.cli.exit_codes import FAULT, USAGE
from cardhub.online.remote.table_address import TableAddress
from cardhub.online.wire.client_messages import WIRE_VERSION
from cardhub.plugins.registry import find_plugins


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Return a server that all tests of the module share."""
    with live_server(tmp_path_factory.mktemp("tables")) as server:
        yield server


def typed(*lines: str) -> str:
    """Return lines as they are typed."""
    return "".join(f"{line}\n" for line in lines)


def test_a_game_is_played_to_its_end_by_numbers(server: LiveServer, run: Run) -> None:
    """Waiting room, start, turns, the result; lines of a pipe wait for the turn."""
    address = server.create("kuhn", bots=["", "easy"])
    lines = typed("who", "start", "1", "1", "1", "quit")
    result = run("join", link(address), "--plain", typed=lines)
    assert result.exit_code == 0, result.output
    for text in ("1  Olga (you, owner)", "2  bot easy", "At the table: Olga", "Your turn, Olga"):
        assert text in result.output
    assert "`rematch` plays again" in result.output


def test_lines_after_a_game_of_bots_are_read(server: LiveServer, run: Run) -> None:
    """The game begins and ends without a turn of the person."""
    address = server.create("kuhn", bots=["", "easy"])
    lines = typed("stand", "bot 1 easy", "start", "who", "quit")
    output = run("join", link(address), "--plain", typed=lines).output
    assert "At the table: " in output
    assert output.index("`rematch` plays again") < output.index("who\n")
    assert "1  bot easy" in output


@pytest.mark.parametrize("game", ["kuhn", "gargon"])
def test_without_lines_the_table_is_shown_once(server: LiveServer, run: Run, game: str) -> None:
    seats = 3 if game == "gargon" else 2
    address = server.create(game, seats=seats, bots=[""] * seats)
    bob = run("join", address.page, "--name", "Bob", "--plain", typed="")
    assert "2  Bob (you)" in bob.output
    run("join", link(address), "--plain", typed=typed("start"))
    for words, shown in (
        ((link(address),), "Your turn, Olga"),
        ((address.page, "--name", "Bob"), "Waiting for Olga"),
        ((address.page, "--name", "Zoe"), "Waiting for Olga"),
    ):
        result = run("join", *words, "--plain", typed="")
        assert result.exit_code == 0
        assert shown in result.output, result.output


@contextmanager
def visitor(server: LiveServer, address: TableAddress) -> Iterator[Callable[[str], Any]]:
    """Let Zoe ask for a seat; yield a function that returns her next message of a type."""
    url = f"ws://127.0.0.1:{server.port}/ws/{address.table}"
    with connect(url, origin=Origin(server.origin)) as socket:

        def receive(kind: str) -> Any:
            while (message := json.loads(socket.recv(timeout=PATIENCE)))["type"] != kind:
                pass
            return message

        socket.send(json.dumps({"type": "enter", "version": WIRE_VERSION}))
        receive("table")
        socket.send(json.dumps({"type": "sit", "name": "Zoe"}))
        while receive("state").get("newcomer") is None:
            pass
        yield receive


@pytest.mark.parametrize("answer", ["agree", "refuse"])
def test_a_person_answers_a_visitor_who_asks_for_a_seat(
    server: LiveServer, run: Run, answer: str
) -> None:
    address = server.create("kuhn", bots=["", ""])
    run("join", link(address), "--plain", typed=typed("start"))
    with visitor(server, address) as receive:
        lines = typed(answer, "quit")
        output = run("join", link(address), "--plain", typed=lines).output
        assert "Zoe, a visitor, asks to take seat 2, and would see its" in output
        assert "Type `agree` or `refuse`." in output
        if answer == "agree":
            assert receive("welcome")["viewer"] == 1
        else:
            assert "you do not get the seat: Olga does not agree" in receive("refused")["why"]


def test_without_lines_a_table_that_may_not_be_watched_ends(server: LiveServer, run: Run) -> None:
    """It never shows its game to a spectator."""
    address = server.create("kuhn", bots=["", "easy"], shows_spectators=False)
    run("join", link(address), "--plain", typed=typed("start"))
    result = run("join", address.page, "--name", "Zoe", "--plain", typed="")
    assert result.exit_code == 0
    assert "spectators cannot watch at this table" in result.output


def test_the_commands_of_every_table_work(server: LiveServer, run: Run) -> None:
    """Reasons, consequences, cards, rules: all of them come from the server."""
    address = server.create("gargon", seats=3, bots=["", "easy", "easy"])
    lines = ("start", "why R99", "if 1", "unseen", "card", "rules", "log", "undo", "help", "quit")
    output = run("join", link(address), "--plain", typed=typed(*lines)).output
    assert "'R99' is not one of the choices." in output
    assert "You have not acted yet" in output
    assert "takeback" in output
    assert "say TEXT" in output
    assert find_plugins().game("gargon").display.rules().splitlines()[0] in output


def test_people_chat_sit_down_and_stand_up(server: LiveServer, run: Run) -> None:
    """Under a name of their choice, at a seat of their choice."""
    address = server.create("gamon", bots=["", ""])
    lines = typed("say hello", "stand", "who", "sit 2 Ole", "who", "sit", "nonsense", "quit")
    output = run("join", link(address), "--plain", typed=lines).output
    assert "Olga: hello" in output
    assert "2  Ole (you" in output
    assert "Type a name" in output
    assert "There is no command 'nonsense' here" in output


def test_the_owner_sets_the_table_up_and_has_a_link_to_the_seat(
    server: LiveServer, run: Run
) -> None:
    """Switches, a clock, options of the game; the link works on another device."""
    address = server.create("gargon", seats=3, bots=["", "easy", "easy"])
    lines = (
        "set chat off",
        "set clock 5+10",
        "set start 2",
        "who",
        "set clock soon",
        "set x",
        "link",
    )
    output = run("join", link(address), "--plain", typed=typed(*lines, "quit")).output
    assert "chat off" in output
    assert "clock 5+10" in output
    assert "start 2" in output
    assert "Settings: chat, helps, listed, spectators, clock, webhook, open_winnings" in output
    assert "'soon'" in output
    assert f"The table: {address.page}" in output
    seat = next(word for word in output.split() if word.startswith(f"{address.page}#seat="))
    assert "1  Olga (you, owner)" in run("join", seat, "--plain", typed=typed("who", "quit")).output


def test_a_name_sits_down_at_once_and_comes_back(server: LiveServer, run: Run) -> None:
    """The token is kept: the second time no seat is free, and none is needed."""
    address = server.create("gamon", bots=["", ""])
    for _ in range(2):
        result = run(
            "join",
            address.page,
            "--name",
            "Bert",
            "--seat",
            "2",
            "--plain",
            typed=typed("who", "quit"),
        )
        assert "2  Bert (you)" in result.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ftp://host/t/abc"], "must begin with http:// or https://"),
        (["http://localhost/abc"], "its path is not /t/ID"),
        (["http://localhost/t/abc", "--seat", "1"], "--seat needs a name"),
        (["http://localhost/t/abc", "--name", "  "], "invalid player name"),
    ],
)
def test_a_wrong_command_is_a_usage_error(run: Run, words: list[str], said: str) -> None:
    result = run("join", *words, "--plain")
    assert result.exit_code == USAGE
    assert said in result.output


def test_a_server_or_a_table_that_is_not_there_is_an_error(server: LiveServer, run: Run) -> None:
    for url in ("http://127.0.0.1:9/t/abc", f"{server.origin}/t/nosuchtable"):
        result = run("join", url, "--plain", typed="")
        assert result.exit_code == FAULT
        assert "Error: " in result.output
        assert "fix: " in result.output


def test_a_replay_is_saved_as_a_page(
    server: LiveServer, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    address = server.create("kuhn", bots=["", "easy"])
    lines = typed("save", "start", "1", "1", "save", "quit")
    output = run("join", link(address), "--plain", typed=lines).output
    assert "Written to " in output
    (page,) = tmp_path.glob("replay-*-1.html")
    assert "</html>" in page.read_text(encoding="utf-8")
