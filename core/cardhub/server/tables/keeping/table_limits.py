"""Limits of a server's tables, so that no client can fill its memory or disk."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableLimits:
    """Limits of a lobby; times are in seconds.

    `tables` is the number on disk, `tables_by_address` those that one address has made and that
    still exist. A table that never started is deleted after `unstarted`, any other after `unused`
    without a visitor or change; 0 keeps it. `idle` is the time after which a table without
    visitors leaves memory. `lets_programs`: clients may choose bots that are programs of this
    machine.
    """

    tables: int = 10_000
    tables_by_address: int = 200
    visitors: int = 100
    visitors_by_token: int = 8
    unstarted: float = 3 * 86_400
    unused: float = 0
    idle: float = 120
    lets_programs: bool = False
