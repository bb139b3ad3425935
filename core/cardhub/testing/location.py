"""Locations of failed checks: the random game and its actions, for people and for programs."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from cardhub.base.writing import amount
from cardhub.bots import RANDOM
from cardhub.bots.deadline import within
from cardhub.model.game.game import Game
from cardhub.model.table.settings import Value, format_value
from cardhub.model.table.state import CHANCE, OVER
from cardhub.play.records.recording import as_record
from cardhub.play.seating import HUMAN, NAMES, Player
from cardhub.testing.checking import LIMIT
from cardhub.testing.deal_replay import retrace
from cardhub.testing.random_play import Position, Trial, changed_options

# Number of actions in a brief text.
LAST_ACTIONS = 6


@dataclass(frozen=True, slots=True)
class Location:
    """A position in a random game at which a check failed.

    `options` are the options without their default values, `seat` is the seat of the checked bot.
    `actions` are pairs of seat (or CHANCE) and notation. `cardhub play` deals the same cards to the
    same number of players with this seed and these options. `rounds` is the number of rounds of
    random games after which the check of a game reaches it again.
    """

    seed: int
    players: int
    options: Mapping[str, Value]
    seat: int | None
    actions: tuple[tuple[int, str], ...]
    rounds: int = 1

    def __str__(self) -> str:
        return f"{self._table()}, {self._path(self.actions)}"

    def brief(self) -> str:
        """Return the location as a string with the last actions only."""
        left = len(self.actions) - LAST_ACTIONS
        if left <= 0:
            return str(self)
        return f"{self._table()}, {self._path(self.actions[left:], 'in the end ')}"

    def facts(self) -> dict[str, Any]:
        """Return the location as a dict of JSON values."""
        actions = [
            {"seat": "chance" if seat == CHANCE else seat, "action": action}
            for seat, action in self.actions
        ]
        return {
            "seed": self.seed,
            "players": self.players,
            "options": dict(self.options),
            "seat": self.seat,
            "actions": actions,
        }

    def _table(self) -> str:
        options = "".join(f", {name}={format_value(v)}" for name, v in self.options.items())
        who = "" if self.seat is None else f", seat {self.seat} ({NAMES[self.seat]})"
        return f"seed {self.seed}, {self.players} players{options}{who}"

    def _path(self, actions: Iterable[tuple[int, str]], when: str = "") -> str:
        turns = groupby(actions, key=itemgetter(0))
        text = "; ".join(f"{_name(seat)}: {', '.join(a for _, a in turn)}" for seat, turn in turns)
        return (
            f"after {amount(len(self.actions), 'action')}: {when}{text}"
            if text
            else "before any action"
        )


def trace(game: Game[Any], where: Trial | Position[Any]) -> tuple[Location, tuple[str, ...]]:
    """Return the location of a trial or position, and the lines of a record up to there.

    There are no lines if no record could be written.
    """
    if isinstance(where, Trial):
        return _location(game, where, ()), ()
    try:
        # Rules that do not return may do so again on the way.
        lines = within(LIMIT, _record, game, where)
    except Exception:  # noqa: BLE001  # the rules of a faulty game may raise anything
        # Without a record cards have no notations: they are named by token.
        steps = (
            (step.seat, game.actions.text(step.action, lambda token: f"#{token}"))
            for step in where.history
        )
        return _location(game, where.trial, tuple(steps)), ()
    entries = (json.loads(line) for line in lines)
    actions = [(_seat(entry["seat"]), entry["action"]) for entry in entries if "action" in entry]
    return _location(game, where.trial, tuple(actions)), tuple(lines)


def _record(game: Game[Any], position: Position[Any]) -> list[str]:
    trial, state = position.trial, position.state
    kinds = [RANDOM.name] * trial.seats
    kinds[max(state.seat, 0)] = HUMAN  # whoever resumes the record sees the failing position first
    players = [Player(*who) for who in zip(NAMES, kinds, strict=False)]
    referee = retrace(game, position, state, players)
    if state.seat == OVER:
        referee.proceed()
    return as_record(referee).splitlines(keepends=True)


def _location(game: Game[Any], trial: Trial, actions: tuple[tuple[int, str], ...]) -> Location:
    options, rounds = changed_options(game, trial), trial.round + 1
    return Location(trial.seed, trial.seats, options, None, actions, rounds)


def _seat(written: int | str) -> int:
    return written if isinstance(written, int) else CHANCE


def _name(seat: int) -> str:
    return "chance" if seat == CHANCE else NAMES[seat]
