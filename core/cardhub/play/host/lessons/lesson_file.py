"""Lesson files: parse YAML and validate it completely before a lesson begins."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from cardhub.base.errors import CardhubError
from cardhub.base.yamlfile import (
    NAME,
    NO_KEY,
    Diagnostics,
    Items,
    Key,
    Section,
    StringType,
    Table,
    Texts,
    parse_file,
    schema_of,
)

MOST_SEED = 2**31 - 1
# A comment has to fit next to the table at 80 by 24, and to be read at a glance.
MOST_COMMENT = 400

COMMENT = StringType(
    f"text of at most {MOST_COMMENT} characters",
    lambda text: 0 < len(text) <= MOST_COMMENT and text.replace("\n", " ").isprintable(),
)
ACTIONS = Texts(str, "actions as text, one or a list")


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

    actions: Annotated[tuple[str, ...], ACTIONS, Key("do")]
    seat: Annotated[int, Key("by")] = 0
    say: Annotated[str, COMMENT] = ""
    why: Annotated[str, COMMENT] = ""
    instead: Annotated[str, COMMENT] = ""
    see: Annotated[tuple[str, ...], Texts()] = ()
    line: Annotated[int, NO_KEY] = 0


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson: a deal, a script of actions, and comments by phase for the game after it.

    The learner has the first seat; `bot` is the spec of the other players.
    """

    path: Annotated[Path, NO_KEY]
    players: Annotated[tuple[str, ...], Texts(NAME)]
    seed: Annotated[int, range(MOST_SEED + 1)]
    bot: str
    intro: Annotated[str, COMMENT]
    steps: Annotated[tuple[LessonStep, ...], Items("a list of steps", is_filled=False)]
    ending: Annotated[str, COMMENT]
    options: Annotated[Mapping[str, str], Table(str)] = field(default_factory=dict)
    phases: Annotated[Mapping[str, str], Table(COMMENT)] = field(default_factory=dict)


def read_lesson(path: Path, phases: Sequence[str]) -> Lesson:
    """Return the lesson of a file; raises one LessonFileError that lists all problems.

    `phases` are the names of the phases of the game.
    """
    problems = Diagnostics(str(path), LessonFileError)
    schema = schema_of(Lesson, phases=Table(COMMENT, phases))
    values = Section(parse_file(path, problems), schema, problems).values
    players = values.get("players", ())
    # Without valid players each of their names would be another problem of the same fault.
    schema = schema_of(LessonStep, by=players or NAME)
    steps = [Section(node, schema, problems) for node in values.get("steps", ())]
    problems.raise_if_any()
    return Lesson(path, **values | {"steps": tuple(_step(step, players) for step in steps)})


def _step(section: Section, players: Sequence[str]) -> LessonStep:
    values = section.values
    seat = players.index(values["seat"]) if "seat" in values else 0
    return LessonStep(**values | {"seat": seat}, line=section.place.line)
