"""Files of leagues: what they set, and all that is wrong with one, with its position."""

from collections.abc import Callable
from inspect import signature
from pathlib import Path

import pytest

from cardhub.base.errors import LeagueFileError
from cardhub.learning.adapters.gymnasium.factory import learner_spec
from cardhub.learning.adapters.vector.factory import table_spec
from cardhub.learning.arrays import Layout
from cardhub.learning.learn.league.league_file import PARAMETERS, LeagueFile, read_league
from cardhub.plugins.registry import PluginRegistry

LEAST = """\
cardhub_league: 1
name: small
seed: 3
game: kuhn
rounds: 2
trainer: tests.learning.learn.trainers:make
"""

ReadLeague = Callable[..., LeagueFile]


@pytest.fixture
def read(tmp_path: Path, registry: PluginRegistry) -> ReadLeague:
    """Return a function that reads a file, to which some lines are added."""

    def read_text(more: str = "", least: str = LEAST) -> LeagueFile:
        (tmp_path / "league.yaml").write_text(least + more, "utf-8")
        return read_league(tmp_path / "league.yaml", registry)

    return read_text


def test_a_file_sets_what_has_no_default(read: ReadLeague, tmp_path: Path) -> None:
    """The rest is as `League` has it, and the folder keeps the trainer's parameters, too."""
    league = read("learner: {pace: 2}\nenvironment: {history: 3, returns: places}\n")
    assert (league.players, league.rivals, league.every) == (2, ("random",), 10_000)
    plan = league.league(tmp_path / "league").plan
    assert plan.environment == {"history": 3, "returns": "places"}
    assert plan.learner == {"trainer": "tests.learning.learn.trainers:make", "pace": 2}
    other = read("learner: {pace: 3}\nenvironment: {history: 3, returns: places}\n")
    with pytest.raises(Exception, match=r"was begun with learner=.*fix: use the same"):
        other.league(tmp_path / "league")


def test_parameters_of_a_trainer_have_the_types_of_yaml(read: ReadLeague) -> None:
    """Lists and mappings, too, such as the layers of a network."""
    text = "{pace: 1, stops_at: null}"
    assert read(f"learner: {text}\n").learner == {"pace": 1, "stops_at": None}
    least = LEAST.replace("trainers:make", "trainers:make_any")
    league = read("learner: {net: {layers: [64, 0.5]}, bias: true, kind: tanh}\n", least)
    assert league.learner == {"net": {"layers": [64, 0.5]}, "bias": True, "kind": "tanh"}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("evry: 5\n", r":7:1: unknown key 'evry'. Did you mean 'every'\?"),
        ("players: 3\n", ":7:10: Kuhn poker is for 2 players, not for 3"),
        ("rules: {ante: 2}\n", ":7:9: unknown option 'ante'"),
        ("rivals: [random, ismct]\n", r":7:18: unknown bot 'ismct'. Did you mean 'ismcts'\?"),
        ('rivals: ["model:none.zip"]\n', ":7:10: .*none.zip"),
        ("environment: {histry: 3}\n", r":7:15: unknown key 'histry'. Did you mean 'history'\?"),
        ("environment: {seat: 9, returns: gold}\n", ":7:(21|33): environment: "),
        ("learner: {stops_at: 1, pace: 0}\n", ":7:30: learner: pace cannot be 0"),
        ("learner: {speed: 0}\n", ":7:18: learner: .*unexpected keyword argument 'speed'"),
        ("environment: many\n", ":7:14: expected a mapping such as {history: 4}, not 'many'$"),
        ("blocks: 0\n", ":7:9: blocks must be an integer from 1 to"),
    ],
)
def test_an_error_has_its_line_and_column(read: ReadLeague, more: str, said: str) -> None:
    with pytest.raises(LeagueFileError, match=said):
        read(more)


def test_a_function_that_makes_no_trainer_is_refused(read: ReadLeague) -> None:
    with pytest.raises(LeagueFileError, match=":6:10: builtins:dict returns dict, not a function"):
        read(least=LEAST.replace("tests.learning.learn.trainers:make", "builtins:dict"))


def test_all_errors_are_told_at_once(read: ReadLeague) -> None:
    least = LEAST.replace("kuhn", "kuhm").replace("rounds: 2", "rounds: 0")
    with pytest.raises(LeagueFileError) as error:
        read(least=least.replace("trainers:make", "trainers:mak"))
    told_lines = [line.rpartition("league.yaml:")[2] for line in error.value.problems]
    assert [line[:4] for line in told_lines] == ["4:7:", "5:9:", "6:10"]
    assert "Did you mean 'kuhn'?" in told_lines[0]


def test_the_environment_has_all_parameters_that_change_what_is_learnt() -> None:
    """A new parameter must be listed there or here."""
    listed = {*PARAMETERS}
    given = {*signature(learner_spec).parameters, *signature(table_spec).parameters}
    given |= {*signature(Layout.__init__).parameters}
    others = {"game", "players", "seats", "options", "rivals", "choices", "arrays", "self"}
    assert given - others == listed | {"final_observations", "true_states"}
