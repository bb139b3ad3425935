"""Policies as tables: CSV files with a row for each action in each information state.

The columns are the seat, the information state, the action by its name, and its probability.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardhub.base.csv_text import csv_text
from cardhub.base.errors import BotError
from cardhub.base.writing import clipped
from cardhub.bots.bot import policy_problem
from cardhub.model.game.game import Game
from cardhub.model.hidden.information_text import public_names

# Imported late, because numpy takes long to load and reading a table does not need it.
if TYPE_CHECKING:
    from cardhub.bots.solving.sequence_form import Floats, SequenceForm

HEAD = ("seat", "information state", "action", "probability")
# The number of problems that a message lists.
MOST_LISTED = 5


def policy_text(game: Game[Any], form: "SequenceForm", strategies: "Sequence[Floats]") -> str:
    """Return a table; `strategies`: as in `SequenceForm.values`, one for each seat."""
    return csv_text(HEAD, _rows(game, form, strategies))


def _rows(
    game: Game[Any], form: "SequenceForm", strategies: "Sequence[Floats]"
) -> Iterator[dict[str, Any]]:
    names = public_names(game).actions
    for seat, (plex, strategy) in enumerate(zip(form.treeplexes, strategies, strict=True)):
        for state, number in plex.number.items():
            chances = strategy[plex.first[number] : plex.first[number + 1]].tolist()
            for action, chance in zip(plex.actions[number], chances, strict=True):
                cells = (seat, state.strip(), names[action], repr(chance))
                yield dict(zip(HEAD, cells, strict=True))


def read_policy_table(path: Path) -> Mapping[str, Mapping[str, float]]:
    """Return the probabilities in a table, by information state and name of the action.

    Spaces at the ends of information states do not count. Raises BotError, OSError or
    UnicodeDecodeError.
    """
    policy: dict[str, dict[str, float]] = {}
    problems = []
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file)
        try:
            if tuple(next(reader, ())) != HEAD:
                problems.append((1, f"the first line has to be {','.join(HEAD)}"))
            for row in reader:
                if row and (problem := _add_row(policy, row)):
                    problems.append((reader.line_num, problem))
        except csv.Error as error:
            problems.append((reader.line_num, str(error)))
    lines = [f"{path}:{line}: {problem}" for line, problem in problems]
    if not lines:
        lines = [
            f"{path}: {clipped(text)!r}: {problem}"
            for text, chances in policy.items()
            if (problem := policy_problem(chances.values()))
        ]
    if lines:
        raise BotError(
            f"{path} is not a table of a policy:\n{few_of(lines)}\n"
            "fix: `cardhub solve GAME --policy FILE` writes such a table"
        )
    return policy


def few_of(lines: Sequence[str]) -> str:
    """Return the first lines, and how many more there are."""
    more = [f"and {len(lines) - MOST_LISTED} more"] if len(lines) > MOST_LISTED else []
    return "\n".join([*lines[:MOST_LISTED], *more])


def _add_row(policy: dict[str, dict[str, float]], row: Sequence[str]) -> str:
    """Add a row to a policy, or return why it is not one."""
    if len(row) != len(HEAD):
        return f"a row has {len(HEAD)} cells, this one has {len(row)}"
    seat, state, action, chance = (cell.strip() for cell in row)
    # An information state begins with the seat.
    if state.partition(" | ")[0] != seat:
        return f"{clipped(state)!r} is not an information state of seat {clipped(seat)!r}"
    chances = policy.setdefault(state, {})
    if action in chances:
        return f"the action {clipped(action)!r} is listed twice in {clipped(state)!r}"
    try:
        chances[action] = float(chance)
    except ValueError:
        return f"{clipped(chance)!r} is not a probability"
    return ""
