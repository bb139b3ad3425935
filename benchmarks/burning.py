"""How much slower a bot answers if another bot burns processor time.

The burner starts two children that compute forever. A steady program computes for some milliseconds
for each answer. Its answers are timed if there is no burner, if a burner with limits is not asked,
and if a burner without limits is not asked. The three cases alternate, because other programs of
the machine should slow all of them. It needs control groups.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter

from cardhub.bots.external.program import Program
from cardhub.bots.processes.control_groups import ResourceLimits, Usage
from cardhub.bots.processes.launch import Confinement

SECONDS = 60.0
STEADY = """
import sys
for line in sys.stdin:
    sum(range(WORK))
    print("{}", flush=True)
"""
BURNER = """
import os, sys
for line in sys.stdin:
    for _ in range(2):
        if not os.fork():
            os.setsid()
            os.close(1)
            while True:
                pass
    print("{}", flush=True)
"""
LIMITS = ResourceLimits(memory=256 << 20, processors=1, processes=16)
# The group counts what it uses, but it may compute at any time.
FREE = ResourceLimits(memory=256 << 20, ponder=True)


@contextmanager
def running(code: str, limits: ResourceLimits) -> Iterator[Program]:
    """Yield a program of Python code with limits."""
    program = Program([sys.executable, "-c", code], "", Confinement(limits=limits))
    try:
        yield program
    finally:
        program.kill()


def answers(steady: Program, number: int) -> list[float]:
    """Return the seconds of answers."""
    seconds = []
    for _ in range(number):
        begun = perf_counter()
        steady.ask({}, SECONDS)
        seconds.append(perf_counter() - begun)
    return seconds


def beside_burner(
    steady: Program, limits: ResourceLimits, number: int
) -> tuple[list[float], Usage]:
    """Return the seconds of answers while a burner computes, and what the burner used."""
    with running(BURNER, limits) as burner:
        burner.ask({}, SECONDS)
        burner.take_usage()
        seconds = answers(steady, number)
        return seconds, burner.take_usage()


def main() -> None:
    """Time the answers, and print their medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--answers", type=int, default=20, help="in each round, for each burner")
    parser.add_argument("--work", type=int, default=300_000, help="numbers to add for an answer")
    options = parser.parse_args()
    # All programs share one processor, because a burner would move to an idle one.
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    kinds = {"with limits": LIMITS, "without limits": FREE}
    alone: list[float] = []
    beside: dict[str, list[float]] = {kind: [] for kind in kinds}
    burned = dict.fromkeys(kinds, 0.0)
    with running(STEADY.replace("WORK", str(options.work)), FREE) as steady:
        answers(steady, options.answers)
        for _ in range(options.rounds):
            alone += answers(steady, options.answers)
            for kind, limits in kinds.items():
                seconds, used = beside_burner(steady, limits, options.answers)
                beside[kind] += seconds
                burned[kind] += used.processor
    print(f"no burner: median answer {median(alone) * 1000:.2f} ms")
    for kind, seconds in beside.items():
        change = median(seconds) / median(alone) - 1
        print(
            f"burner {kind}: median answer {median(seconds) * 1000:.2f} ms ({change:+.1%}); the "
            f"burner computed for {burned[kind]:.2f} s of {sum(seconds):.2f} s"
        )


if __name__ == "__main__":
    main()
