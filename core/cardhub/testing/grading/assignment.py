"""The file of an assignment: the game, and what earns points, checked before the first game."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from cardhub.base.errors import AssignmentFileError, OptionError, PluginError
from cardhub.base.yamlfile import (
    NAME,
    NO_KEY,
    NON_EMPTY,
    Diagnostics,
    Items,
    MappingNode,
    NumberRange,
    Schema,
    Section,
    parse_file,
    schema_of,
)
from cardhub.lab.match.match_spec import LIMIT, OPEN_UNIT, Contest, Match
from cardhub.lab.match.matchfile.read_games import OPTIONS, read_game, read_players, read_rules
from cardhub.lab.match.matchfile.reader import parse_match
from cardhub.model.table.settings import Value
from cardhub.plugins.registry import PluginRegistry

# The version of the format of these files.
FORMAT = 1
# The ids of the two bots of each match.
SUBMISSION, REFERENCE = "submission", "reference"
POINTS = NumberRange(0, 1e6)
RESULT = NumberRange(-1e9, 1e9)
FIRST_THRESHOLD = "{against: rule, points: 3}"


@dataclass(frozen=True, slots=True)
class Threshold:
    """A mean result against a reference bot, which earns points if a submission reaches it.

    `at_least`: the mean result in a block; None: as good as the reference.
    """

    against: Annotated[str, NON_EMPTY]
    points: Annotated[float, POINTS]
    at_least: Annotated[float | None, RESULT] = None

    def goal(self, contest: Contest) -> float:
        """Return the mean result that the threshold asks for."""
        return contest.even if self.at_least is None else self.at_least


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a file of an assignment says.

    `checks`: the points for a bot that passes all checks at `positions` positions. A match against
    a reference has at most `blocks` blocks. `level`: the level of each interval.
    """

    name: Annotated[str, NAME]
    seed: int
    game: Annotated[str, NON_EMPTY]
    players: Annotated[int, range(2, 101)]
    thresholds: Annotated[tuple[Threshold, ...], Items("a list of thresholds")]
    rules: Annotated[Mapping[str, Value], OPTIONS] = field(default_factory=dict)
    checks: Annotated[float, POINTS] = 1.0
    positions: Annotated[int, range(1, 10_001)] = 50
    blocks: Annotated[int, range(1, 1_000_001)] = 200
    level: Annotated[float, OPEN_UNIT] = 0.95
    guard_seconds: Annotated[float | None, LIMIT] = 2.0
    sandbox: Literal["yes", "no"] = "no"
    # Not compared: a copy of the file describes the same assignment.
    file: Annotated[Path, NO_KEY] = field(default=Path(), compare=False)

    @property
    def references(self) -> list[str]:
        """The reference bots, in the order of the file."""
        return list(dict.fromkeys(threshold.against for threshold in self.thresholds))

    def contest(self, registry: PluginRegistry) -> Contest:
        """Return the game of its matches; raises MatchFileError."""
        return self.match("random", "random", registry).contests[0]

    def match(self, submission: str, reference: str, registry: PluginRegistry) -> Match:
        """Return the match of a submission against a reference; raises MatchFileError."""
        return parse_match(_match_content(self, submission, reference), registry)


def read_assignment(path: Path, registry: PluginRegistry) -> Assignment:
    """Parse the file of an assignment; raises one AssignmentFileError that lists all problems."""
    problems = Diagnostics(str(path), AssignmentFileError)
    return _AssignmentReader(parse_file(path, problems), registry, problems).assignment(path)


def _schema() -> Schema:
    """Return the schema of assignments; `players` has the game's default."""
    schema = schema_of(Assignment)
    needed = schema.needed - {"players"} | {"cardhub_assignment"}
    return Schema({"cardhub_assignment": (str(FORMAT),), **schema.kinds}, needed, schema.fields)


class _AssignmentReader:
    """Converter of the top node of a file into an Assignment."""

    def __init__(self, top: MappingNode, registry: PluginRegistry, problems: Diagnostics) -> None:
        self._top = Section(top, _schema(), problems)
        self._registry = registry

    def assignment(self, path: Path) -> Assignment:
        """Return the assignment; raises AssignmentFileError."""
        values = self._top.values
        values.pop("cardhub_assignment", None)
        nodes = values.get("thresholds", ())
        if "thresholds" in values and not nodes:
            self._top.report("thresholds", f"thresholds: name at least one: [{FIRST_THRESHOLD}]")
        if game := read_game(self._top, self._registry):
            players = read_players(self._top, game)
            rules = read_rules(self._top, game, players)
            values |= {"game": game.name, "players": players, "rules": rules}
            values["thresholds"] = tuple(self._thresholds(game.name))
        self._top.problems.raise_if_any()
        assignment = Assignment(**values, file=path)
        if assignment.contest(self._registry).is_common:
            self._top.report("game", f"{assignment.game} has no opponents: all share one score")
        self._top.problems.raise_if_any()
        return assignment

    def _thresholds(self, game: str) -> Iterator[Threshold]:
        """Yield the valid thresholds after reporting the others."""
        goals: set[tuple[str, float | None]] = set()
        for node in self._top.values.get("thresholds", ()):
            section = Section(node, schema_of(Threshold), self._top.problems, FIRST_THRESHOLD)
            if "against" not in section or "points" not in section:
                continue
            threshold = Threshold(**section.values)
            try:
                self._registry.settings_of(threshold.against, game)
            except (PluginError, OptionError) as error:
                section.report("against", str(error))
                continue
            goal = threshold.against, threshold.at_least
            if goal in goals:
                section.report("against", f"the same threshold against {goal[0]} is there twice")
            goals.add(goal)
            yield threshold


def _match_content(assignment: Assignment, submission: str, reference: str) -> dict[str, Any]:
    guard = assignment.guard_seconds
    return {
        "cardhub_match": 1,
        "name": assignment.name,
        "seed": assignment.seed,
        # A drawn secret would give other deals, and other grades, in each run.
        "salt": "none",
        "sandbox": assignment.sandbox,
        "bots": [{"id": SUBMISSION, "use": submission}, {"id": REFERENCE, "use": reference}],
        "games": [
            {
                "game": assignment.game,
                "players": assignment.players,
                "rules": dict(assignment.rules),
            }
        ],
        "blocks": assignment.blocks,
        "budget": {"guard_seconds": "none" if guard is None else guard},
    }
