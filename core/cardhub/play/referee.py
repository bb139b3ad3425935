"""The referee: in play the only holder of the true state, with its history and its undo stack."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from random import Random
from typing import Any, Generic

from cardhub.base.errors import HiddenFaceError, IllegalActionError
from cardhub.base.errors.quoting import as_int
from cardhub.model.game.game import Game, S
from cardhub.model.game.initial_state import Seed, game_scoring, initial_state
from cardhub.model.game.sides import complete_sides, known_sides, with_sides
from cardhub.model.hidden.chance import masks_at_shuffles, sample_action, sample_outcome
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import EVERYTHING, Observation, Step, observe_step
from cardhub.model.hidden.outcomes import Outcome, apply_outcome
from cardhub.model.table.beats import NO_MOMENTS, apply_watched
from cardhub.model.table.faces import Faces, blanked, masked_log
from cardhub.model.table.rounds import (
    acting_seats,
    count_choices,
    is_in_round,
    is_round_complete,
)
from cardhub.model.table.scoring import Scoring
from cardhub.model.table.secrets import noted_clone
from cardhub.model.table.settings import Settings
from cardhub.model.table.state import CHANCE, OVER, State
from cardhub.play.history import History, check_agreed
from cardhub.play.history_entries import (
    Dealt,
    EditionChanged,
    Ended,
    Entry,
    Hinted,
    Note,
    Noted,
    Seated,
    Shuffled,
    Taken,
    TakenBack,
    Undone,
    standing_entries,
)
from cardhub.play.records.edition import Edition
from cardhub.play.records.header import PlayedOn, fits, read_action
from cardhub.play.redrawing import Redraw, plan_redraw
from cardhub.play.seating import Player, check_player_name

NO_UNDO = (
    "{player} cannot take anything back: a card has been seen or another player has acted since, "
    "or there is no action yet"
)


class Referee(Generic[S]):
    """Runs a game: checks actions, draws chance outcomes, keeps the history.

    `faces`: the deal in token order; `backs` and `answers` are needed if faces are blank. `seed`
    determines the later chance outcomes. `commitment`: the commitment to a drawn seed, for the
    record. `played_on`: the game that this one continues. Call `proceed` first. `entries` reveal
    all cards: players get only observations and events (`follow`).
    """

    is_practice = False  # in practice, which is in no record, the end can be taken back

    def __init__(
        self,
        game: Game[S],
        players: Sequence[Player],
        settings: Settings,
        seed: Seed,
        faces: Faces,
        backs: Sequence[int] | None = None,
        answers: Sequence[bool] = (),
        commitment: str | None = None,
        played_on: PlayedOn | None = None,
    ) -> None:
        self.game = game
        self.settings = settings
        self.scoring = game_scoring(game, settings, len(players))
        self.seed = seed
        self.commitment = commitment
        self.played_on = played_on
        self.edition: Edition | None = None  # for the record; set before it begins
        self.helps = True  # whether a table gives hints and takes actions back; set before a record
        # The object that turns entries into events, created with the first follower of a viewer.
        self.announcer: Any = None
        self.notes_moments = False  # for replays; an announcer needs no flag
        self.moments = NO_MOMENTS  # of the last action, if they are noted
        self._state: S = initial_state(game, settings, len(players), faces, backs, answers)
        # The deal before any shuffle; a redacted record has blank faces.
        self.dealt = Dealt(Outcome(tuple(blanked(self._state.face)), self._state.back))
        self._history = History(self.dealt, players)
        # The history's own lists: all entries, and by seat all names that its players have had.
        self.entries, self.names = self._history.entries, self._history.names
        self.first_players = self._history.players
        self._undo: UndoStack[S] = UndoStack()
        self._legal: list[int] | None = None  # in the current state, computed on demand
        self._allowed: list[tuple[int, ...]] = []  # masks for the pending shuffles
        # Takebacks after which chance draws again, and shuffles that the last one has requested.
        self._redraws = self._due_redraws = 0
        self._answers = tuple(answers)  # a redacted record's public answers for later actions
        cards = (faces, backs, answers)
        self._arguments = (game, players, settings, seed, *cards, commitment, played_on)
        self._named: tuple[Faces, Sequence[Player], Labels] | None = None

    @property
    def seat(self) -> int:
        """The seat to act, CHANCE, or OVER once the game has ended."""
        return self._state.seat

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._state.seat == OVER

    @property
    def players(self) -> tuple[Player, ...]:
        """The current players by seat."""
        return self._history.players

    @property
    def action_count(self) -> int:
        """Number of actions: with chance's actions, without undone actions."""
        return len(self._history.steps)

    def observe(self, viewer: int) -> Observation[S]:
        """Return the observation of a viewer: a seat, or the number of seats for a spectator."""
        return Observation(self.game, self._state, viewer, self._history.steps)

    def observable(self) -> "ObservableState[S]":
        """Return the current position; later actions do not change it."""
        return ObservableState(self.game, self._state, self._history.steps)

    def subscribe(self, listener: Callable[[Entry], object]) -> None:
        """Call `listener` with every further entry."""
        self._history.listeners.append(listener)

    def forget_listeners(self) -> None:
        """Remove all listeners; reference counting alone then frees the referee."""
        self._history.listeners.clear()
        self.announcer = None

    def read_action(self, text: str) -> int:
        """Parse an action in the notation of records; raises IllegalActionError."""
        return read_action(self.game, self._state, text, self._labels(self._state))

    def restarted(self) -> "Referee[S]":
        """Return the same game before its first action."""
        again = Referee(*self._arguments)
        again.is_practice = self.is_practice
        return again

    def proceed(self) -> None:
        """Draw chance outcomes until a seat is to act or the game ends."""
        while self._state.pending_shuffles or self._state.seat == CHANCE:
            rng = _chance_rng(self)
            if self._state.pending_shuffles:
                self._lay(sample_outcome(self.game, self._state, rng))
            else:
                self.apply(sample_action(self.game, self._state, rng), draws=False)
        # The last entry is Ended already if a whole record has been replayed.
        if self.is_over and not isinstance(self.entries[-1], Ended):
            self._history.publish(self.result())

    def apply(self, action: object, *, draws: bool = True) -> None:
        """Apply an action of the seat to act, then, if it `draws`, chance's; raises as `check`."""
        number = self.check(action)
        # Not applied in place: undo restores the state before.
        before, legal = self._state, self._legal or ()
        after = noted_clone(before)
        is_watched = self.announcer is not None or self.notes_moments
        moments = apply_watched(self.game, after, number, is_watched=is_watched)
        allowed = masks_at_shuffles(self.game, before, after)
        notation = self._labels(before).notation(number, legal)
        # No code of the game runs from here on, so its exceptions leave the referee unchanged.
        self._state, self._legal, self._allowed, self.moments = after, None, allowed, moments
        self._history.steps.append(Step(before.seat, number))
        self._undo.push(before, after)
        self._history.publish(Taken(before.seat, number, notation))
        if draws:
            self.proceed()

    def apply_entry(self, entry: Entry) -> None:
        """Apply one entry of a record, chance outcomes included, without drawing any.

        Scores are computed, not taken from an Ended. Raises IllegalActionError if the entry is
        illegal here.
        """
        # Between an action and the outcomes of its shuffles, no other entry is possible.
        is_settled = not self._state.pending_shuffles
        match entry:
            case Undone() | TakenBack() | Seated() | Noted() | EditionChanged():
                self._repeat(entry)
            case Hinted(seat, bot) if seat in seats_to_act(self) and is_settled:
                self.note_hint(bot, seat)
            case Shuffled(outcome) if not is_settled:
                self._lay(outcome)
            case Taken(seat, action) if seat == self.seat and is_settled:
                self.apply(action, draws=False)
            case Ended() if self.is_over and is_settled:
                self._history.publish(self.result())
            case Taken(seat) | Hinted(seat):
                raise IllegalActionError(f"{self._history.player_name(seat)} is not to act here")
            case Shuffled():
                raise IllegalActionError("nothing was to be shuffled here")
            case _:
                raise IllegalActionError(f"{type(entry).__name__} is not possible here")

    def seat_player(
        self, seat: int, player: Player, agreed: Sequence[int] = (), by: int | None = None
    ) -> None:
        """Give a seat to another player, or to the same player under another name.

        `agreed`, `by`: as in Seated. Raises SeatingError for an invalid name or one that looks like
        another seat's, and IllegalActionError if the game is over or there is no such seat.
        """
        check_player_name(player.name)
        self._repeat(Seated(seat, player, tuple(agreed), by))

    def note(self, seat: int, note: Note) -> None:
        """Note the presence of the person of a seat, or a power that the person used.

        Raises IllegalActionError if the game is over or there is no such seat.
        """
        _check_goes_on(self, seat)
        self._history.publish(Noted(seat, note))

    def note_hint(self, bot: str, seat: int | None = None) -> None:
        """Note that a seat to act got a hint from a bot (a spec); raises IllegalActionError."""
        seat = self.seat if seat is None else seat
        if seat not in seats_to_act(self):
            raise IllegalActionError("no seat is to act, so there is no hint")
        self._history.publish(Hinted(seat, bot))

    def can_undo(self, seat: int) -> bool:
        """Return whether a seat can undo: until a seat learns a face or another seat acts."""
        return self._undo.can_undo(seat, self._state)

    def undo(self, seat: int) -> None:
        """Undo a seat's last action; raises IllegalActionError if it cannot be undone."""
        if not self.can_undo(seat):
            raise IllegalActionError(NO_UNDO.format(player=self._history.player_name(seat)))
        self._state, self._legal = self._undo.states.pop(), None
        self._history.steps.pop()
        self._history.publish(Undone(seat))

    def why_no_takeback(self, seat: int) -> str:
        """Return why the game cannot go back to before a seat's last action; empty if it can."""
        if self.is_over and not self.is_practice:
            return "the game is over"
        if reason := _why_not_back(self._state):
            return reason
        if not self._history.count_actions_since(seat):
            return f"{self._history.player_name(seat)} has not acted yet"
        return ""

    def take_back(self, seat: int, agreed: Sequence[int], *, is_anew: bool = False) -> None:
        """Go back to before a seat's last action; `agreed`: the other seats that consented.

        All later actions are removed, chance's included; of choices at the same time, the whole
        round is. Chance repeats its outcomes, or draws again with `is_anew`. Raises
        IllegalActionError.
        """
        count = _count_actions_since(self, seat)
        self._take_back(TakenBack(seat, count, tuple(agreed), is_anew=is_anew))
        self.proceed()

    def scores(self) -> list[int]:
        """Return every seat's current score."""
        return self.game.scores(self._state)

    def places(self) -> list[int]:
        """Return the place of every seat's team, 1 for the best; equal scores share a place."""
        return list(self.result().places)

    def result(self) -> Ended:
        """Return the scores in the current state, and the places and returns by them."""
        scores, scoring = self.scores(), self.scoring
        places, returns = scoring.places(scores), scoring.returns(scores)
        return Ended(tuple(scores), tuple(places), tuple(returns), final_sides(self))

    def check(self, action: object) -> int:
        """Return a legal action as an int; raises IllegalActionError if it is not legal now.

        The message is public. The action and the legal ones depend on cards that others may not
        know: `Observation.refusal` describes them for the seat.
        """
        if self._state.seat == OVER:
            raise IllegalActionError("the game is over: there is nothing left to do", action)
        number = action if type(action) is int else as_int(action)  # a match checks every step
        try:
            is_legal = number in legal_actions(self, self._state.seat)
        except HiddenFaceError:
            # In a redacted record the legal actions may depend on blank faces. Then any action is
            # accepted: it cannot be checked.
            is_legal = True
        if number is None or not is_legal:
            name = self._history.player_name(self.seat)
            raise IllegalActionError(f"that is not a legal action of {name}", action)
        return number

    def _lay(self, outcome: Outcome) -> None:
        tokens, _ = self._state.pending_shuffles[0]
        faces = blanked(self._state.face)
        if not fits(outcome.faces, [faces[token] for token in tokens]):
            raise IllegalActionError("these are not the cards that were shuffled")
        after = self._state.clone()  # undo may need the state before
        apply_outcome(after, outcome, self._allowed.pop(0) if self._allowed else ())
        self._state, self._legal = after, None
        redrawn = tokens if self._due_redraws else ()
        self._due_redraws -= bool(self._due_redraws)
        self._history.publish(Shuffled(outcome, redrawn))

    def _repeat(self, entry: Undone | TakenBack | Seated | Noted | EditionChanged) -> None:
        match entry:
            case Undone(seat):
                self.undo(seat)
            case TakenBack():
                self._take_back(entry)
            case Seated(seat):
                _check_goes_on(self, seat)
                self._history.replace(entry)
            case Noted(seat, note):
                self.note(seat, note)
            case EditionChanged():
                _check_goes_on(self)
                self._history.publish(entry)

    def _take_back(self, entry: TakenBack) -> None:
        if why := self.why_no_takeback(entry.seat):
            raise IllegalActionError(f"nothing can be taken back: {why}")
        _check_takeback(entry, self)
        again = _rewound(self, entry.count)
        redraw = _plan_redraw(self, again) if entry.is_anew else Redraw(is_needed=False)
        if redraw.why_not:
            raise IllegalActionError(redraw.why_not)
        self._state, self._legal, self._allowed = again._state, None, []
        self._history.steps, self._undo = again._history.steps, again._undo
        self._answers = self._state.recorded_answers = entry.answers
        _request_redraw(self, entry, redraw)
        self._history.publish(entry)

    def _labels(self, state: S) -> Labels:
        players = self._history.players
        # Only a shuffle replaces faces, and only a Seated entry replaces players.
        named = self._named
        if named is None or named[0] is not state.face or named[1] is not players:
            names = [player.name for player in players]
            named = state.face, players, Labels(self.game, state.face, state.back, names)
            self._named = named
        return named[2]


def final_sides(referee: Referee[Any]) -> tuple[int, ...]:
    """Return the sides of a finished game, if everybody knows them; else, or without any, nothing.

    They are read from what everybody sees, because texts about the result are for everybody.
    """
    if not (referee.game.sides and referee.is_over):
        return ()
    viewer = EVERYTHING if referee.game.opens_at_end else len(referee.players)
    return complete_sides(known_sides(referee.game, referee.observe(viewer).state))


def result_scoring(referee: Referee[Any]) -> Scoring:
    """Return the scoring for the words of the result: the sides of a finished game are teams."""
    return with_sides(referee.scoring, final_sides(referee))


class ObservableState(Generic[S]):
    """A position of a game, which can still be observed after the game has gone on.

    The observation of each viewer is made on first use, and kept.
    """

    __slots__ = ("_game", "_history", "_observations", "_state")

    def __init__(self, game: Game[S], state: S, history: Sequence[Step]) -> None:
        self._game = game
        self._state = state
        self._history = tuple(history)
        self._observations: dict[int, Observation[S]] = {}

    def observe(self, viewer: int) -> Observation[S]:
        """Return the observation of a viewer, as `Referee.observe`; the same one each time."""
        seen = self._observations.get(viewer)
        if seen is None:
            seen = Observation(self._game, self._state, viewer, self._history)
            self._observations[viewer] = seen
        return seen

    @property
    def has_secret_choices(self) -> bool:
        """Whether choices are secret, because other seats of the round have yet to choose."""
        return count_choices(self._state) > 0

    def observe_step(
        self, viewer: int, action: int, after: "ObservableState[S]"
    ) -> tuple[Observation[S], Observation[S]]:
        """Return a viewer's observations here and after an action that led to `after`."""
        if not is_round_complete(self._state, after._state):
            return self.observe(viewer), after.observe(viewer)
        # In looking back, the first observation has the choices of the whole round.
        return observe_step(self._game, self._state, action, after._state, viewer, after._history)

    def know_same(self, first: int, second: int, tokens: Iterable[int]) -> bool:
        """Return whether two viewers know the same faces among tokens, and of all past shuffles.

        A viewer who sees everything matches only itself, and so does every viewer if there are
        secrets other than faces.
        """
        if EVERYTHING in (first, second) or self._state.views_field:
            return first == second
        seen, log = self._state.seen, self._state.shuffle_log
        for token in tokens:
            if (seen[token] >> first ^ seen[token] >> second) & 1:
                return False
        return not log or masked_log(log, first) == masked_log(log, second)


class UndoStack(Generic[S]):
    """The states before the actions of the current turn, for undo by the seat that acted."""

    def __init__(self) -> None:
        self.states: list[S] = []

    def can_undo(self, seat: int, state: S) -> bool:
        """Return whether a seat can go back from `state`: no seat has learned a face since."""
        if not self.states or self.states[-1].seat != seat:
            return False
        before = self.states[-1]
        if state.answers != before.answers:
            return False
        # Every viewer asks after every action, and most actions reveal no card.
        return state.seen == before.seen or not any(
            new & ~old for old, new in zip(before.seen, state.seen, strict=True)
        )

    def push(self, before: S, after: S) -> None:
        """Keep the state before an action, or forget all states if the action is final."""
        # The last action of a game cannot be undone either: the scores are recorded. Nor can the
        # last choice of a round, which makes all of them public.
        is_final = after.pending_shuffles or before.seat < 0 or after.seat < 0
        is_final = is_final or is_round_complete(before, after)
        # Nobody can say whether a seat has learned a secret that is no face.
        is_final = is_final or bool(after.views_field)
        is_same_turn = self.states and self.states[-1].seat == before.seat
        earlier = self.states if is_same_turn else []
        self.states = [] if is_final else [*earlier, before]


def _check_goes_on(referee: Referee[Any], seat: int = 0) -> None:
    """Raise IllegalActionError unless the game goes on, without a pending shuffle."""
    if not 0 <= seat < len(referee.players):
        raise IllegalActionError(f"there is no seat {seat} at this table")
    if referee.is_over:
        raise IllegalActionError("the game is over")
    if referee._state.pending_shuffles:
        raise IllegalActionError("cards are to be shuffled first")


def seats_to_act(referee: Referee[Any]) -> list[int]:
    """Return the seats to act: several if they have yet to choose at the same time."""
    return acting_seats(referee._state)


def legal_actions(referee: Referee[Any], seat: int) -> Sequence[int]:
    """Return the legal actions of a seat to act, for reading only.

    Of seats that choose at the same time, it need not be the referee's.
    """
    if seat != referee.seat:
        return referee.observe(seat).legal()
    if referee._legal is None:
        # From the true state: by the contract of games, unseen faces do not change it.
        referee._legal = referee.game.legal(referee._state)
    return referee._legal


def check_action(referee: Referee[Any], seat: int, action: object) -> int:
    """Return a legal action of a seat, as `legal_actions`; raises as `Referee.check`."""
    if seat == referee.seat:
        return referee.check(action)
    number = as_int(action)
    if number is None or number not in legal_actions(referee, seat):
        name = referee._history.player_name(seat)
        raise IllegalActionError(f"that is not a legal action of {name}", action)
    return number


def has_acted(referee: Referee[Any], seat: int) -> bool:
    """Return whether an action of a seat stands."""
    return referee._history.count_actions_since(seat) > 0


def score_swing(referee: Referee[Any]) -> int | None:
    """Return how much the difference of two scores can still change, None if unknown."""
    return referee.game.score_swing(referee._state)


def chooses_at_once(referee: Referee[Any]) -> bool:
    """Return whether seats are choosing at the same time."""
    return is_in_round(referee._state)


def _count_actions_since(referee: Referee[Any], seat: int) -> int:
    """Return the number of actions from a seat's last one on, or from the round of that choice."""
    count = referee._history.count_actions_since(seat)
    if not count or not referee._state.choices_field:
        return count
    # Without the others' choices before it, which all know by now.
    return count + count_choices(_rewound(referee, count)._state)


def _why_not_back(state: State) -> str:
    """Return why a game cannot go back from a state; empty if it can."""
    if state.views_field:
        return "players may have learned secrets that cannot be taken back"
    return "cards are to be shuffled first" if state.pending_shuffles else ""


def _check_takeback(entry: TakenBack, referee: Referee[Any]) -> None:
    """Raise IllegalActionError if the agreeing seats or the number of actions are wrong.

    It is raised for a game with secrets other than cards, too.
    """
    if referee._state.views_field:
        raise IllegalActionError(_why_not_back(referee._state))
    check_agreed(entry, referee._history)
    count = _count_actions_since(referee, entry.seat)
    if entry.count != count:
        raise IllegalActionError(f"a takeback of {count} actions here, not of {entry.count}")


def find_redraw(referee: Referee[Any], seat: int) -> Redraw:
    """Return what chance must draw again if a seat's last action is taken back."""
    count = _count_actions_since(referee, seat)
    return _plan_redraw(referee, _rewound(referee, count)) if count else Redraw(is_needed=False)


def _plan_redraw(referee: Referee[Any], earlier: Referee[Any]) -> Redraw:
    steps = referee._history.steps[len(earlier._history.steps) :]
    seats = [step.seat for step in steps]
    return plan_redraw(referee.game, earlier._state, referee._state, seats)


def _request_redraw(referee: Referee[Any], entry: TakenBack, redraw: Redraw) -> None:
    """Request the shuffles after a takeback; the referee draws or reads their outcomes."""
    referee._redraws += entry.is_anew
    if redraw.pools:
        # The states before have the faces that are known now.
        referee._undo = UndoStack()
        referee._due_redraws = len(redraw.pools)
    for pool in redraw.pools:
        referee._state.shuffle(pool)


def _rewound(referee: Referee[S], count: int) -> Referee[S]:
    """Return the game before the last `count` actions."""
    # A replay finds the earlier state, so no referee has to keep past states.
    again = referee.restarted()
    again._state.recorded_answers = referee._answers
    for entry in chain(*standing_entries(referee.entries[1:])[:-count]):
        if isinstance(entry, Shuffled) and entry.redrawn:
            again._state = again._state.clone()
            again._state.shuffle(entry.redrawn)
            again._due_redraws += 1
        again.apply_entry(entry)
    return again


def _chance_rng(referee: Referee[Any]) -> Random:
    # A generator for each outcome, which does not depend on the players' actions: a game that is
    # resumed, or in which actions were undone, draws the same outcomes.
    before = sum(step.seat == CHANCE for step in referee._history.steps)
    redraws = f" {referee._redraws}" if referee._redraws else ""
    return Random(f"{referee.seed} chance {before} {len(referee._state.shuffle_log)}{redraws}")
