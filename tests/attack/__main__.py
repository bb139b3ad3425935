"""`python -m tests.attack`: attack all interfaces of cardhub, and print the findings."""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from tests.attack.cases import Door, Finding, Share
from tests.attack.inventory import DOORS
from tests.attack.running import Runner
from tests.kit.paths import ROOT

# The number of findings of one kind that are printed.
TOLD = 5


def main() -> int:
    """Run the selected doors in several processes, and return 1 if there are findings."""
    options = _parser().parse_args()
    if options.part:
        return _run_part(options)
    began = time.monotonic()
    parts = [_start(number, options) for number in range(options.processes)]
    lines = [json.loads(line) for part in parts for line in part.communicate()[0].splitlines()]
    findings = [Finding(*fields) for line in lines for fields in line["findings"]]
    _print(lines, findings, options, time.monotonic() - began)
    if any(part.returncode for part in parts):
        print("The attack itself has failed: see above.")
        return 2
    return int(bool(findings))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.attack", description=__doc__)
    parser.add_argument("--door", action="append", choices=[door.name for door in DOORS])
    parser.add_argument("--seed", type=int, default=1, help="decides all cases")
    parser.add_argument("--seconds", type=float, default=570, help="no case begins after them")
    parser.add_argument("--cases", type=int, help="so many for each door, not the usual number")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--part", help=argparse.SUPPRESS)
    return parser


def _start(number: int, options: argparse.Namespace) -> "subprocess.Popen[str]":
    words = [*sys.argv[1:], "--part", f"{number}/{options.processes}"]
    command = [sys.executable, "-W", "ignore", "-m", "tests.attack", *words]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def _run_part(options: argparse.Namespace) -> int:
    """Run every n-th case of the doors, and print a line of JSON for each door."""
    number, of = map(int, options.part.split("/"))
    doors = [door for door in DOORS if not options.door or door.name in options.door]
    until = time.monotonic() + options.seconds
    with (
        tempfile.TemporaryDirectory(prefix="cardhub-attack-") as scratch,
        Runner(Path(scratch)) as runner,
    ):
        for index, door in enumerate(doors):
            now, left = time.monotonic(), sum(door.weight for door in doors[index:])
            limit = now + (until - now) * door.weight / left
            cases = door.cases if options.cases is None else options.cases
            numbers = range(options.first + number, options.first + cases, of)
            share = Share(options.seed, numbers, Path(scratch) / door.name, runner)
            done, findings = _run_door(door, share, limit)
            line = {"door": door.name, "done": done, "of": len(numbers), "findings": findings}
            print(json.dumps(line | {"seconds": time.monotonic() - now}), flush=True)
    return 0


def _run_door(door: Door, share: Share, limit: float) -> tuple[int, list[Finding]]:
    done, findings = 0, list[Finding]()
    cases = door.attack(share)
    for case in cases:
        done += 1
        findings += case
        if time.monotonic() > limit:
            break
    close = getattr(cases, "close", None)
    if close:
        close()
    return done, findings


def _print(
    lines: Sequence[dict[str, object]],
    findings: Sequence[Finding],
    options: argparse.Namespace,
    seconds: float,
) -> None:
    for text in _finding_texts(findings, options.seed):
        print(text)
    today = datetime.now(UTC).date()
    print(f"cardhub {version('cardhub')}, {today}, seed {options.seed}, {seconds:.0f} s")
    print("| attack | cases | findings |\n|---|---|---|")
    for door in DOORS:
        own = [line for line in lines if line["door"] == door.name]
        if own:
            done, wanted = (sum(int(str(line[key])) for line in own) for key in ("done", "of"))
            cases = f"{done:,}" if done == wanted else f"{done:,} of {wanted:,}"
            number = sum(finding.door == door.name for finding in findings)
            print(f"| {door.attacks} | {cases} | {number} |")


def _finding_texts(findings: Sequence[Finding], seed: int) -> Iterator[str]:
    """Yield sentences on the findings, only the first few of each kind."""
    kinds: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        kinds.setdefault((finding.door, finding.problem), []).append(finding)
    for (door, problem), alike in kinds.items():
        yield f"{door}: {problem} ({len(alike)} times)"
        for finding in alike[:TOLD]:
            which = f"--first {finding.number} --cases {finding.cases} --processes 1"
            again = f"--door {shlex.quote(door)} --seed {seed} {which}"
            yield f"  {finding.how}\n  again: python -m tests.attack {again}"


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())
