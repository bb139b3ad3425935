"""The steps of a game: its full states after every line of a record, kept for random access."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from cardhub.model.hidden.observation import EVERYTHING, Observation
from cardhub.play.history_entries import Entry, Taken, TakenBack, Undone
from cardhub.play.records.reading import Record
from cardhub.play.records.replaying import replay_to_end
from cardhub.play.referee import Referee
from cardhub.play.seating import Player, bots_by_seat, names_by_seat
from cardhub.view.building import build_view
from cardhub.view.view import View


class ReplayStep(NamedTuple):
    """An entry of a game, the full state and the players after it.

    Step 0 is the deal. `is_stop`: no seat is asked between an action and the shuffles that it
    requires, so a replay stops after the last of them.
    """

    entry: Entry
    full: Observation[Any]
    is_stop: bool
    players: tuple[Player, ...]

    def observe(self, viewer: int) -> Observation[Any]:
        """Return the observation of a viewer after this step."""
        full = self.full
        if viewer == EVERYTHING:
            return full
        return Observation(full.game, full.state, viewer, full.history)


def steps_of_record(record: Record, referee: Referee[Any]) -> list[ReplayStep]:
    """Replay a whole record with a referee in its initial state; raises RecordError."""
    return _collected(referee, lambda: replay_to_end(record, referee))


def steps_so_far(referee: Referee[Any]) -> tuple[Referee[Any], list[ReplayStep]]:
    """Return the steps of a game that is being played, and a referee of their own after them."""
    again = referee.restarted()
    # The entries of now: the game may go on meanwhile.
    entries = referee.entries[1:]
    return again, _collected(again, lambda: map(again.apply_entry, entries))


def view_of_step(referee: Referee[Any], step: int, viewer: int, revision: int) -> View:
    """Return the view after a past step of a game, with the players of then, without choices."""
    again = referee.restarted()
    for entry in referee.entries[1 : max(step, 0) + 1]:
        again.apply_entry(entry)
    return build_view(
        again.observe(viewer),
        names_by_seat(again.players),
        revision=revision,
        bots=bots_by_seat(again.players),
        has_choices=False,
    )


def standing_actions(steps: Iterable[ReplayStep]) -> list[int]:
    """Return the numbers of the steps with actions that were not undone, chance's included."""
    taken: list[int] = []
    for number, step in enumerate(steps):
        if isinstance(step.entry, Taken):
            taken.append(number)
        elif isinstance(step.entry, Undone):
            taken.pop()
        elif isinstance(step.entry, TakenBack):
            del taken[-step.entry.count :]
    return taken


def _collected(referee: Referee[Any], advance: Callable[[], Iterable[object]]) -> list[ReplayStep]:
    steps = [step_after(referee, referee.dealt)]
    referee.subscribe(lambda entry: steps.append(step_after(referee, entry)))
    for _ in advance():
        pass
    referee.forget_listeners()
    return steps


def step_after(referee: Referee[Any], entry: Entry) -> ReplayStep:
    """Return the step of the entry that a referee has just applied."""
    full = referee.observe(EVERYTHING)
    return ReplayStep(entry, full, not full.state.pending_shuffles, referee.players)
