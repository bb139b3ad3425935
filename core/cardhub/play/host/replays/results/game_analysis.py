"""The analysis of a finished game: a bot's ratings of all decisions of one player."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from cardhub.bots.bot import Rated
from cardhub.model.hidden.observation import Observation
from cardhub.play.advice import ranked
from cardhub.play.host.replays.replay import Replay
from cardhub.play.host.replays.results.replay_adviser import Rate, Refuse
from cardhub.play.mixtures import mixture_of
from cardhub.play.review import RatedDecision, costliest, rated_decision


class GameAnalysis(NamedTuple):
    """The rated decisions, of `total`; `failure` says why the analysis ended early."""

    bot: str
    decisions: Sequence[RatedDecision]
    total: int
    failure: str = ""

    @property
    def agreed(self) -> int:
        """The number of decisions with which the bot agrees."""
        return sum(decision.agrees for decision in self.decisions)

    @property
    def costliest(self) -> list[RatedDecision]:
        """The decisions that cost the player most by the bot's ratings, the costliest first."""
        return costliest(self.decisions)


class DecisionAdviser(Protocol):
    """Asks a bot at one decision of a finished game after another."""

    replay: Replay

    def ask(self, step: int, viewer: int, bot: str, rate: Rate, refuse: Refuse, /) -> None:
        """Ask at a step: `rate` gets the ratings, or `refuse` the reason against them."""
        ...


class Analyst:
    """Asks a bot at every decision of a seat in turn; `on_change` gets every new state."""

    def __init__(
        self,
        adviser: DecisionAdviser,
        seat: int,
        bot: str,
        on_change: Callable[[GameAnalysis], None],
    ) -> None:
        self._adviser = adviser
        self._seat = seat
        self._on_change = on_change
        self._steps = adviser.replay.decisions(seat)
        self._state = GameAnalysis(bot, (), len(self._steps))

    def begin(self) -> None:
        """Ask at the first decision."""
        self._on_change(self._state)
        self._go_on()

    def _go_on(self) -> None:
        done = len(self._state.decisions)
        if done < len(self._steps):
            step, bot = self._steps[done], self._state.bot
            self._adviser.ask(step, self._seat, bot, self._rate, self._fail)

    def _rate(self, seen: Observation[Any], rated: Sequence[Rated]) -> None:
        step = self._steps[len(self._state.decisions)]
        mixture = mixture_of(seen, rated)
        if not mixture.shares:
            rated = ranked(rated, seen.game)
        replay = self._adviser.replay
        entry, players = replay.action_after(step), [player.name for player in replay.players]
        if entry is None:
            raise ValueError(f"no action follows step {step}")
        names = seen.labels(players).names(seen.legal())
        decision = rated_decision(step, entry.action, names, seen, rated, mixture)
        self._state = self._state._replace(decisions=(*self._state.decisions, decision))
        self._on_change(self._state)
        self._go_on()

    def _fail(self, reason: str) -> None:
        self._state = self._state._replace(failure=reason)
        self._on_change(self._state)
