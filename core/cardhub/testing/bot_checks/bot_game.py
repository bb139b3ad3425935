"""Random games with a bot in one seat, kept as deal and entries; and the faults of its answers.

No game keeps a position: a bot that searches memory for the true state finds only the referee of
the game it plays.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Generic, NamedTuple

from cardhub.base.errors import (
    BotExceptionError,
    BotFaultError,
    BotIllegalError,
    BotTimeoutError,
    HiddenFaceError,
)
from cardhub.base.errors.quoting import quoted
from cardhub.bots.asking import NOT_RETURNED, ask, policy_of
from cardhub.bots.bot import Bot, MixedBot
from cardhub.model.game.game import Game, S
from cardhub.model.hidden.observation import Observation, Step
from cardhub.model.hidden.past_steps import outcomes_of
from cardhub.model.hidden.shuffles.segments import face_snapshots
from cardhub.model.table.state import State
from cardhub.play.history_entries import Entry, Shuffled, Taken
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import set_up
from cardhub.testing.checking import differing, error_line
from cardhub.testing.deal_replay import draw_game
from cardhub.testing.location import Location
from cardhub.testing.random_play import Trial, changed_options, trials


@dataclass(slots=True)
class BotGame(Generic[S]):
    """A game with a bot in `seat` and random actions in the other seats.

    `faces` is the deal in token order, `entries` the history after it. `answers` are the bot's
    answers by the number of entries before them.
    """

    game: Game[S]
    trial: Trial
    seat: int
    faces: list[int] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    answers: dict[int, str] = field(default_factory=dict)

    def begin(self) -> Referee[S]:
        """Deal, and return a referee; a callback adds each of its entries to this game."""
        referee = set_up(self.game, self._players(), self.trial.settings, self.trial.seed)
        self.faces = list(referee.dealt.deal.faces)
        referee.subscribe(self.entries.append)
        referee.proceed()
        return referee

    def decisions(self) -> Iterator[tuple[int, Referee[S]]]:
        """Replay the game; yield the number of entries and the referee before each answer."""
        referee = self._dealt()
        for number, entry in enumerate(self.entries):
            if number in self.answers:
                yield number, referee
            referee.apply_entry(entry)
        # A game cut by `until` ends before the entry of its last answer.
        if len(self.entries) in self.answers:
            yield len(self.entries), referee

    def replayed(self) -> Referee[S]:
        """Return a referee after all entries."""
        referee = self._dealt()
        for entry in self.entries:
            referee.apply_entry(entry)
        return referee

    def until(self, number: int) -> "BotGame[S]":
        """Return the game up to `number` entries."""
        answers = {n: answer for n, answer in self.answers.items() if n <= number}
        return replace(self, entries=self.entries[:number], answers=answers)

    def determinized(self, viewer: int, rng: Random) -> "BotGame[S]":
        """Return the game with the deal, the shuffles and the secrets of a determinization.

        It is of the last position, as the viewer sees it.
        """
        true = [Step(e.seat, e.action) for e in self.entries if isinstance(e, Taken)]
        drawn, history = draw_game(self.replayed().observe(viewer), true, rng)
        outcomes, steps, entries = iter(outcomes_of(drawn)), iter(history), list[Entry]()
        for entry in self.entries:
            if isinstance(entry, Shuffled):
                entries.append(Shuffled(next(outcomes)))
            elif isinstance(entry, Taken):
                entries.append(replace(entry, action=next(steps).action))
            else:
                entries.append(entry)
        # The replay uses no seed, but a bot that finds the true one could deal again from it.
        trial = replace(self.trial, seed=self.trial.seed + 1)
        return replace(self, trial=trial, faces=face_snapshots(drawn)[0], entries=entries)

    def location(self, number: int) -> Location:
        """Return the location after `number` entries."""
        taken = (entry for entry in self.entries[:number] if isinstance(entry, Taken))
        actions = ((entry.seat, entry.notation) for entry in taken)
        options = changed_options(self.game, self.trial)
        return Location(self.trial.seed, self.trial.seats, options, self.seat, tuple(actions))

    def _dealt(self) -> Referee[S]:
        return Referee(self.game, self._players(), self.trial.settings, self.trial.seed, self.faces)

    def _players(self) -> list[Player]:
        return [Player(name, "random") for name in NAMES[: self.trial.seats]]


def bot_games(game: Game[S], seed: int) -> Iterator[BotGame[S]]:
    """Yield games without end, each with another seed.

    Default options alternate with options of which one is changed. The number of seats and the
    bot's seat change in turn.
    """
    kinds = _trials_by_kind(game, seed)
    games_of = Counter[int]()
    number = 0
    while True:
        for kind in kinds:
            trial = kind[number // len(kinds) % len(kind)]
            # Larger tables begin with a later seat, so the bot is in all seats only in few games.
            seat = (games_of[trial.seats] + trial.seats - game.seats.low) % trial.seats
            games_of[trial.seats] += 1
            yield BotGame(game, replace(trial, seed=seed + number), seat)
            number += 1


def _trials_by_kind(game: Game[Any], seed: int) -> list[list[Trial]]:
    """Return trials with default options, then those with changed ones in random order."""
    default: list[Trial] = []
    changed: list[Trial] = []
    for trial in trials(game, 1, seed):
        (changed if changed_options(game, trial) else default).append(trial)
    # A check may end after a few games: in order of declaration the last options would never be
    # tried.
    Random(f"{seed} options").shuffle(changed)
    return [kind for kind in (default, changed) if kind]


# The check that fails if a bot raises this fault itself; for all others it is `answers`.
CHECKS_BY_FAULT = {BotIllegalError.fault: "legality", BotTimeoutError.fault: "time"}


class Flaw(NamedTuple):
    """A fault of an answer or an exception, with the name of the check that fails."""

    check: str
    problem: str
    expected: str


class CheckedAnswer(NamedTuple):
    """A bot's answer as text, the action if it is legal, and the time it took."""

    text: str
    action: int | None
    seconds: float
    flaws: tuple[Flaw, ...] = ()


def check_answer(bot: Bot, referee: Referee[Any]) -> CheckedAnswer:
    """Return the answer of the bot in the seat to act, without applying it."""
    seen = referee.observe(referee.seat)
    action, fault, seconds, returned = ask(bot, seen)
    # An exception or a limit: the bot gave no answer to compare with the legal actions.
    if fault is not None and returned is NOT_RETURNED:
        flaw = _failure(fault)
        return CheckedAnswer(flaw.problem, None, seconds, (flaw,))
    # The bot may have changed its observation, so legality is judged by another one.
    fresh = referee.observe(referee.seat)
    legal = fresh.legal()
    text = _text(fresh, action, legal) if fault is None else quoted(returned)
    is_legal = fault is None and action in legal
    flaws = [] if is_legal else [_illegal(fresh, text, legal)]
    flaws += _changes(seen, fresh)
    if is_legal and isinstance(bot, MixedBot):
        flaws += _policy_flaws(bot, referee.observe(referee.seat), action, text)
    return CheckedAnswer(text, action if is_legal else None, seconds, tuple(flaws))


def _failure(fault: BotFaultError) -> Flaw:
    # An exception of the bot itself has a line in its source; a fault of a program has none.
    error = fault.__cause__ if isinstance(fault, BotExceptionError) else None
    problem = f"it fails: {error_line(error or fault)}"
    if isinstance(error, HiddenFaceError):
        expected = "it reads only faces that its seat has seen, or those of a determinization"
        return Flaw("answers", problem, expected)
    return Flaw(CHECKS_BY_FAULT.get(fault.fault, "answers"), problem, "one of observation.legal()")


def _illegal(fresh: Observation[Any], text: str, legal: list[int]) -> Flaw:
    notations = ", ".join(fresh.labels().notations(legal))
    return Flaw("legality", f"it answers {text}, which is not legal", f"one of {notations}")


def _policy_flaws(bot: MixedBot, seen: Observation[Any], action: int, text: str) -> Iterator[Flaw]:
    """Yield a flaw if the bot has no probabilities, or none for the action that it took."""
    try:
        chances = policy_of(bot, seen)
    except BotFaultError as fault:
        expected = "probabilities of the legal actions, from 0 to 1, with the sum 1"
        yield Flaw("policy", f"it fails: {error_line(fault.__cause__ or fault)}", expected)
        return
    if not chances[action]:
        problem = f"it takes {text}, which has the probability 0"
        yield Flaw("policy", problem, "it samples its answer from the probabilities of `policy`")


def _changes(seen: Observation[Any], fresh: Observation[Any]) -> Iterator[Flaw]:
    """Yield a flaw if the observation that the bot got differs from a fresh one."""
    names = ("game", "seat", "history")
    changed = [name for name in names if getattr(seen, name, None) != getattr(fresh, name)]
    # The bot may have deleted the attribute.
    state: object = getattr(seen, "state", None)
    if state != fresh.state:
        attribute = f".{differing(fresh.state, state)}" if isinstance(state, State) else ""
        changed.append(f"state{attribute}")
    if changed:
        problem = f"it changes the observation: {', '.join(changed)}"
        yield Flaw("observation", problem, "it works on copies: observation.state.clone()")


def _text(fresh: Observation[Any], action: int, legal: list[int]) -> str:
    """Return an action in the notation of records, or quoted if it is not an action."""
    labels = fresh.labels()
    return repr(labels.notation(action, legal)) if labels.is_action(action) else quoted(action)
