"""`cardhub bot check`."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from tests.kit.paths import ROOT

from cardhub.plugins.registry import find_plugins
from cardhub.testing.bot_checks.bot_findings import CHECKS

Run = Callable[..., Result]

GARGON = ("--game", "gargon", "--positions", "20")
SAMPLE = ROOT / "examples" / "bots" / "simple_bot.py"

CLOCK = """
from cardhub import BotEntry, Number, hookimpl
from cardhub.bots import RandomBot

@hookimpl
def register_bots():
    options = {"milliseconds": Number(0, "How long it thinks; 0 for no limit.", 0, 9000)}
    clock = lambda settings: settings.number("milliseconds") > 0
    make = lambda rng, milliseconds: RandomBot(rng)
    return [BotEntry("timed", "thinks", make, options=options, uses_clock=clock)]
"""


def test_a_good_bot_passes_in_all_games_it_plays(run: Run) -> None:
    """Passed and skipped checks are listed; the exit code is 0."""
    result = run("bot", "check", "rule", "--positions", "20")
    assert (result.exit_code, result.stderr) == (0, "")
    heads = {line.partition(":")[0] for line in result.stdout.splitlines() if ": 20 pos" in line}
    assert heads >= {"gamon", "gargon", "garner"}
    assert "  ok       handshake, answers, legality, observation, seed" in result.stdout
    assert "  skipped  secrecy: nothing was hidden from its seat\n" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("Nothing wrong was found in gamon, ")


@pytest.mark.parametrize(("bot", "check"), [("cheat", "legality"), ("fool", "answers")])
def test_a_faulty_bot_fails_and_it_is_said_where(run: Run, bot: str, check: str) -> None:
    """Check, answer, expected answer, seed, seat and actions; the exit code is 1."""
    result = run("bot", "check", bot, *GARGON, samples=True)
    assert result.exit_code == 1
    assert f"  FAILED   {check}: {CHECKS[check]}\n" in result.stdout
    assert "           expected: one of " in result.stdout
    assert (
        "           where: seed 0, 3 players, seat 0 (Anna), before any action\n" in result.stdout
    )
    assert result.stdout.endswith(f"Failed: {check} in gargon.\n")
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_reports_can_be_read_by_programs(run: Run) -> None:
    """JSON has the same data as the text."""
    result = run("bot", "check", "cheat", *GARGON, "--seed", "4", "--json", samples=True)
    assert result.exit_code == 1
    facts = json.loads(result.stdout)
    (game,) = facts["games"]
    assert (facts["bot"], facts["passed"], game["game"]) == ("cheat", False, "gargon")
    checks = {check["name"]: check for check in game["checks"]}
    assert list(checks) == list(CHECKS)
    assert checks["handshake"]["result"] == "ok"
    assert checks["time"] == {
        "name": "time",
        "result": "skipped",
        "skipped": "it declares no limit",
        "finding": None,
    }
    finding = checks["legality"]["finding"]
    assert finding["what"] == "it answers -7, which is not legal"
    assert finding["count"] == 3
    place = {"seed": 4, "players": 3, "options": {}, "seat": 0, "actions": []}
    assert finding["place"] == place


def test_games_can_be_chosen(run: Run) -> None:
    games = ("--game", "garner", "--game", "gamon", "--game", "garner")
    result = run("bot", "check", "random", *games, "--positions", "5", "--json")
    assert [game["game"] for game in json.loads(result.stdout)["games"]] == ["garner", "gamon"]


def test_a_level_can_be_checked(run: Run) -> None:
    """It stands for a bot in each game."""
    result = run("bot", "check", "easy", *GARGON)
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_bot_that_says_so_is_checked_by_the_clock(run: Run, tmp_path: Path) -> None:
    """Its limit follows from its options; so does that it is not asked again."""
    (tmp_path / "timed.py").write_text(CLOCK)
    words = ("--plugins-dir", tmp_path, "bot", "check")
    timed = run(*words, "timed:500", *GARGON).stdout
    assert "  ok       handshake, answers, legality, observation, time, reach, policy\n" in timed
    assert "  skipped  seed, memory, secrecy: its answers depend on the clock" in timed
    free = run(*words, "timed", *GARGON).stdout
    assert " memory, secrecy, reach, policy skipped" in " ".join(free.split())
    assert "  skipped  time: it declares no limit\n" in free


def test_a_program_is_checked_like_any_bot(run: Run) -> None:
    """It is asked again unless it is said to look at the clock."""
    program = f"cmd:'{sys.executable}' '{SAMPLE}'"
    result = run("bot", "check", program, *GARGON)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "  ok       handshake, answers, legality, observation, time, seed" in result.stdout
    assert "skipped  seed, memory" in run("bot", "check", program, *GARGON, "--clock").stdout


def test_a_program_that_plays_few_games_is_checked_in_those(run: Run, tmp_path: Path) -> None:
    """A named game that it does not play is a failed handshake."""
    picky = SAMPLE.read_text("utf-8").replace('"protocol": ', '"games": ["gamon"], "protocol": ')
    (tmp_path / "picky.py").write_text(picky)
    program = f"cmd:'{sys.executable}' '{tmp_path / 'picky.py'}'"
    result = run("bot", "check", program, "--positions", "5")
    assert result.stdout.endswith("Nothing wrong was found in gamon.\n")
    named = run("bot", "check", program, "--game", "garner", "--positions", "5")
    assert named.exit_code == 1
    assert "plays gamon, not garner" in " ".join(named.stdout.split())


def test_a_program_that_remembers_other_games_is_found(run: Run, tmp_path: Path) -> None:
    """It plays all games in one process, with one generator for all of them."""
    source = SAMPLE.read_text("utf-8")
    forgetful = source.replace('self.rng = Random(message["seed"])', "pass")
    (tmp_path / "seedless.py").write_text(
        forgetful.replace("self.rng = Random()", "self.rng = Random(1)")
    )
    (tmp_path / "lots.py").write_text(forgetful)
    for name, check in (("seedless", "memory"), ("lots", "seed")):
        program = f"cmd:'{sys.executable}' '{tmp_path / name}.py'"
        result = run("bot", "check", program, *GARGON)
        assert result.exit_code == 1
        assert result.stdout.endswith(f"Failed: {check} in gargon.\n")


def test_a_program_that_does_not_introduce_itself_fails_the_handshake(run: Run) -> None:
    """The invalid message is quoted, once: no other game is tried after the first one."""
    result = run("bot", "check", f"cmd:'{sys.executable}' -c 'print(1)'")
    assert result.exit_code == 1
    first = find_plugins().game_names()[0]
    assert result.stdout.endswith(f"Failed: handshake in {first}.\n")
    assert "  FAILED   handshake: " in result.stdout
    assert "it wrote '1'; a message is a JSON object" in " ".join(result.stdout.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("rnadom",), "no installed game has a bot 'rnadom'. Did you mean 'random'? Bots: "),
        (("rnadom", "--game", "gamon"), "unknown bot 'rnadom'. Did you mean 'random'? Bots for ga"),
        (
            ("rule", "--game", "higher"),
            "plays gamon, gargon, garner, goofspiel, hearts, holdem, leduc, not higher. ",
        ),
        (("rule:3",), "bot 'rule': it has no options, so '3' is not allowed"),
        (("random", "--game", "gargn"), "unknown game 'gargn'. Did you mean 'gargon'? Installed"),
        (("cmd:nod bot.js",), "there is no program 'nod'."),
        (("random", "--positions", "0"), "0 is not in the range x>=1"),
    ],
)
def test_what_cannot_be_checked_is_a_usage_error(
    run: Run, words: tuple[str, ...], message: str
) -> None:
    result = run("bot", "check", *words, samples=True)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_a_broken_game_is_no_usage_error(run: Run, tmp_path: Path) -> None:
    source = "import nothing_of_that_name\nfrom cardhub import Game\nclass Odd(Game): name = 'odd'"
    (tmp_path / "odd.py").write_text(source)
    words = ("--plugins-dir", tmp_path, "bot", "check", "random", "--positions", "1")
    assert run(*words, "--game", "odd").exit_code == 1
    assert run(*words).exit_code == 0
