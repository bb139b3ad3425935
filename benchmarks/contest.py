"""A contest of 40 teams from an empty folder to public results, and a course graded twice.

The teams are kits in five languages; six are broken, one leaks memory, one burns processor time
while it is not asked, one spies, and one tries to remember the deals of its former games. It needs
bwrap, control groups and the compilers. By default one team meets all others; `--all` is a round
robin.
"""

import argparse
import csv
import filecmp
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from cardhub.cli.bot.new_bot import write_kit
from cardhub.cli.exit_codes import ABSENT

# How many kits of each language play.
KITS = {"python": 9, "node": 8, "cpp": 8, "java": 3, "go": 2}
LOOP = """
import json, pathlib, sys, threading
hoard = []
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "name": "odd"}), flush=True)
    if message["type"] == "turn":
        ACT
        print(json.dumps({"action": message["legal"][0]["action"]}), flush=True)
"""
# By the name of a team, what it does at each turn.
ODD = {
    "leak": "hoard.append(bytearray(400 << 20))",
    "burn": "threading.Thread(target=lambda: [0 for _ in iter(int, 1)], daemon=True).start()",
    "spy": "[print('SEEN', path, file=sys.stderr) for path in {paths!r} "
    "if pathlib.Path(path).exists()]",
    "elephant": "[print('SEEN', file=sys.stderr) for _ in pathlib.Path('/tmp').glob('deal') "
    "if not hoard]; hoard.append(line); pathlib.Path('/tmp/deal').write_text(line)",
}
# By the name of a broken team, its commands and its source.
BROKEN = {
    "no-program": ({"run": "./bot"}, ""),
    "no-build": ({"run": "./bot", "build": "g++ -o bot missing.cpp"}, ""),
    "no-words": ({"run": ""}, ""),
    "no-syntax": ({"run": "python3 bot.py"}, "def ("),
    "no-protocol": ({"run": "python3 bot.py"}, "print('hello')"),
    "no-library": ({}, "import a_library_that_is_missing\n"),
}
CONTEST = """
bots: {folder: teams}
games: [kuhn]
sandbox: yes
budget: {guard_seconds: 20}
faults: {max: 1}
limits: {memory: 300M, processors: 1, processes: 64}
rating: {bootstrap: 100}
"""
ASSIGNMENT = """
cardhub_assignment: 1
name: kuhn-bots
seed: 7
game: kuhn
checks: 2
positions: 10
blocks: 30
thresholds:
  - {against: random, points: 2}
"""
STUDENT = """
class Student{number}:
    def __init__(self, rng):
        self.rng = rng

    def choose(self, observation):
        legal = observation.legal()
        return self.rng.choice(legal[:{number} % 3 + 1])
"""


def write_teams(folder: Path) -> None:
    """Write the folders of all 40 teams."""
    folder.mkdir()
    languages = chain.from_iterable(repeat(language, n) for language, n in KITS.items())
    for number, language in enumerate(languages):
        write_kit(f"{language}-{number}", folder, language)
    paths = [str(folder.parent / name) for name in ("contest.yaml", "teams", "runs")]
    for name, act in ODD.items():
        source = LOOP.replace("ACT", act.format(paths=paths))
        write_team(folder / name, {"run": "python3 bot.py"}, source)
    for name, (commands, source) in BROKEN.items():
        write_team(folder / name, commands, source)


def write_team(folder: Path, commands: dict[str, str], source: str) -> None:
    """Write the folder of a team with a Python file."""
    folder.mkdir(parents=True)
    if commands:
        (folder / "commands.json").write_text(json.dumps(commands))
    (folder / "bot.py").write_text(source)


def cardhub(folder: Path, *words: str) -> tuple[int, str, float]:
    """Run a command in a folder; return its exit code, output and seconds."""
    begun = monotonic()
    command = [sys.executable, "-m", "cardhub", *words]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return run.returncode, run.stdout + run.stderr, monotonic() - begun


def play_contest(folder: Path, *, is_whole: bool) -> Iterator[tuple[str, object]]:
    """Play the contest; yield its figures."""
    write_teams(folder / "teams")
    gauntlet = "schedule: {mode: gauntlet, challengers: [cpp-17], blocks: 1}\n"
    (folder / "contest.yaml").write_text(CONTEST + ("blocks: 1\n" if is_whole else gauntlet))
    code, output, seconds = cardhub(folder, "match", "contest.yaml", "--pages", "3")
    if code != ABSENT:
        raise SystemExit(output)
    yield "teams", len(list((folder / "teams").iterdir()))
    yield "seconds from the folder to the results", round(seconds)
    out = folder / "runs" / "contest"
    result = json.loads((out / "result.json").read_text())
    yield "games", result["games"]
    yield "absent", ", ".join(sorted(result["spec"]["absent"]))
    yield from odd_figures(out)
    yield from verify_elsewhere(folder, out)


def odd_figures(out: Path) -> Iterator[tuple[str, object]]:
    """Yield what the teams that misbehave got and used."""
    faults = [json.loads(path.read_text()) for path in (out / "teams/leak/faults").iterdir()]
    yield "faults of leak", ", ".join(fault["fault"] for fault in faults)
    with (out / "resources.csv").open(newline="") as file:
        rows = {row["bot"]: row for row in csv.DictReader(file)}
    for name in ("burn", "leak"):
        row = rows[name]
        seconds = float(row["processor_seconds"]) / int(row["games"])
        yield f"processor seconds a game of {name}", round(seconds, 2)
        yield f"MiB of {name}", int(row["memory_bytes"]) >> 20
    for name in ("spy", "elephant"):
        remarks = [path.read_text() for path in (out / "teams" / name).glob("stderr/*")]
        yield f"secrets that {name} saw", sum(text.count("SEEN") for text in remarks)


def verify_elsewhere(folder: Path, out: Path) -> Iterator[tuple[str, object]]:
    """Verify the public folder where neither the teams nor the contest are."""
    with TemporaryDirectory() as elsewhere:
        shutil.move(out / "public", elsewhere)
        for path in ("teams", "runs", "contest.yaml"):
            (folder / path).rename(folder / f"{path}-gone")
        code, output, seconds = cardhub(Path(elsewhere), "match", "verify", "public")
    yield "public folder elsewhere", f"exit code {code} in {seconds:.0f} s: {output.strip()}"


def grade_twice(folder: Path) -> Iterator[tuple[str, object]]:
    """Grade 20 submissions twice; yield what is equal."""
    (folder / "submissions").mkdir()
    for number in range(20):
        path = folder / "submissions" / f"student{number}.py"
        path.write_text(STUDENT.format(number=number))
    (folder / "assignment.yaml").write_text(ASSIGNMENT)
    for out in ("first", "second"):
        code, output, seconds = cardhub(
            folder, "grade", "assignment.yaml", "submissions", "--out", out, "--quiet"
        )
        yield f"seconds for 20 grades, {out} time", round(seconds)
        if code:
            raise SystemExit(output)
    equal = filecmp.cmp(folder / "first/grades.csv", folder / "second/grades.csv", shallow=False)
    yield "both tables of grades are equal", equal


def main() -> None:
    """Play and grade, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="each two teams meet")
    with TemporaryDirectory() as folder:
        figures = play_contest(Path(folder), is_whole=parser.parse_args().all)
        for name, value in chain(figures, grade_twice(Path(folder))):
            print(f"{name}: {value}", flush=True)


if __name__ == "__main__":
    main()
