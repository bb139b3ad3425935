"""`cardhub check`: faults of a game."""

import gc
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from tests.cli.conftest import SAMPLES

from cardhub.testing import PROMISES
from cardhub.testing.speeds import SLOW

Run = Callable[..., Result]
SAMPLE = SAMPLES / "higher.py"
FAULTS = {
    "loses": ("state.reveal(state.hand[state.seat])", "state.hand[state.seat].pop()"),
    "tells": ('Scene("show', 'Scene(f"{state.face[1]}: show'),
}


@pytest.fixture(autouse=True)
def short_measurements(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure speeds for hundredths of a second, because these tests do not check the figures."""
    monkeypatch.setattr("cardhub.testing.game_checks.game_report.SPEED_SECONDS", 0.02)


@pytest.fixture
def faulty(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that writes a game with a fault into a folder for plugins."""

    def write(fault: str) -> Path:
        folder = tmp_path / "plugins"
        folder.mkdir()
        source = SAMPLE.read_text("utf-8").replace("higher", fault).replace(*FAULTS[fault])
        (folder / f"{fault}.py").write_text(source, "utf-8")
        (folder / "rules.md").write_text("# Higher\n", "utf-8")
        return folder

    return write


def test_nothing_is_wrong_with_a_good_game(run: Run) -> None:
    """All checks are named, and the speed is said."""
    done = run("check", "kuhn", "--games", "2")
    assert done.exit_code == 0, done.output
    begin = "kuhn: 2 random games and 2 kept records\n  ok       source, rules, time, deal"
    assert done.stdout.startswith(begin)
    assert re.search(r"^  speed    [\d,]+ random games a second", done.stdout, re.MULTILINE)
    for speed in ("determinizations", "search iterations"):
        line = rf" {speed}: [\d,]+ a second early in the game, [\d,]+ late "
        assert re.search(line, " ".join(done.stdout.split()))  # many a second need two lines
    assert "skipped" not in done.stdout
    assert "unseen" not in done.stdout
    assert done.stdout.endswith("\nNothing wrong was found in kuhn.\n")


def test_a_fault_is_reported_with_a_record_that_shows_it(
    run: Run, faulty: Callable[[str], Path], home: Path
) -> None:
    """The exit code is 1; the command that is named leads to the position."""
    plugins = faulty("tells")
    done = run("--plugins-dir", plugins, "check", "tells", "--games", "1", "--seed", "4")
    assert done.exit_code == 1
    first, failed, *_ = done.stdout.splitlines()
    assert first == "tells: 1 random game"
    assert (
        failed == "  FAILED   scene: every viewer has a scene, and everything it refers to exists"
    )
    assert "where: seed 4, 2 players, " in done.stdout
    assert "reproduce: cardhub check tells --seed 4 --games 1\n" in done.stdout
    assert "contract: 'The scene' in docs/game-reference.md\n" in done.stdout
    assert "  skipped  golden: there is no record in" in done.stdout
    assert done.stdout.endswith("\nFailed: scene.\n")
    (path,) = (home / "checks").glob("*_tells_scene.jsonl")
    assert f" {path}\n" in done.stdout
    seen = run("--plugins-dir", plugins, "resume", path, "--plain", typed="quit\n")
    assert "is hidden from this seat" in seen.output


def test_records_of_several_findings_do_not_overwrite_one_another(
    run: Run, faulty: Callable[[str], Path], home: Path
) -> None:
    """A second check does not overwrite the records of the first."""
    plugins = faulty("loses")
    for _ in range(2):
        assert run("--plugins-dir", plugins, "check", "loses").exit_code == 1
    assert len(list((home / "checks").glob("*_loses_cards*.jsonl"))) == 2


def test_a_time_ends_the_games(run: Run) -> None:
    """The report names everything that was not reached until then."""
    # A collection of what other tests left can take longer than a call of a game may.
    gc.collect()
    done = run("check", "pig", "--seconds", "0.1", "--json")
    report = json.loads(done.stdout)
    assert report["passed"]
    assert any(line.startswith("no game had ") for line in report["unreached"])
    for rates in ("determinizations_per_second", "iterations_per_second"):
        assert min(report[rates].values()) > 0
    shown = run("check", "pig", "--seconds", "0.1").stdout
    # A slow machine has not reached other things either, which are listed before.
    assert "no game had " in shown.partition("\n  unseen   ")[2]


def test_a_report_for_programs(run: Run, faulty: Callable[[str], Path]) -> None:
    """Every check with its result; findings with all their actions."""
    plugins = faulty("loses")
    done = run("--plugins-dir", plugins, "check", "loses", "--json", "--games=2")
    report = json.loads(done.stdout)
    assert (done.exit_code, report["passed"], report["game"]) == (1, False, "loses")
    checks = {check["name"]: check for check in report["checks"]}
    assert list(checks) == list(PROMISES)
    assert checks["legal"]["result"] == "ok"
    assert checks["cards"]["result"] == "failed"
    finding = checks["cards"]["finding"]
    assert finding["place"]["actions"] == [{"seat": 0, "action": "show"}]
    (line,) = finding["lines"]
    text = (plugins / "loses.py").read_text("utf-8").splitlines()[line["line"] - 1]
    assert (line["file"], text.strip()) == (str(plugins / "loses.py"), FAULTS["loses"][1])
    assert finding["reproduce"] == "cardhub check loses --seed 0 --games 1"
    assert checks["same_scene"]["skipped"] == "not checked because cards failed"


def test_each_slip_is_a_line_of_its_own_for_programs(run: Run, tmp_path: Path) -> None:
    source = SAMPLE.read_text("utf-8").replace("higher", "typos")
    source = source.replace("state.reveal(", "state.revael(").replace("return [0]", "[0]")
    (tmp_path / "typos.py").write_text(source, "utf-8")
    report = json.loads(run("--plugins-dir", tmp_path, "check", "typos", "--json").stdout)
    finding = next(check["finding"] for check in report["checks"] if check["name"] == "source")
    assert [(line["file"], line["problem"]) for line in finding["lines"]] == [
        (str(tmp_path / "typos.py"), "legal() returns nothing, because it has no `return`"),
        (str(tmp_path / "typos.py"), "Table has no field revael. Did you mean 'reveal'?"),
    ]
    assert report["games"] == 0


def test_kept_records_are_replayed(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    words = ("--seat=Anna=random", "--seed=2", "--record")
    assert run("play", "kuhn", *words, folder / "one.jsonl").exit_code == 0
    good = run("check", "kuhn", "--games=2", "--records", folder)
    assert good.stdout.startswith("kuhn: 2 random games and 1 kept record\n")
    (folder / "two.jsonl").write_text("{}\n", "utf-8")
    bad = run("check", "kuhn", "--games=2", "--records", folder)
    assert (bad.exit_code, bad.stdout.rpartition("Failed: ")[2]) == (1, "golden.\n")
    assert "two.jsonl:1: not a cardhub record" in " ".join(bad.stdout.split())


def test_a_slow_game_is_said_to_be_slow(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is a note and no fault."""
    monkeypatch.setattr("cardhub.testing.speeds.SLOW", 10**9)
    done = run("check", "kuhn", "--games=1")
    assert done.exit_code == 0
    assert f"below {SLOW:,} actions a second search bots see few games" in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("kuhm",), 2, "Did you mean 'kuhn'?"),
        (("kuhn", "--games", "0"), 2, "0 is not in the range x>=1"),
        (("kuhn", "--seconds", "0"), 2, "0.0 is not in the range x>0"),
        (("kuhn", "--games=1", "--seconds=1"), 2, "--seconds and --games are mutually exclusive"),
        (("kuhn", "--records", "nowhere"), 2, "Directory 'nowhere' does not exist"),
    ],
)
def test_a_wrong_command_line_is_told(
    run: Run, words: tuple[str, ...], code: int, message: str
) -> None:
    done = run("check", *words)
    assert done.exit_code == code
    assert message in " ".join(done.stderr.split())
