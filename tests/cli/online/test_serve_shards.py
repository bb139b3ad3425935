"""`cardhub serve --shards 2` behind a proxy that chooses a process by the id of a table."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import cycle, islice
from json import load
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import pytest
from tests.cli.online.proxy import proxy
from tests.cli.online.test_serve_tables import Served, heard
from tests.kit.processes import is_running
from tests.kit.waiting import wait_until
from websockets.exceptions import WebSocketException

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc")
LEAST_PORT = 10_000


def free_ports() -> int:
    """Return a port after which two more are free.

    The system gives none of them to a connection, which could take it before the shards start.
    """
    system = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text("utf-8").split()[0])
    for port in islice(cycle(range(LEAST_PORT, system - 2, 3)), os.getpid() % 1000, None):
        with suppress(OSError):
            for number in (port + 1, port + 2):
                socket.create_server(("127.0.0.1", number)).close()
            return port
    raise AssertionError("the system gives all ports to connections")


def answers(address: str) -> bool:
    """Return whether a server answers."""
    try:
        urlopen(f"{address}/healthz").close()
    except (URLError, ConnectionError):
        return False
    return True


def children(process: int) -> list[int]:
    """Return the processes that a process has started, in the order of their start."""
    text = Path(f"/proc/{process}/task/{process}/children").read_text("utf-8")
    return sorted(map(int, text.split()))


class Sharded(Served):
    """Two shards behind a proxy."""

    def __init__(self, process: "subprocess.Popen[str]", origin: str) -> None:
        self.process, self.origin = process, origin


@contextmanager
def sharded(folder: Path) -> Iterator[Sharded]:
    """Run two shards and a proxy."""
    listening, port = socket.create_server(("127.0.0.1", 0)), free_ports()
    origin = f"http://127.0.0.1:{listening.getsockname()[1]}"
    words = ["serve", "--shards=2", f"--port={port}", f"--folder={folder}", f"--origin={origin}"]
    process = subprocess.Popen(
        [sys.executable, "-m", "cardhub", *words, "--workers=1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )
    try:
        with proxy(listening, {"a": port + 1, "b": port + 2}):
            for shard in (port + 1, port + 2):
                wait_until(partial(answers, f"http://127.0.0.1:{shard}"))
            yield Sharded(process, origin)
    finally:
        process.kill()
        process.communicate()


def listed(origin: str) -> set[str]:
    """Return the ids of the tables in the lobby."""
    with urlopen(f"{origin}/lobby") as answer:
        return {table["table"] for table in load(answer)["tables"]}


def test_tables_are_spread_over_shards_and_survive_the_end_of_one(tmp_path: Path) -> None:
    """Each is in one process; the lobbies list all of them; what was killed is started again."""
    with sharded(tmp_path) as served:
        made = [served.create(is_listed=True) for _ in range(2)]
        assert {table["table"][0] for table in made} == {"a", "b"}
        assert {path.parts[-3] for path in tmp_path.glob("*/*/table.json")} == {"a", "b"}
        with served.enter(**made[0]) as first, served.enter(**made[1]):
            both = {table["table"] for table in made}
            wait_until(lambda: listed(served.origin) == both and listed(served.origin) == both)
            other = "b" + made[0]["table"][1:]
            with pytest.raises(HTTPError, match="404"):
                urlopen(f"{served.origin}/t/{other}/replay/1.html")
            assert heard(first)["type"] == "state"
        parent, shards = served.process.pid, children(served.process.pid)
        os.kill(shards[0], signal.SIGKILL)
        wait_until(lambda: not is_running(shards[0]))
        wait_until(lambda: len([*filter(is_running, children(parent))]) == 2)
        running = [*filter(is_running, children(parent))]
        for table in made:
            wait_until(partial(can_be_entered, served, table))
        assert served.end(signal.SIGTERM)[0] == 0
        wait_until(lambda: not any(map(is_running, running)))


def can_be_entered(served: Sharded, table: dict[str, str]) -> bool:
    """Return whether a table can be entered with its old token."""
    try:
        with served.enter(**table):
            return True
    except (OSError, WebSocketException):
        return False
