"""An attack on the fairness of matches: a program that remembers the deal of an earlier game.

All games of a block have the same deal. A program that has held a card in one seat knows in the
next game of the block which card its opponent holds, if anything has reached it from that game.
"""

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cardhub.base.errors import SandboxError
from cardhub.bots.processes.sandbox import check_sandbox
from cardhub.lab import run_match
from cardhub.lab.match.run.playing import end_programs

# Keeps notes of all games in its memory, in files and in a process that it leaves behind. An answer
# tells how many earlier games it knows, and the card that it held in the last one.
PROGRAM = """\
import json, os, socket, sys

NOTES = []
PLACES = [os.path.join(place, "notes") for place in (".", os.environ["HOME"], *sys.argv[2:])]
ADDRESS = "\\0" + sys.argv[1]

def remembered():
    found = [list(NOTES)]
    for place in PLACES:
        try:
            with open(place) as file:
                found.append(json.load(file))
        except OSError:
            pass
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(ADDRESS)
            found.append(json.loads(line.recv(1 << 16)))
    except OSError:
        pass
    return max(found, key=len)

def note(notes):
    NOTES[:] = notes
    for place in PLACES:
        try:
            with open(place, "w") as file:
                json.dump(notes, file)
        except OSError:
            pass
    if ADDRESS != "\\0":
        leave_behind(json.dumps(notes).encode())

def leave_behind(data):
    server = socket.socket(socket.AF_UNIX)
    try:
        server.bind(ADDRESS)
        server.listen()
    except OSError:
        return
    has_left, leave = os.pipe()
    if os.fork():
        os.read(has_left, 1)  # otherwise the end of this program may end the child as well
        return
    os.setsid()
    os.write(leave, b"x")
    for number in range(3):
        os.close(number)
    server.settimeout(20)
    try:
        while True:
            line, _ = server.accept()
            line.sendall(data)
            line.close()
    except OSError:
        os._exit(0)

for text in sys.stdin:
    message = json.loads(text)
    if message["type"] == "hello":
        print(json.dumps({"name": "attack", "protocol": 1}), flush=True)
    elif message["type"] == "game":
        seat, notes = message["seat"], None
    elif message["type"] == "turn":
        card = message["table"]["zones"]["hand"][seat][0]["card"]
        if notes is None:
            notes = remembered()
            guess = notes[-1][1] if notes and notes[-1][0] != seat else None
            note([*notes, [seat, card]])
        answer = {"action": message["legal"][0]["action"], "known": len(notes), "guess": guess}
        print(json.dumps(answer), flush=True)
"""
# Places that outlive a game, unless the sandbox discards them.
OUTSIDE = ("/tmp", "/dev/shm", "/var/tmp", "/run")
BLOCKS = 2


def sandbox_is_missing() -> str:
    """Return why there is no sandbox on this system, or an empty string."""
    try:
        check_sandbox()
    except SandboxError as error:
        return str(error)
    return ""


NO_SANDBOX = sandbox_is_missing()
SANDBOXED = pytest.mark.skipif(bool(NO_SANDBOX), reason=NO_SANDBOX)
POSIX = pytest.mark.skipif(sys.platform != "linux", reason="needs abstract sockets and forks")


class Knowledge(NamedTuple):
    """What the attack knew at its first turn of a game: earlier games, and the hidden card."""

    games: int
    is_right: bool


def play_attack(
    folder: Path, rules: dict[str, Any], *, places: tuple[str, ...] = (), address: str = ""
) -> list[Knowledge]:
    """Return the knowledge of the attack in each game of a match."""
    bots = folder / "bots"
    bots.mkdir()
    source, log = bots / "attack.py", folder / "talk.txt"
    source.write_text(PROGRAM, "utf-8")
    words = f"'{sys.executable}' -I -S '{source}' '{address}' {' '.join(places)}"
    content = {
        "name": "attack",
        "seed": 1,
        "bots": [
            {"id": "attack", "use": f"cmd:log={log} {words}"},
            {"id": "random", "use": "random"},
        ],
        "games": [{"game": "kuhn"}],
        "schedule": {"blocks": BLOCKS},
        **rules,
    }
    try:
        match = run_match(content, folder / "match")
    finally:
        end_programs()
    answers = list(first_answers(log))
    games = list(match.games)
    assert len(answers) == len(games) == 2 * BLOCKS
    hidden = [game.cards[1 - game.seats.index("attack")] for game in games]
    return [
        Knowledge(answer["known"], answer["guess"] == card)
        for answer, card in zip(answers, hidden, strict=True)
    ]


def first_answers(log: Path) -> Any:
    """Yield the first answer in each game of a dialogue log."""
    is_first = False
    for line in log.read_text("utf-8").splitlines():
        sign, _, text = line.partition(" ")
        if sign == ">":
            is_first |= json.loads(text)["type"] == "game" if text else False
        # The greeting of a new program may be read after the message of its game was sent.
        elif sign == "<" and is_first and "known" in json.loads(text):
            is_first = False
            yield json.loads(text)


def test_a_program_that_lives_on_knows_the_hidden_card(tmp_path: Path) -> None:
    """The attack works in a match that trusts its bots."""
    knowledge = play_attack(tmp_path, {"fresh": "no"})
    assert [game.games for game in knowledge] == list(range(2 * BLOCKS))
    assert [game.is_right for game in knowledge[1::2]] == [True] * BLOCKS


def test_a_program_knows_nothing_of_earlier_games(tmp_path: Path) -> None:
    """Neither its memory nor the files in its folder and its home reach the next game."""
    knowledge = play_attack(tmp_path, {})
    assert knowledge == [Knowledge(0, is_right=False)] * (2 * BLOCKS)


@POSIX
@pytest.mark.parametrize("way", ["files", "process"])
def test_a_program_without_a_sandbox_can_leave_notes_elsewhere(tmp_path: Path, way: str) -> None:
    """The page on security says so; the attack below has these ways, too."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    ways: dict[str, Any] = {"places": (str(elsewhere),)}
    if way == "process":
        ways = {"address": f"{tmp_path}"}
    knowledge = play_attack(tmp_path, {}, **ways)
    assert [game.is_right for game in knowledge[1:2]] == [True]


@POSIX
@SANDBOXED
def test_nothing_outlives_a_game_in_the_sandbox(tmp_path: Path) -> None:
    """Neither files in any place nor a process that the program has left behind."""
    knowledge = play_attack(tmp_path, {"sandbox": "yes"}, places=OUTSIDE, address=f"{tmp_path}")
    assert knowledge == [Knowledge(0, is_right=False)] * (2 * BLOCKS)
