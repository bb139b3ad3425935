"""Load of a server of tables: actions a second, latency and memory, printed as a table.

`cardhub serve` runs in a separate process with its own folder; this process plays all people at its
tables, who act at random. Both share the machine, so a second figure for actions divides by the
processor time of the server alone. Latency is from an action to the view after it, as the
person who acted gets it. `--soak SECONDS` and `--bots` measure these instead.
"""

import argparse
import asyncio
import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter, sleep
from typing import NamedTuple

from served_people import Crowd, Person
from speed import surroundings

SEATS = 4
# Seconds before figures count.
WARM_UP = 3.0
THINK = 2.0


class Served(NamedTuple):
    """A running server: its process and port."""

    pid: int
    port: int

    def memory(self) -> int:
        """Return its resident memory in bytes."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def processor(self) -> float:
        """Return the seconds of processor time that it has taken, its workers not counted."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Figures(NamedTuple):
    """Figures of a period: actions, processor time, and sorted latencies in seconds."""

    seconds: float
    processor: float
    latencies: list[float]
    messages: int
    received: int

    def latency(self, share: float) -> float:
        """Return a quantile of the latencies in milliseconds."""
        if not self.latencies:
            return float("nan")
        return 1000 * self.latencies[int(share * (len(self.latencies) - 1))]


def main() -> None:
    """Run the benchmark and print its table."""
    arguments = read_arguments()
    print(surroundings(), f"{arguments.game}, {arguments.seconds:g} seconds each", "", sep="\n")
    if arguments.soak:
        asyncio.run(soak(arguments))
    elif arguments.bots:
        asyncio.run(with_bots(arguments))
    else:
        asyncio.run(load(arguments))


def read_arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="gargon", help="a game for four")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--tables", type=int, nargs="+", default=[250, 500])
    parser.add_argument("--soak", type=float, metavar="SECONDS", help="1,000 clients for so long")
    parser.add_argument("--bots", action="store_true", help="20 tables of three searches each")
    parser.add_argument("--profile", metavar="FILE", help="profile the server with cProfile")
    return parser.parse_args()


async def load(arguments: argparse.Namespace) -> None:
    """Measure tables of people, without pauses and with them."""
    print(f"{'tables':>6}{'think':>7}{'actions/s':>11}{'a CPU s':>9}{'CPU':>6}", end="")
    print(f"{'p50 ms':>9}{'p99 ms':>9}{'MB/s':>7}{'kB a table':>12}")
    for tables in arguments.tables:
        for think in (0.0, THINK):
            with serving(arguments.profile) as served:
                before, crowd = served.memory(), Crowd(Random(1), think)
                people = await gathered(served, crowd, arguments.game, tables)
                figures = await measured(served, crowd, arguments.seconds)
                bytes_per_table = (served.memory() - before) / tables
                table = f"{bytes_per_table / 1000:12.0f}"
                print(f"{tables:6}{think:7.0f}{row(figures)}{table}", flush=True)
                await end(people, crowd)


async def soak(arguments: argparse.Namespace) -> None:
    """Watch the memory of a server with 1,000 clients, in ten parts."""
    with serving(arguments.profile) as served:
        crowd = Crowd(Random(1), THINK)
        people = await gathered(served, crowd, arguments.game, 250)
        print(f"{'seconds':>8}{'MB':>8}{'actions/s':>11}{'a CPU s':>9}{'CPU':>6}", end="")
        print(f"{'p50 ms':>9}{'p99 ms':>9}{'MB/s':>7}")
        begun = perf_counter()
        for _ in range(10):
            figures = await measured(served, crowd, arguments.soak / 10, warm_up=0)
            passed, memory = perf_counter() - begun, served.memory() / 1e6
            print(f"{passed:8.0f}{memory:8.1f}{row(figures)}", flush=True)
        await end(people, crowd)


async def with_bots(arguments: argparse.Namespace) -> None:
    """Measure actions of one person at each of 20 tables with three searches by the clock."""
    print(f"{'tables':>6}{'actions/s':>11}{'a CPU s':>9}{'CPU':>6}{'p50 ms':>9}{'p99 ms':>9}")
    with serving(arguments.profile) as served:
        crowd = Crowd(Random(1), 0.2)
        bots = ["", *["adviser"] * (SEATS - 1)]
        people = await gathered(served, crowd, arguments.game, 20, bots)
        figures = await measured(served, crowd, arguments.seconds)
        print(f"{20:6}{row(figures)}")
        await end(people, crowd)


async def gathered(
    served: Served, crowd: Crowd, game: str, tables: int, bots: Sequence[str] = ()
) -> list[Person]:
    """Make tables, seat people at all of them and start their games."""
    parties = []
    for number in range(tables):
        new = {"game": game, "name": f"Owner {number}", "seats": SEATS, "has_chat": False}
        made = create(served.port, new | ({"bots": [*bots]} if bots else {}))
        parties.append(await seated(served, crowd, made, 1 if bots else SEATS))
    # Together at the end: games would slow down the seating of others.
    for owner, *_ in parties:
        owner.say(type="start")
    return [person for party in parties for person in party]


def create(port: int, new: dict[str, object]) -> dict[str, str]:
    """Make a table and return its id and token."""
    headers = {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{port}"}
    link = http.client.HTTPConnection("127.0.0.1", port)
    link.request("POST", "/tables", json.dumps(new), headers)
    answer = link.getresponse()
    text = answer.read()
    link.close()
    if answer.status >= 300:
        sys.exit(f"no table was made: {text.decode()}")
    made: dict[str, str] = json.loads(text)
    return made


async def seated(served: Served, crowd: Crowd, made: dict[str, str], seats: int) -> list[Person]:
    """Seat people at a table, the owner first."""
    people = []
    for number in range(seats):
        sat = asyncio.Event()
        token = "" if number else made["token"]
        person = Person(crowd, made["table"], token, f"P{number}", sat.set)
        await asyncio.get_running_loop().create_connection(
            partial(_same, person), "127.0.0.1", served.port
        )
        await sat.wait()
        people.append(person)
    return people


def _same(person: Person) -> Person:
    return person


async def measured(
    served: Served, crowd: Crowd, seconds: float, warm_up: float = WARM_UP
) -> Figures:
    """Return the figures of a period in seconds."""
    await asyncio.sleep(warm_up)
    crowd.start()
    before = served.processor()
    await asyncio.sleep(seconds)
    passed, processor = perf_counter() - crowd.begun, served.processor() - before
    return Figures(passed, processor, sorted(crowd.latencies), crowd.messages, crowd.received)


def row(figures: Figures) -> str:
    """Return the figures as cells of a table."""
    actions = len(figures.latencies)
    share = figures.processor / figures.seconds
    per_second = actions / figures.processor if figures.processor else float("nan")
    megabytes = figures.received / figures.seconds / 1e6
    return (
        f"{actions / figures.seconds:11.0f}{per_second:9.0f}{share:6.0%}"
        f"{figures.latency(0.5):9.1f}{figures.latency(0.99):9.1f}{megabytes:7.1f}"
    )


async def end(people: list[Person], crowd: Crowd) -> None:
    """Close all connections; say if some were lost before, or messages were refused."""
    if crowd.lost or crowd.refusals:
        print(f"{crowd.lost} connections lost, {len(crowd.refusals)} refusals:", file=sys.stderr)
        print(*crowd.refusals[:3], sep="\n", file=sys.stderr)
    for person in people:
        person.leave()
    await asyncio.sleep(0.1)  # connections are closed by the event loop


@contextmanager
def serving(profile: str | None) -> Iterator[Served]:
    """Run `cardhub serve` for a block, on a free port."""
    profiled = ["-m", "cProfile", "-o", profile] if profile else []
    with tempfile.TemporaryDirectory() as folder:
        words = ["serve", "--port", "0", "--folder", folder]
        command = [sys.executable, *profiled, "-m", "cardhub", *words]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            address = process.stdout.readline().split()[1]
            try:
                yield Served(process.pid, int(address.rpartition(":")[2]))
            finally:
                process.send_signal(signal.SIGTERM)
                process.stdout.read()
                sleep(0.1)


if __name__ == "__main__":
    main()
