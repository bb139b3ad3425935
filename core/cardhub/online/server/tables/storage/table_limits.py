"""Limits of a server's tables, because clients must not fill its memory or disk."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableLimits:
    """Limits of a lobby; times are in seconds.

    `tables`: the maximum number of tables outside the archive; `tables_by_address`: of one address,
    a fifth of the tables of an IPv6 network; if half of the tables are in use, a network may only
    have a tenth of the free places. `clients`: the maximum number of clients at a table;
    `clients_by_token`: of one person. `unvisited`: a table that nobody visits is archived after
    this time, or never if it is 0; `unstarted`: a table without a game is deleted after this time.
    `idle`: a table without clients is unloaded after this time. `games`: the maximum number of
    games per table. `steps`: after this many steps a game refuses takebacks, hints and
    replacements, to bound its record. `lets_programs`: clients may choose bots that are programs
    of this machine.
    """

    tables: int = 10_000
    tables_by_address: int = 200
    clients: int = 100
    clients_by_token: int = 8
    unvisited: float = 90 * 86_400
    unstarted: float = 3 * 86_400
    idle: float = 120
    games: int = 500
    steps: int = 5000
    lets_programs: bool = False
