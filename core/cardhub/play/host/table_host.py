"""The host of a table: its game in progress, and the sessions of its people."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

from typing_extensions import override

from cardhub.base.errors import BotFaultError, IllegalActionError
from cardhub.model.game.initial_state import Seed
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.model.table.goal import Goal
from cardhub.model.table.settings import Value
from cardhub.model.table.state_declaration import shows_spectators_more
from cardhub.play.announcing.announcer import count_events
from cardhub.play.fault_report import decisions, save_fault
from cardhub.play.history_entries import PRESENCE, Note, Noted
from cardhub.play.host.replays.replay import LiveReplay, Replay, replay_so_far
from cardhub.play.host.replays.viewpoints import is_opened
from cardhub.play.host.running_table import RunningTable
from cardhub.play.host.scheduler import Scheduler
from cardhub.play.host.turns.hint_requests import HintRequests
from cardhub.play.host.viewer_session import ViewerSession
from cardhub.play.referee import Referee, find_redraw
from cardhub.play.seating import Player
from cardhub.play.seeds import seed_in_words
from cardhub.play.table_model import TableModel
from cardhub.play.workers.bot_messages import NETWORK, advisers_of, bots_of
from cardhub.play.workers.client import BotClient
from cardhub.plugins.bot_files import check_networks
from cardhub.plugins.registry import PluginRegistry


class Host(RunningTable):
    """One table: sessions for its people and for spectators, and the resources to release.

    `hint` is the spec of the adviser. With
    `stops_at_summaries` bots wait while a person with a session has unread summaries; if only
    bots play, while a spectator has unread summaries and actions are shown one by one. `is_lesson`:
    comments are shown at decisions of the learner.
    """

    is_lesson: ClassVar[bool] = False

    def __init__(
        self,
        referee: Referee[Any],
        bots: BotClient,
        adviser: BotClient,
        scheduler: Scheduler,
        *,
        hint: str,
        pace: float = 0,
        path: Path | None = None,
    ) -> None:
        super().__init__(referee, bots, scheduler, pace, path)
        self.resources = ExitStack()
        # The plugins that the table was opened with, for its replay and the next game.
        self.registry: PluginRegistry | None = None
        self.stops_at_summaries = True
        self._hints = HintRequests(self, adviser, hint)
        self._sessions: dict[int, ViewerSession] = {}
        self._models: dict[int, TableModel] = {}
        self._shows_hands = False  # those of bots, to viewers without a seat
        # The bots of a resumed game were not asked for these decisions; a fault file says so.
        self._previous = decisions(referee)
        self.blockers.append(self._has_readers)

    @property
    def title(self) -> str:
        """The title of the game."""
        return self._referee.game.title

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._referee.game.name

    @property
    def has_lesson(self) -> bool:
        """Whether the game has a lesson for its first hand."""
        return self._referee.game.display.lesson() is not None

    @property
    def aim(self) -> str:
        """A sentence on who wins; empty if the highest score wins, as people expect."""
        game = self._referee.game
        return f"The fewest {game.unit} win." if game.lowest_wins else ""

    @property
    def settings(self) -> Mapping[str, Value]:
        """The values of the game's options."""
        return self._referee.settings

    @property
    def helps(self) -> bool:
        """Whether the table gives hints and takes actions back."""
        return self._referee.helps

    @property
    def seed_text(self) -> str:
        """The seed as text for the record's owner; before the end, a drawn one's commitment."""
        return seed_in_words(self._referee.seed, is_open=self.is_over)

    @property
    def deal_seed(self) -> Seed:
        """The seed of a finished game; raises ValueError before, because it reveals the deal."""
        if not self.is_over:
            raise ValueError("the deal of a game that is not over is secret")
        return self._referee.seed

    @property
    def shows_spectators_hands(self) -> bool:
        """Whether spectators see hands that their owners do not see."""
        return shows_spectators_more(self._referee.game.state_type.zones)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._referee.is_over

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won: none before the end, in a draw, or if all have lost."""
        result, scoring = self._referee.result(), self._referee.scoring
        if not self.is_over:
            return ()
        if scoring.goal is Goal.COMMON:
            return tuple(range(len(result.places))) if scoring.is_won(result.scores[0]) else ()
        is_drawn = max(result.places) == 1
        return tuple(s for s, place in enumerate(result.places) if place == 1 and not is_drawn)

    @property
    def step(self) -> int:
        """The number of the last step."""
        return count_events(self._referee)

    @property
    def is_paced(self) -> bool:
        """Whether bots wait between their actions now."""
        return self.turns.is_waiting

    @property
    def departed(self) -> frozenset[int]:
        """The seats whose people have left or ran out of time, and are not back yet."""
        noted = (entry for entry in self._referee.entries if isinstance(entry, Noted))
        notes = {entry.seat: entry.note for entry in noted if entry.note in PRESENCE}
        return frozenset(seat for seat, note in notes.items() if note != "back")

    @property
    def viewers(self) -> tuple[int, ...]:
        """The viewers who may see the table now: people and spectators.

        All may see it if no person plays, or if the game is over and opens its cards. The number of
        seats stands for a spectator.
        """
        seats = len(self._referee.players)
        is_open = not self.people or is_opened(self._referee.game, is_over=self.is_over)
        return (*range(seats), seats, EVERYTHING) if is_open else (*self.people, seats)

    def session(self, viewer: int) -> ViewerSession:
        """Return the session of a viewer, the same one each time; raises ValueError."""
        if viewer not in self._sessions:
            if viewer not in self.viewers:
                raise ValueError(f"viewer {viewer} may not see this table: a person plays")
            self._sessions[viewer] = self._new_session(viewer)
            spectator = len(self._referee.players)
            self._shows_hands |= viewer not in (*self.people, spectator) and not self.is_over
        return self._sessions[viewer]

    def model(self, viewer: int) -> TableModel:
        """Return a front end's model for a viewer, the same one each time; raises ValueError."""
        if viewer not in self._models:
            if not self._models:
                self.subscribe(self._outdate_models)
            self._models[viewer] = TableModel(self.session(viewer))
        return self._models[viewer]

    def replace(
        self, seat: int, player: Player, agreed: Sequence[int] = (), by: int | None = None
    ) -> None:
        """Give a seat to another player: to a bot, back to its person, or to another person.

        `agreed`, `by`: as in Seated. If a bot is thinking there, it is cancelled. Raises
        SeatingError for the name, PluginError or OptionError for an unknown bot, and
        IllegalActionError if the game is over or a person would sit down in a game of bots whose
        hands have been shown.
        """
        self._check_player(player)
        with self._recording:
            self._referee.seat_player(seat, player, agreed, by)
        if player.is_human:
            self._seats_of_people.add(seat)
        is_to_act = seat in self.choices.asked
        if is_to_act:
            # An action that was chosen for the player before must not count.
            self.choices.withdraw(seat)
            self._outdate()
            if self.clock is not None:
                self.clock.end_turn(seat)
        if is_to_act or self.activity.name in ("bot", "only_choice"):
            # Also if another bot is thinking: its client may have dropped the question.
            self._interrupt()
        self._check_record()
        # Without plugins the clients know their bots.
        if self.registry is not None:
            self.turns.reseat(bots_of(self._referee, self.registry))
            self._hints.reseat(advisers_of(self._referee, self.registry, self._hints.bot))
        self.notify()
        self.go_on()

    def note(self, seat: int, note: Note) -> None:
        """Note the presence of the person of a seat, or a power that the person used.

        Notes after the end of the game are ignored.
        """
        if not self._referee.is_over:
            with self._recording:
                self._referee.note(seat, note)
            self._check_record()
            self.notify()

    def take_back(self, seat: int, agreed: Sequence[int]) -> None:
        """Go back to before a seat's last action; `agreed`: the other seats that consented.

        The caller decides which seats must agree. Chance draws again if its outcomes were seen.
        Raises IllegalActionError.
        """
        if why := self.why_no_takeback(seat):
            raise IllegalActionError(why)
        self._check_goes_on()
        # The referee refuses a takeback if chance cannot draw again.
        is_anew = find_redraw(self._referee, seat).is_needed
        with self._recording:
            self._referee.take_back(seat, agreed, is_anew=is_anew)
        self._go_back()

    def why_not_again(self, seat: int) -> str:
        """Return why chance cannot draw again after a takeback of a seat; empty if it can.

        This plays the game again, so it takes longer than `why_no_takeback`.
        """
        return find_redraw(self._referee, seat).why_not

    def acting_seats(self) -> Sequence[int]:
        """Return the seats of all actions in order, without actions that were taken back."""
        return [step.seat for step in self._referee.observe(len(self.players)).history]

    def replay(self, viewer: int) -> Replay:
        """Return the replay of the game for a viewer, or for all if its cards have been opened."""
        is_open = self.is_over and EVERYTHING in self.viewers
        others = [other for other in self.viewers if other != viewer] if is_open else []
        return replay_so_far(self._referee, (viewer, *others), self.path)

    def live_replay(self) -> LiveReplay:
        """Return a replay that grows with the game; raises ValueError if a person plays."""
        if self.people:
            raise ValueError("a game with people is not shown to all viewers while it is played")
        self._shows_hands = True
        return LiveReplay(self._referee, self.path)

    def save_fault(self, fault: BotFaultError) -> Path:
        """Write the file that reproduces a fault of the bot to act; raises RecordError."""
        if self.path is None:
            raise ValueError("a table without a record has no folder for fault files")
        return save_fault(self._referee, fault, self.path, self._previous, self.bot_seat)

    @override
    def close(self) -> None:
        """Stop the bots and release the record; it is complete at any time."""
        super().close()
        self._hints.cancel()
        self._hints.reviews.close()
        self.resources.close()
        self._free()

    def _free(self) -> None:
        # The parts of a table refer to one another. Without this only a full garbage collection
        # would free an ended game, and a server with thousands of games rarely runs one.
        self.turns.close()
        self.blockers.clear()
        self._sessions.clear()
        self._models.clear()
        self._referee.forget_listeners()

    def _outdate_models(self) -> None:
        for model in self._models.values():
            model.outdate()

    def _new_session(self, seat: int) -> ViewerSession:
        return ViewerSession(self, self._referee, self._hints, seat)

    def _check_player(self, player: Player) -> None:
        """Raise as `replace` unless a player can sit down here."""
        if player.is_human and self._shows_hands:
            raise IllegalActionError(
                "a person cannot sit down here: the hands of this game's bots have been shown"
            )
        if self.registry is not None and not player.is_human and player.kind != NETWORK:
            referee = self._referee
            seats, options = len(referee.players), referee.settings
            check_networks(self.registry, player.kind, referee.game, seats, options)

    def _has_readers(self) -> bool:
        people, players = self.people, self._referee.players
        if not self.stops_at_summaries or not (people or self.turns.is_waiting):
            return False
        readers = [seat for seat in people if players[seat].is_human] or [len(players)]
        for reader in readers:
            session = self._sessions.get(reader)
            if session is not None and session.unread_summaries():
                return True
        return False
