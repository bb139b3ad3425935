"""A server that is killed and restarted several times while four people play."""

import json
import os
import signal
import socket
import sys
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from subprocess import DEVNULL, Popen
from threading import Thread
from time import monotonic, sleep
from typing import Any

from tests.kit.waiting import PATIENCE, wait_until
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

NAMES = ("Anna", "Bob", "Chris", "Dora")
VERSION = 2


class KilledServer:
    """`cardhub serve` on one folder and port, which is killed without notice."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.origin = Origin(f"http://127.0.0.1:{self.port}")
        self._process: Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = ["--port", str(self.port), "--folder", str(self.folder), "--workers", "1"]
        command = [sys.executable, "-m", "cardhub", "serve", *options]
        self._process = Popen(command, stdout=DEVNULL, stderr=DEVNULL)
        end = monotonic() + PATIENCE
        while monotonic() < end:
            with suppress(OSError):
                if self.ask("GET", "/healthz")[0] == 200:
                    return
            sleep(0.02)
        raise AssertionError("the server does not start")

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        if self._process is not None:
            os.kill(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, bytes]:
        """Return the status and the body of an answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            headers = {"Origin": self.origin, "Content-Type": "application/json"}
            connection.request(method, path, json.dumps(body) if body else None, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


class PersistentPlayer(Thread):
    """A person who connects again after every loss, and plays any legal action.

    `errors` has what must never happen: a wrong seat, a token that is refused, a line of the log
    that was published and is lost.
    """

    def __init__(self, server: KilledServer, table: str, name: str, token: str, seed: int) -> None:
        super().__init__(daemon=True)
        self.table, self.person, self.token = table, name, token
        self.errors: list[str] = []
        self.acts = self.games = self.visits = self.takebacks = 0
        # The number of the last visit in which the table was seen.
        self.greeted = 0
        self._server, self._rng = server, Random(seed)
        self._is_ended = False
        self._seat = -1
        self._number = 0
        self._log: list[dict[str, Any]] = []
        self._told: tuple[int, list[str]] = (0, [])
        # Received lines of the chat by their numbers.
        self._chat: dict[int, str] = {}

    def run(self) -> None:
        """Play until the end."""
        while not self._is_ended:
            with suppress(OSError, WebSocketException):
                url = f"ws://127.0.0.1:{self._server.port}/ws/{self.table}"
                with connect(url, origin=self._server.origin) as socket:
                    self._visit(socket)
            # Everything that was published before the loss must exist afterwards.
            self._told = self._number, [line["text"] for line in self._log[:-1]]
            sleep(0.03)

    def end(self) -> None:
        """Play no more."""
        self._is_ended = True
        self.join(PATIENCE)

    def _visit(self, socket: ClientConnection) -> None:
        def send(kind: str, **fields: Any) -> None:
            socket.send(json.dumps({"type": kind, **fields}))

        self._log = []
        send("enter", version=VERSION, token=self.token)
        while not self._is_ended:
            try:
                message = json.loads(socket.recv(timeout=0.5))
            except TimeoutError:
                continue
            self._take(message, send)

    def _take(self, message: dict[str, Any], send: Any) -> None:
        match message["type"]:
            case "welcome":
                self._welcome(message, send)
            case "state":
                self._check_seat(message)
                if message["stage"] == "over":
                    send("rematch")
                if self._is_asked(message):
                    send("agree", agrees=self._rng.random() < 0.8)
            case "chat":
                self._hear(message)
            case "game":
                self.games += message["number"] != self._number
                self._number = message["number"]
            case "log":
                since = message["since"]
                kept = [line for line in self._log if line["step"] < since]
                self._log = kept + message["lines"]
                self._check_log(since)
            case "table":
                self.greeted = self.visits
                self._play(message, send)
            case "closed" if message.get("is_final", True):
                self.errors.append(f"{self.person} was closed: {message['why']}")

    def _welcome(self, message: dict[str, Any], send: Any) -> None:
        self.visits += 1
        self.token = message.get("token") or self.token
        self._seat = message["viewer"]
        if not self.token:
            send("sit", name=self.person)

    def _check_seat(self, state: dict[str, Any]) -> None:
        seats = state["seats"]
        if self.token and self._seat < len(seats):
            seat = seats[self._seat]
            if self.person not in (seat.get("name"), seat.get("replaced_person")):
                self.errors.append(f"{self.person} got the seat of {seat.get('name')}")
        if state["stage"] == "open" and self._seat < len(seats):
            self.greeted = self.visits

    def _check_log(self, since: int) -> None:
        number, earlier = self._told
        texts = [line["text"] for line in self._log]
        if since == 0 and number == self._number and texts[: len(earlier)] != earlier:
            self.errors.append(f"{self.person} lost lines: {earlier[-3:]} of {texts[-3:]}")

    def _is_asked(self, state: dict[str, Any]) -> bool:
        takeback = state.get("takeback")
        return takeback is not None and self._seat in takeback["missing"]

    def _hear(self, message: dict[str, Any]) -> None:
        for number, line in enumerate(message["lines"], message["since"]):
            if self._chat.setdefault(number, line["text"]) != line["text"]:
                self.errors.append(f"line {number} of the chat changed for {self.person}")

    def _play(self, message: dict[str, Any], send: Any) -> None:
        view = message["view"]
        if message.get("summaries"):
            send("pace", command="read")
        if message.get("can_take_back") and self._rng.random() < 0.05:
            self.takebacks += 1
            send("takeback")
        if self._rng.random() < 0.05:
            send("say", text=f"{self.person} {self.visits} {self.acts}")
        if view["choices"]:
            choice = self._rng.choice(view["choices"])
            self.acts += 1
            send("act", action=choice["action"], rev=view["revision"])
            sleep(0.06)  # a client may send 20 messages a second


def play_through_kills(
    folder: Path,
    kills: int,
    seed: int,
    *,
    game: str = "hearts",
    people: int = 4,
    bots: int = 0,
    longest: float = 0.5,
) -> list[PersistentPlayer]:
    """Play with people while the server is killed at random moments; return the people.

    They take actions back, chat and play again, against bots if there are any; `longest` is the
    number of seconds between two kills.
    """
    rng, server = Random(seed), KilledServer(folder)
    server.start()
    try:
        made = _create_table(server, game, people, bots)
        tokens = [made["token"], "", "", ""][:people]
        players = [
            PersistentPlayer(server, made["table"], name, token, seed + number)
            for number, (name, token) in enumerate(zip(NAMES, tokens, strict=False))
        ]
        for player in players:
            player.start()
            wait_until(partial(_are_back, [player], [0]), partial(_greeted, [player]))
        _start_game(server, made["table"], made["token"])
        for _ in range(kills):
            sleep(rng.uniform(0.0, longest))
            server.kill()
            before = [player.visits for player in players]
            server.start()
            # A further change of the table may have come before, or never come.
            wait_until(partial(_are_back, players, before), partial(_greeted, players))
        for player in players:
            player.end()
        return players
    finally:
        server.kill()


def _are_back(players: list[PersistentPlayer], visits: list[int]) -> bool:
    """Return whether all have seen the table in a later visit than these."""
    return all(player.greeted > visit for player, visit in zip(players, visits, strict=True))


def _greeted(players: list[PersistentPlayer]) -> str:
    return ", ".join(f"{player.person}: visit {player.greeted}" for player in players)


def _create_table(server: KilledServer, game: str, people: int, bots: int) -> dict[str, str]:
    request = {
        "game": game,
        "name": NAMES[0],
        "shows_spectators": False,
        "seats": people + bots,
        "bots": [""] * people + ["easy"] * bots,
    }
    status, body = server.ask("POST", "/tables", request)
    assert status in (200, 201), body
    made: dict[str, str] = json.loads(body)
    return made


def _start_game(server: KilledServer, table: str, token: str) -> None:
    url = f"ws://127.0.0.1:{server.port}/ws/{table}"
    with connect(url, origin=server.origin) as socket:
        socket.send(json.dumps({"type": "enter", "version": VERSION, "token": token}))
        socket.recv()
        socket.send(json.dumps({"type": "start"}))
        while json.loads(socket.recv())["type"] != "table":
            pass
