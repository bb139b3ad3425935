"""Matches with limits: a leaking program is at fault, and without control groups none begins."""

import csv
import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cardhub.base.errors import LimitsError
from cardhub.bots.processes import control_groups
from cardhub.bots.processes.control_groups import ResourceLimits, check_limits
from cardhub.cli.exit_codes import UNPLAYED
from cardhub.cli.main import cli

# A program that plays the first legal action, and leaks 400 MB at each.
LEAK = """
import json, sys
hoard = []
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "name": "leak"}), flush=True)
    if message["type"] == "turn":
        hoard.append(bytearray(400 << 20))
        print(json.dumps({"action": message["legal"][0]["action"]}), flush=True)
"""
# In place of an answer.
SLEEP = "__import__('time').sleep(600)"
# A bot of a class is asked once before the match; it leaves a file there.
CHECKED = (
    "place = __import__('pathlib').Path(__file__).with_name('checked')\n"
    "        if not place.exists(): place.touch(); return observation.legal()[0]\n"
    "        "
)
CLASS = """
class Calm:
    def choose(self, observation):
        return observation.legal()[0]
"""
MATCH = """
bots:
  - {{id: leak, use: "cmd:{python} leak.py"}}
  - {{id: calm, use: "file:calm.py"}}
games: [kuhn]
blocks: 1
rating: {{bootstrap: 100}}
limits: {limits}
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("leak.py").write_text(LEAK)
    Path("calm.py").write_text(CLASS)


def needs_groups() -> None:
    try:
        check_limits(ResourceLimits(memory=1 << 28))
    except LimitsError as error:
        pytest.skip(str(error).splitlines()[0])


def resources() -> dict[str, dict[str, str]]:
    with Path("out/resources.csv").open(newline="") as file:
        return {row["bot"]: row for row in csv.DictReader(file)}


def play(limits: str, form: str = MATCH) -> Result:
    text = form.format(python=sys.executable, limits=limits)
    Path("match.yaml").write_text(text)
    words = ["match", "match.yaml", "--workers", "1", "--out", "out", "--pages", "none"]
    return CliRunner().invoke(cli, words)


def test_a_leaking_program_is_at_fault_and_the_table_has_what_bots_used() -> None:
    needs_groups()
    played = play("{memory: 256M, processors: 1, processes: 64}")
    assert played.exit_code == 0, played.output
    games = [json.loads(line) for line in Path("out/games.jsonl").read_text().splitlines()[1:]]
    faults = [fault["fault"] for game in games for fault in game["faults"]]
    assert faults == ["memory", "memory"]
    rows = resources()
    assert 0 < int(rows["leak"]["memory_bytes"]) <= 256 << 20
    assert float(rows["calm"]["processor_seconds"]) > 0
    assert rows["leak"]["faults"] == "memory: 2"
    page = Path("out/report.html").read_text()
    assert "Each bot could use 256 MiB of memory, 1 processor and 64 processes." in page
    assert "memory: 2" in page
    verified = CliRunner().invoke(cli, ["match", "verify", "out"])
    assert verified.exit_code == 0, verified.output


@pytest.mark.parametrize(
    "use", ["cmd:{python} late.py", "file:late_class.py"], ids=["program", "class"]
)
def test_a_time_out_says_how_much_of_it_a_bot_computed(use: str) -> None:
    """In the fault, the table and both reports."""
    needs_groups()
    Path("late.py").write_text(LEAK.replace("hoard.append(bytearray(400 << 20))", SLEEP))
    Path("late_class.py").write_text(CLASS.replace("return", f"{CHECKED}{SLEEP}; return"))
    text = MATCH.replace("cmd:{python} leak.py", use).replace("{{id: leak", "{{id: late")
    played = play("{memory: 256M}", text + "budget: {{guard_seconds: 0.2}}\n")
    assert played.exit_code == 0, played.output
    row = resources()["late"]
    assert row["faults"].startswith("timeout")
    assert float(row["late_seconds"]) >= 0.2
    assert 0 <= float(row["late_processor_seconds"]) < float(row["late_seconds"])
    for path in Path("out/faults").iterdir():
        assert "it computed for 0." in json.loads(path.read_text())["message"]
    for name in ("report.html", "report.md"):
        assert "without an answer in time: it computed for" in Path("out", name).read_text()


def test_without_control_groups_a_match_with_limits_does_not_begin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse() -> dict[str, Path]:
        raise LimitsError("no limits: there are no groups")

    monkeypatch.setattr(control_groups, "_parents", refuse)
    refused = play("{memory: 256M}")
    assert refused.exit_code == UNPLAYED
    assert "no limits: there are no groups" in refused.output
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("limits", "problem"),
    [
        ("{memory: much}", "a size such as 512M or 2G"),
        ("{processors: 0}", "processors"),
        ("{processes: 0}", "processes"),
        ("{ponder: maybe}", "ponder"),
        ("{disk: 3}", "unknown key"),
    ],
)
def test_a_wrong_limit_is_a_mistake_in_the_file(limits: str, problem: str) -> None:
    refused = play(limits)
    assert refused.exit_code == UNPLAYED
    assert problem in refused.output
