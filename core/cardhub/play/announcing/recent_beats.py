"""The beats of the last action, as one viewer saw them; several rooms show them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from cardhub.model.hidden.observation import Observation
from cardhub.model.table.beats import Beat
from cardhub.model.table.state import CHANCE
from cardhub.play.announcing.events import Event
from cardhub.play.referee import Referee
from cardhub.play.seating import Player, bots_by_seat, names_by_seat
from cardhub.play.table_messages import BeatView
from cardhub.view.building import build_view
from cardhub.view.explain.action_texts import beat_text
from cardhub.view.view import View


class _Noted(NamedTuple):
    """A beat of a step, with the step's event for the viewer and the players at the table."""

    beat: Beat
    event: Event
    players: Sequence[Player]


class RecentBeats:
    """The beats of the last action of a seat, and of chance's actions after it, for one viewer.

    Their views are built when a front end asks for them.
    """

    def __init__(self, viewer: int) -> None:
        self._viewer = viewer
        self._noted: list[_Noted] = []
        self._built: tuple[object, tuple[BeatView, ...]] = None, ()

    def note(self, referee: Referee[Any], event: Event) -> None:
        """Note the beats of the step that a referee has just taken."""
        if event.kind == "undo" or (event.kind == "action" and event.seat != CHANCE):
            self._noted = []
        if event.kind == "action":
            self._noted += [_Noted(beat, event, referee.players) for beat in referee.moments.beats]

    def views(self, seen: Observation[Any], revision: int, pace: float) -> tuple[BeatView, ...]:
        """Return the beats in order; `seen`: the viewer's observation after them."""
        if not self._noted:
            return ()
        key = (self._noted[0].event.number, len(self._noted), revision, pace)
        if self._built[0] != key:
            views = [self._view(noted, seen, revision, pace) for noted in self._noted]
            self._built = key, tuple(views)
        return self._built[1]

    def _view(self, noted: _Noted, seen: Observation[Any], revision: int, pace: float) -> BeatView:
        beat, event, players = noted
        step = event.number + 1
        observation = Observation(seen.game, beat.state, self._viewer, seen.history)
        view = view_of_beat(
            observation,
            beat,
            names_by_seat(players),
            revision=revision,
            bots=bots_by_seat(players),
            origins=marked_cards(beat, event.origins, step),
        )
        return BeatView(step=step, seconds=beat.seconds(pace), view=view)


def marked_cards(beat: Beat, origins: Mapping[int, str], step: int) -> dict[int, str]:
    """Return the origins of a beat's cards, which mark them; `origins`: by the step's event."""
    return {token: origins.get(token, f"step {step}") for token in beat.cards}


def view_of_beat(
    observation: Observation[Any],
    beat: Beat,
    players: Sequence[str],
    *,
    revision: int = 0,
    bots: Sequence[str] = (),
    origins: Mapping[int, str] | None = None,
    own: int | None = None,
) -> View:
    """Return the table at a beat as a viewer sees it; `observation`: of the beat's state.

    `own`: the seat at the bottom, by default the viewer's.
    """
    view = build_view(
        observation,
        players,
        revision=revision,
        bots=bots,
        origins=origins,
        own=own,
        has_choices=False,
    )
    by = CHANCE if beat.by is None else beat.by
    prompt = beat_text(beat, observation, players.__getitem__)
    return msgspec.structs.replace(view, prompt=prompt, to_act=by)
