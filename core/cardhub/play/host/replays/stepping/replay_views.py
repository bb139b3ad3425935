"""The views and logs of a replay, by step and viewer."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from cardhub.model.game.scene import Scene
from cardhub.model.hidden.observation import Observation
from cardhub.play.announcing.events import Event
from cardhub.play.host.replays.replay import Replay
from cardhub.play.host.replays.replay_log import is_own, is_person, log_lines, news_of, origins_in
from cardhub.play.seating import bots_by_seat, names_by_seat
from cardhub.view.area_views import ShownTokens, shown_tokens
from cardhub.view.building import build_view
from cardhub.view.log import joined, with_cards
from cardhub.view.texts.explanations import Explainer
from cardhub.view.view import LogLine, View


class ReplayViews:
    """Builds views with the players of the time; the viewers are permitted ones of the replay."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        # The last observation with its scene, and what was shown after the viewer's last action.
        self._seen: tuple[tuple[int, int], Observation[Any], Scene] | None = None
        self._own: tuple[tuple[int, int], ShownTokens] | None = None

    def view(self, step: int, viewer: int, *, has_choices: bool) -> View:
        """Return the view after a step; with `has_choices` with those of the time."""
        players = self._replay.players_at(step)
        names, bots = names_by_seat(players), bots_by_seat(players)
        # The only person is at the bottom of the table for viewers without a seat, too.
        people = [seat for seat, bot in enumerate(bots) if not bot]
        is_seat = 0 <= viewer < len(names)
        observation, scene = self.observed(step, viewer)
        return build_view(
            observation,
            names,
            revision=step,
            bots=bots,
            origins=self._origins(step, viewer),
            earlier=self._acted(step, viewer),
            own=None if is_seat or len(people) != 1 else people[0],
            scene=scene,
            has_choices=has_choices,
        )

    def log(self, step: int, viewer: int, since: int = 0) -> list[LogLine]:
        """Return the joined lines of the log after step `since`, up to a step."""
        later = [event for event in self._events(step, viewer) if event.number >= since]
        new = len(self._news(step, viewer))
        names = self._replay.referee.names
        lines = joined(log_lines(later, min(new, len(later))), names)
        return with_cards(lines, self._replay.game.cards.labels, names)

    def explainer(self, step: int, viewer: int) -> Explainer:
        """Return what describes the spots of a view."""
        names = names_by_seat(self._replay.players_at(step))
        return Explainer(self._replay.observe(step, viewer), names, self._origins(step, viewer))

    def observed(self, step: int, viewer: int) -> tuple[Observation[Any], Scene]:
        """Return the observation after a step, and its scene."""
        # Kept: the view and the coming action of a step need the same scene.
        key = step, viewer
        if self._seen is None or self._seen[0] != key:
            observation = self._replay.observe(step, viewer)
            self._seen = key, observation, observation.scene()
        return self._seen[1:]

    def _events(self, step: int, viewer: int) -> Sequence[Event]:
        events = self._replay.events(viewer)
        return events[: bisect_left(events, step, key=lambda event: event.number)]

    def _is_person(self, step: int, viewer: int) -> bool:
        return is_person(viewer, bots_by_seat(self._replay.players_at(step)))

    def _news(self, step: int, viewer: int) -> Sequence[Event]:
        is_person = self._is_person(step, viewer)
        return news_of(self._events(step, viewer), viewer, is_person=is_person)

    def _acted(self, step: int, viewer: int) -> ShownTokens | None:
        if not self._is_person(step, viewer):
            return None
        events = reversed(self._events(step, viewer))
        own = next((event.number for event in events if is_own(event, viewer)), None)
        if own is None:
            return None
        if self._own is None or self._own[0] != (own, viewer):
            # An event's number counts from 0: after it the replay is one step further.
            observation = self._replay.observe(own + 1, viewer)
            names = names_by_seat(self._replay.players_at(own + 1))
            acted = build_view(observation, names, has_choices=False)
            self._own = (own, viewer), shown_tokens(acted)
        return self._own[1]

    def _origins(self, step: int, viewer: int) -> dict[int, str]:
        return origins_in(self._news(step, viewer), len(self._replay.players))
