"""The events of a record for one viewer, with reviews of the decisions, and its rounds."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from cardhub.model.game.game import Game
from cardhub.model.game.scene import Summary
from cardhub.play.announcing.announcer import count_events, follow
from cardhub.play.announcing.events import Event, standing_summaries
from cardhub.play.records.reading import Record
from cardhub.play.records.replaying import open_record, replay_to_end, replayed
from cardhub.play.referee import Referee
from cardhub.play.review import DecisionReview, Reviewer


class RecordedRound(NamedTuple):
    """A round of a recorded game: the numbers of its first and last event, and its summary."""

    first: int
    last: int
    summary: Summary


@dataclass(frozen=True, slots=True)
class EventReplay:
    """A replay of a record for a viewer, from the event `first` to the event `last`.

    `reviewer` compares the decisions with the choices of `bot`; it is None without a bot.
    """

    record: Record
    referee: Referee[Any]
    viewer: int
    first: int
    last: int | None
    bot: str
    reviewer: Reviewer | None

    def events(self) -> Iterator[tuple[Event, DecisionReview | None]]:
        """Replay the record; yield its events, each with the optional review of its decision."""
        # Filled by the callback while a line is replayed; the line may not have an event for this
        # viewer.
        pending: list[Event] = []
        follow(self.referee, self.viewer, pending.append)
        # The observation before a line is what its player knew; after the line it is gone.
        self._look()
        for _ in replay_to_end(self.record, self.referee):
            while pending:
                event = pending.pop(0)
                if event.number >= self.first:
                    yield event, self.reviewer.judge(event) if self.reviewer else None
                if event.number == self.last:
                    return
            # The last event may be hidden from this viewer: then no event has its number.
            if self.last is not None and count_events(self.referee) > self.last:
                return
            self._look()

    def _look(self) -> None:
        if self.reviewer:
            self.reviewer.look(self.referee)


def recorded_rounds(game: Game[Any], record: Record, viewer: int) -> list[RecordedRound]:
    """Return the rounds with a summary; raises RecordError."""
    rounds: list[RecordedRound] = []
    events: list[Event] = []
    referee = open_record(game, record)
    follow(referee, viewer, events.append)
    replayed(record, referee)
    for event in standing_summaries(events):
        if event.summary is not None:
            first = rounds[-1].last + 1 if rounds else 0
            rounds.append(RecordedRound(first, event.number, event.summary))
    return rounds


def is_played_out(game: Game[Any], record: Record) -> bool:
    """Return whether a recorded game is over, with or without scores; raises RecordError."""
    return record.is_finished or replayed(record, open_record(game, record)).is_over
