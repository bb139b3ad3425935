"""Through whose eyes a record may be seen."""

from collections.abc import Sequence

import click

from cardhub.errors.suggestions import did_you_mean
from cardhub.hidden.observation import EVERYTHING
from cardhub.play.records.reading import Record
from cardhub.play.seating import Player

ALL, SPECTATOR = "all", "spectator"


def choose_viewer(record: Record, who: str | None) -> int:
    """Return the viewer called `who`; raises click's usage error if a record must not show it.

    Without a name: everything, if the game is over and the record complete; else its only person,
    or a spectator.
    """
    header = record.header
    spectator = len(header.players)
    own = spectator if header.viewer is None else header.viewer
    if who is None:
        return _default(record, own)
    viewer = _named(header.players, who)
    if header.viewer is not None and viewer not in (own, spectator):
        held = viewer_name(header.players, own)
        raise click.UsageError(f"this record holds only what {held} saw; see it with --as {held}")
    if not record.is_finished and viewer != spectator and not _is_human(header.players, viewer):
        people = [player.name for player in header.players if player.is_human]
        known = " or ".join([*people, SPECTATOR])
        raise click.UsageError(
            f"this game is not over: what {who} sees may still matter. Until then: --as {known}"
        )
    return viewer


def viewer_name(players: Sequence[Player], viewer: int) -> str:
    """Return what a viewer is called on the command line."""
    if viewer == EVERYTHING:
        return ALL
    return players[viewer].name if viewer < len(players) else SPECTATOR


def _default(record: Record, own: int) -> int:
    if record.header.viewer is not None:
        return own
    if record.is_finished:
        return EVERYTHING
    people = [seat for seat, player in enumerate(record.header.players) if player.is_human]
    return people[0] if len(people) == 1 else own


def _named(players: Sequence[Player], who: str) -> int:
    names = {player.name.casefold(): seat for seat, player in enumerate(players)}
    names = {ALL: EVERYTHING, SPECTATOR: len(players)} | names
    if who.casefold() in names:
        return names[who.casefold()]
    known = [*(player.name for player in players), SPECTATOR, ALL]
    hint = did_you_mean(who, known)
    raise click.UsageError(f"nobody here is called {who!r}.{hint} Known: {', '.join(known)}")


def _is_human(players: Sequence[Player], viewer: int) -> bool:
    return viewer >= 0 and players[viewer].is_human
