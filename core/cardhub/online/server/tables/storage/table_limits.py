"""Limits of a server's tables, so that no client can fill its memory or disk."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableLimits:
    """Limits of a lobby; times are in seconds.

    `tables` is the number on disk, `tables_by_address` those that one address has made and that
    still exist. A table whose game never started is deleted when nobody has changed it for
    `unstarted`; one without visitors leaves memory after `idle`. A table has so many `games`. In a
    game of so many `steps` nothing is taken back any more, no hint is given, and no person is
    replaced, so that its record ends. `lets_programs`: clients may
    choose bots that are programs of this machine.
    """

    tables: int = 10_000
    tables_by_address: int = 200
    visitors: int = 100
    visitors_by_token: int = 8
    unstarted: float = 3 * 86_400
    idle: float = 120
    games: int = 500
    steps: int = 5000
    lets_programs: bool = False
