"""Damaged files of tabular policies, measured, checked and played."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.attack.cases import Case, Make, fuzz
from tests.attack.doors.samples import made
from tests.attack.mutations import mutate_bytes
from tests.attack.running import Outcome, Runner

# Each information state of Kuhn poker, with both actions of OpenSpiel's numbers.
STATES = [
    (f"{seat} | {cards} | {actions}", numbers)
    for seat, hands in ((0, ("J ? ?", "Q ? ?", "K ? ?")), (1, ("? J ?", "? Q ?", "? K ?")))
    for cards in hands
    for actions, numbers in (
        (("", (0, 1)), ("0 check, 1 bet", (2, 3)))
        if seat == 0
        else (("0 check", (0, 1)), ("0 bet", (2, 3)))
    )
]
VALID = "TabularPolicy:" + "<~>".join(
    f"{name}<~>{first}=0x1p-1,{second}=0x1p-1" for name, (first, second) in STATES
)
ODD = ("6.0", "0.34", "-0x1p-1", "nan", "inf", "0x1p9999", "1e400", "", "0,5", "-0", "1_0", "x")
FILE, SPEC = "kuhn.policy", "policy:kuhn.policy"
# The most that a response can gain: 2 chips more in a game that the policy would win by 2.
MOST = 4.0


def prepare(runner: Runner, folder: Path) -> Make:
    """Return a factory of cases with damaged policies."""
    made(runner, folder, ("bot", "exploit", SPEC, "kuhn"), files={FILE: VALID.encode()})

    def make(rng: Random) -> Case:
        files = {FILE: _damaged(rng)}
        exploit = ("bot", "exploit", SPEC, "kuhn", "--json")
        play = ("play", "kuhn", "--seat", f"Anna={SPEC}", "--seat", "Bob=random", "--seed", "1")
        check = ("bot", "check", SPEC, "--game", "kuhn", "--positions", "4")
        words = rng.choice((exploit, exploit, play, check))
        return Case(
            words,
            frozenset({0, 1, 2, 3}),
            files,
            silent=frozenset({1}) if words == check else frozenset(),
            check=_measured if words == exploit else _played,
        )

    return make


def _damaged(rng: Random) -> bytes:
    if rng.randrange(3) == 0:
        return mutate_bytes(VALID.encode(), rng)
    parts = VALID.split("<~>")
    for _ in range(rng.choice((1, 1, 3))):
        at = rng.randrange(1, len(parts), 2)
        entries = parts[at].split(",")
        entry = rng.randrange(len(entries))
        number = entries[entry].partition("=")[0]
        entries[entry] = rng.choice(
            (f"{number}={rng.choice(ODD)}", f"{number}=0x1p{rng.randint(-3, 3)}", "7=0x1p-1", "")
        )
        parts[at] = ",".join(entries)
    if rng.randrange(4) == 0:
        del parts[: 2 * rng.randrange(3)]
    return "<~>".join(parts).encode()


def _measured(folder: Path, outcome: Outcome) -> Iterator[str]:
    """Yield a problem if a figure was printed for a file that is not a policy."""
    if outcome.code != 0:
        return
    value = json.loads(outcome.out)["value"]
    if not 0 <= value <= MOST:
        yield f"a response gains {value} chips"
    yield from _played(folder, outcome)


def _played(folder: Path, outcome: Outcome) -> Iterator[str]:
    """Yield a problem if a command accepted numbers that are not probabilities."""
    if outcome.code != 0:
        return
    parts = (folder / FILE).read_bytes().decode().partition(":")[2].split("<~>")
    for row in parts[1::2]:
        texts = [entry.partition("=")[2] for entry in row.split(",")]
        values = [float.fromhex(text) if "x" in text else float(text) for text in texts]
        if min(values) < 0 or abs(math.fsum(values) - 1) > 0.002:
            yield f"{row!r} was accepted"


attack = fuzz("policies", prepare)
