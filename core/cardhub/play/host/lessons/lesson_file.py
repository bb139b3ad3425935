"""Lesson files: parse YAML and validate it completely before a lesson begins."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cardhub.base.errors import CardhubError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.base.yamlfile import (
    NAME,
    Diagnostics,
    InvalidNode,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    StringType,
    ValueType,
    parse_file,
    quote,
    read_value,
    reject_unknown_keys,
)

MOST_SEED = 2**31 - 1
# A comment has to fit next to the table at 80 by 24, and to be read at a glance.
MOST_COMMENT = 400

COMMENT = StringType(
    f"text of at most {MOST_COMMENT} characters",
    lambda text: 0 < len(text) <= MOST_COMMENT and text.replace("\n", " ").isprintable(),
)
_SECTIONS: Mapping[str, ValueType] = {
    "seed": range(MOST_SEED + 1),
    "bot": str,
    "intro": COMMENT,
    "ending": COMMENT,
}
_STEP = ("by", "do", "say", "why", "instead", "see")


class LessonFileError(CardhubError):
    """A lesson file is invalid; one line `file:line:column: message` per problem."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(problems))


@dataclass(frozen=True, slots=True)
class LessonStep:
    """Actions of one seat in any order, with comments.

    `say` is shown before the learner's steps and after other players' steps; `why` gives the reason
    for a suggestion; `instead` answers another choice; `see` names cards, areas and players to look
    at. `line` is the number of the line in the file.
    """

    seat: int
    actions: tuple[str, ...]
    say: str = ""
    why: str = ""
    instead: str = ""
    see: tuple[str, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson: a deal, a script of actions, and comments by phase for the game after it.

    The learner has the first seat; `bot` is the spec of the other players.
    """

    path: Path
    players: tuple[str, ...]
    seed: int
    bot: str
    options: Mapping[str, str]
    intro: str
    steps: tuple[LessonStep, ...]
    phases: Mapping[str, str]
    ending: str


def read_lesson(path: Path, phases: Sequence[str]) -> Lesson:
    """Return the lesson of a file; raises one LessonFileError that lists all problems.

    `phases` are the names of the phases of the game.
    """
    diagnostics = Diagnostics(str(path), LessonFileError)
    top = parse_file(path, diagnostics)
    lesson = _LessonReader(path, top, diagnostics).lesson(phases) if top is not None else None
    diagnostics.raise_if_any()
    assert lesson is not None
    return lesson


class _LessonReader:
    """Reads one lesson file into a `Lesson`."""

    def __init__(self, path: Path, top: MappingNode, diagnostics: Diagnostics) -> None:
        self._path = path
        self._top = top
        self._diagnostics = diagnostics

    def lesson(self, phases: Sequence[str]) -> Lesson:
        known = (*_SECTIONS, "players", "options", "steps", "phases")
        reject_unknown_keys(self._top, known, self._diagnostics)
        values = {key: self._value(key, kind) for key, kind in _SECTIONS.items()}
        players = self._texts("players", self._node("players"), NAME)
        steps = [self._step(node, players) for node in self._items("steps")]
        return Lesson(
            self._path,
            players,
            int(values["seed"]),
            str(values["bot"]),
            self._mapping("options"),
            str(values["intro"]),
            tuple(step for step in steps if step is not None),
            self._mapping("phases", phases),
            str(values["ending"]),
        )

    def _value(self, key: str, kind: ValueType) -> int | str:
        value = read_value(key, self._node(key), kind, self._diagnostics)
        return 0 if value is None else value

    def _node(self, key: str) -> Node:
        if key in self._top.entries:
            return self._top.entries[key][1]
        self._diagnostics.add(self._top, f"missing field {key!r}")
        return InvalidNode(1, 1)

    def _items(self, key: str) -> list[Node]:
        node = self._node(key)
        if isinstance(node, SequenceNode):
            return node.nodes
        self._diagnostics.expected(node, "a list")
        return []

    def _mapping(self, key: str, known: Sequence[str] | None = None) -> Mapping[str, str]:
        """Return an optional mapping of texts, with allowed keys only."""
        if key not in self._top.entries:
            return {}
        node = self._top.entries[key][1]
        if not isinstance(node, MappingNode):
            self._diagnostics.expected(node, "a mapping")
            return {}
        if known is not None:
            reject_unknown_keys(node, known, self._diagnostics)
        kind: ValueType = str if known is None else COMMENT
        values = {
            name: read_value(name, value, kind, self._diagnostics)
            for name, (_, value) in node.entries.items()
        }
        return {name: str(value) for name, value in values.items() if value is not None}

    def _step(self, node: Node, players: Sequence[str]) -> LessonStep | None:
        if not isinstance(node, MappingNode):
            self._diagnostics.expected(node, "a mapping")
            return None
        reject_unknown_keys(node, _STEP, self._diagnostics)
        if "do" not in node.entries:
            self._diagnostics.add(node, "missing field 'do' (actions as text, one or a list)")
            return None
        texts = {key: self._comment(node, key) for key in ("say", "why", "instead")}
        see = self._texts("see", node.entries["see"][1], str) if "see" in node.entries else ()
        actions = self._texts("do", node.entries["do"][1], str)
        return LessonStep(self._seat(node, players), actions, **texts, see=see, line=node.line)

    def _comment(self, step: MappingNode, key: str) -> str:
        if key not in step.entries:
            return ""
        return str(read_value(key, step.entries[key][1], COMMENT, self._diagnostics) or "")

    def _seat(self, step: MappingNode, players: Sequence[str]) -> int:
        if "by" not in step.entries:
            return 0
        node = step.entries["by"][1]
        if isinstance(node, ScalarNode) and node.value in players:
            return players.index(node.value)
        if isinstance(node, ScalarNode):
            hint = did_you_mean(node.value, players) or f" Players: {', '.join(players)}."
            self._diagnostics.add(node, f"no player {quote(node.value)}.{hint}")
        else:
            self._diagnostics.expected(node, "the name of a player")
        return 0

    def _texts(self, key: str, node: Node, kind: ValueType) -> tuple[str, ...]:
        """Return a list of texts; a single text is a list of one."""
        nodes = node.nodes if isinstance(node, SequenceNode) else [node]
        values = (read_value(key, item, kind, self._diagnostics) for item in nodes)
        return tuple(str(value) for value in values if value is not None)
