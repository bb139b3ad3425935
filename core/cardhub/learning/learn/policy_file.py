"""Files of tabular policies: cardhub's tables, and what OpenSpiel's `serialize` writes.

OpenSpiel need not be installed.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cardhub.base.errors import BotError, IllegalActionError, SolvingError
from cardhub.base.writing import clipped
from cardhub.bots.bot import policy_problem
from cardhub.bots.solving.policy_table import few_of, read_policy_table
from cardhub.model.game.game import Game
from cardhub.model.hidden.determinize import why_no_determinizations
from cardhub.model.hidden.information_text import public_names
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Settings, Value

# Imported late, because numpy takes long to load and bots are listed at every start.
if TYPE_CHECKING:
    from cardhub.bots.solving.sequence_form import Treeplex
    from cardhub.learning.arrays import Layout

# `pyspiel.TabularPolicy.serialize` writes the head, then alternately a name and probabilities.
HEAD, SEPARATOR = "TabularPolicy:", "<~>"
# A policy is compared with the information states of trees of at most this number of nodes.
MOST_NODES = 20_000


class PolicyFile(NamedTuple):
    """A policy in a file: by information state, the probabilities of its actions.

    Information states have no spaces at their ends. Actions are named as in tables; with
    `is_numbered` they have OpenSpiel's numbers, which are a learner's.
    """

    rows: Mapping[str, Mapping[str, float]]
    is_numbered: bool

    def chances(self, observation: Observation[Any]) -> Mapping[str, float] | None:
        """Return the probabilities in an information state by action, or None if it is missing."""
        return self.rows.get(observation.information_text().strip())

    def action_of(self, observation: Observation[Any], key: str) -> int:
        """Return the legal action that the file calls `key`; raises IllegalActionError."""
        if self.is_numbered:
            state = observation.state
            layout = build_layout(observation.game, state.seats, tuple(state.settings.items()))
            return layout.action_of(observation, int(key))
        names = public_names(observation.game).actions
        for action in observation.legal():
            if names[action] == key:
                return action
        raise IllegalActionError(f"{clipped(key)!r} is not a legal action")


def read_policy(path: Path) -> PolicyFile:
    """Return the policy in a file, in either format; raises BotError.

    This process caches the policy until the file changes.
    """
    try:
        return _read(path, path.stat().st_mtime_ns)
    except (OSError, UnicodeDecodeError) as error:
        raise BotError(f"{path} cannot be read: {error}") from error


def check_policy(path: Path, game: Game[Any], seats: int, options: Settings) -> None:
    """Raise BotError if a policy does not fit a table whose tree is small.

    It must have no information state that the table does not have. It must have each information
    state that its own actions reach, for the seats of which it has any, with legal actions only.
    """
    if not why_no_determinizations(game):  # a tree needs them
        _check(path, path.stat().st_mtime_ns, game, seats, tuple(options.items()))


@lru_cache(maxsize=8)
def build_layout(game: Game[Any], seats: int, options: tuple[tuple[str, Value], ...]) -> "Layout":
    """Return the layout of a table, which has OpenSpiel's numbers of actions."""
    from cardhub.learning.arrays import Layout

    return Layout(game, seats, Settings(dict(options)))


@lru_cache(maxsize=8)
def _read(path: Path, changed: int) -> PolicyFile:
    with path.open(encoding="utf-8") as file:
        if file.read(len(HEAD)) != HEAD:
            return PolicyFile(read_policy_table(path), is_numbered=False)
        parts = file.read().split(SEPARATOR)
    if len(parts) % 2:
        raise BotError(f"{path} is damaged: an information state has no probabilities")
    policy: dict[str, Mapping[str, float]] = {}
    problems = []
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        try:
            if name.strip() in policy:
                raise ValueError("the information state is listed twice")
            policy[name.strip()] = _parse_chances(text)
        except ValueError as error:
            problems.append((name, str(error)))
    _raise_for(path, "is not a policy", problems, "write the file by pyspiel's `serialize`")
    return PolicyFile(policy, is_numbered=True)


def _parse_chances(text: str) -> dict[str, float]:
    """Return the probabilities of an information state; raises ValueError."""
    chances: dict[str, float] = {}
    for entry in text.split(","):
        number, equals, chance = entry.partition("=")
        if not (equals and number.isdecimal()):
            raise ValueError(f"{clipped(entry)!r} is not ACTION=PROBABILITY")
        key = str(int(number))
        if key in chances:
            raise ValueError(f"action {key} is listed twice")
        chances[key] = _parse_chance(chance)
    if problem := policy_problem(chances.values()):
        raise ValueError(problem)
    return chances


def _parse_chance(text: str) -> float:
    # `serialize` writes hexadecimal numbers, or decimal ones if it gets `double_precision`.
    try:
        return float.fromhex(text) if "x" in text.lower() else float(text)
    except (ValueError, OverflowError):
        raise ValueError(f"{clipped(text)!r} is not a probability") from None


@lru_cache(maxsize=8)
def _check(
    path: Path, changed: int, game: Game[Any], seats: int, options: tuple[tuple[str, Value], ...]
) -> None:
    from cardhub.bots.solving.sequence_form import sequence_form

    policy = read_policy(path)
    try:
        plexes = sequence_form(game, seats, Settings(dict(options)), MOST_NODES).treeplexes
    except SolvingError:
        return  # too large: an information state that is missing is reported when it is reached
    known = {name.strip() for plex in plexes for name in plex.number}
    problems = [(name, "this table has no such state") for name in policy.rows if name not in known]
    for plex in plexes:
        if any(name.strip() in policy.rows for name in plex.number):
            problems += _seat_problems(policy, plex)
    fix = "solve the game with the same players and options"
    _raise_for(path, f"is not a policy for this table of {game.name}", problems, fix)


def _seat_problems(policy: PolicyFile, plex: "Treeplex") -> Iterator[tuple[str, str]]:
    """Yield the information states of a seat that are missing or have illegal actions."""
    reached = {0}  # the sequences that the policy plays
    # An information set comes after the sets that lead to it.
    for name, number in sorted(plex.number.items(), key=lambda item: item[1]):
        if plex.parent[number] not in reached:
            continue
        observation = plex.observations[number]
        chances = policy.chances(observation)
        if chances is None:
            yield name, "it is missing"
            continue
        for key, chance in chances.items():
            try:
                action = policy.action_of(observation, key)
            except IllegalActionError:
                yield name, f"action {clipped(key)} is not legal there"
                continue
            if chance:
                reached.add(int(plex.first[number]) + plex.actions[number].index(action))


def _raise_for(path: Path, problem: str, problems: list[tuple[str, str]], fix: str) -> None:
    """Raise BotError with a line for each information state that has a problem."""
    if not problems:
        return
    lines = [f"{clipped(name)!r}: {why}" for name, why in problems]
    raise BotError(f"{path} {problem}:\n{few_of(lines)}\nfix: {fix}")
