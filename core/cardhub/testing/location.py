"""How somebody else comes to where a check has failed."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from cardhub.bots import RANDOM
from cardhub.game.game import Game
from cardhub.play.records.recording import as_record
from cardhub.play.seating import HUMAN, NAMES, Player
from cardhub.table.settings import Value, format_value
from cardhub.table.state import CHANCE, OVER
from cardhub.testing.deal_replay import retrace
from cardhub.testing.random_play import Position, Trial

LAST = 6
"""With how many actions a brief text ends."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a random game something was found.

    `options` are those of the game that are not as usual. `seat` is the bot's, if it is a bot that
    is checked; `actions` led there: who acted, a seat or CHANCE, and the action as records write
    it. `cardhub play` deals the same cards to as many players with this seed and these options.
    """

    seed: int
    players: int
    options: Mapping[str, Value]
    seat: int | None
    actions: tuple[tuple[int, str], ...]

    def __str__(self) -> str:
        return f"{self._table()}, {self._path(self.actions)}"

    def brief(self) -> str:
        """Return the same with no more than the last actions."""
        left = len(self.actions) - LAST
        if left <= 0:
            return str(self)
        return f"{self._table()}, {self._path(self.actions[left:], 'in the end ')}"

    def facts(self) -> dict[str, Any]:
        """Return the same for programs."""
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
        told = "; ".join(f"{_who(seat)}: {', '.join(a for _, a in turn)}" for seat, turn in turns)
        count = len(self.actions)
        many = f"{count} action" + ("s" if count != 1 else "")
        return f"after {many}: {when}{told}" if told else "before any action"


def _who(seat: int) -> str:
    return "chance" if seat == CHANCE else NAMES[seat]


def unusual(game: Game[Any], trial: Trial) -> dict[str, Value]:
    """Return the options of a trial that are not as usual."""
    return {n: v for n, v in trial.settings.items() if v != game.options[n].default}


class Trace(NamedTuple):
    """A place, and the record of the game up to there: without lines if none could be written."""

    place: Place | None = None
    record: tuple[str, ...] = ()


def trace(game: Game[Any], where: Trial | Position[Any]) -> Trace:
    """Return where a check failed, by the actions that led there."""
    if isinstance(where, Trial):
        return Trace(_place(game, where, ()))
    try:
        lines = _record(game, where)
    except Exception:  # noqa: BLE001  # the rules of a faulty game may raise anything
        steps = ((step.seat, _plain(game, step.action)) for step in where.history)
        return Trace(_place(game, where.trial, tuple(steps)))
    told = (json.loads(line) for line in lines)
    actions = [(_seat(line["seat"]), line["action"]) for line in told if "action" in line]
    return Trace(_place(game, where.trial, tuple(actions)), tuple(lines))


def _record(game: Game[Any], position: Position[Any]) -> list[str]:
    """Return the record of a game up to a position, at which a person sits who is to act."""
    trial, state = position.trial, position.state
    kinds = [RANDOM.name] * trial.seats
    kinds[max(state.seat, 0)] = HUMAN
    players = [Player(*who) for who in zip(NAMES, kinds, strict=False)]
    referee = retrace(game, position, state, players)
    if state.seat == OVER:
        referee.proceed()
    return as_record(referee).splitlines(keepends=True)


def _place(game: Game[Any], trial: Trial, actions: tuple[tuple[int, str], ...]) -> Place:
    return Place(trial.seed, trial.seats, unusual(game, trial), None, actions)


def _plain(game: Game[Any], action: int) -> str:
    """Return an action without the names of cards."""
    return game.actions.text(action, lambda token: f"#{token}")


def _seat(written: int | str) -> int:
    return written if isinstance(written, int) else CHANCE
