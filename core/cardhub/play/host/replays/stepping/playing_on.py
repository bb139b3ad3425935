"""Playing on from a step of a replay: a new game whose record names the game it continues."""

from collections.abc import Sequence
from typing import Any

from cardhub.base.errors import RecordError
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.model.table.state import OVER
from cardhub.play.history_entries import EditionChanged, Noted, Seated
from cardhub.play.host.replays.replay import Replay
from cardhub.play.records.header import PlayedOn
from cardhub.play.referee import Referee
from cardhub.play.seating import HUMAN, Player


def why_not_play_on(replay: Replay, step: int) -> str:
    """Return why a game cannot be played on from a step; empty if it can."""
    if EVERYTHING not in replay.viewers:
        if replay.is_over:
            return (
                "some cards of this game stay hidden, and playing on would show them. "
                "fix: play on from a record with all cards"
            )
        return (
            "this game is not over: playing on would show cards that are still secret. "
            "fix: finish it first"
        )
    if replay.steps[step].full.state.seat == OVER:
        return "the game is over here. fix: go back to an earlier step"
    return ""


def continued(replay: Replay, step: int, players: Sequence[Player]) -> Referee[Any]:
    """Return a referee of a new game after a step, with the same deal and chance outcomes.

    Its record begins with the lines of the old game up to the step. It has no commitment,
    because its players may know the cards. Raises RecordError if the step cannot be played on.
    """
    reason = why_not_play_on(replay, step)
    if reason:
        raise RecordError(reason)
    old = replay.referee
    source = PlayedOn(replay.path.name if replay.path else "", step)
    referee = Referee(
        old.game, players, old.settings, old.seed, list(old.dealt.deal.faces), played_on=source
    )
    for number in range(1, replay.stop_near(step) + 1):
        entry = replay.steps[number].entry
        # The players are others now, from the first line on.
        if not isinstance(entry, Seated | Noted | EditionChanged):
            referee.apply_entry(entry)
    return referee


def players_from(replay: Replay, viewer: int) -> list[Player]:
    """Return the players of a game that is played on: the people of the old one.

    If it had none, a person takes the seat of the viewer, or else the first seat.
    """
    players = list(replay.players)
    if not any(player.is_human for player in players):
        seat = viewer if 0 <= viewer < len(players) else 0
        players[seat] = Player(players[seat].name, HUMAN)
    return players
