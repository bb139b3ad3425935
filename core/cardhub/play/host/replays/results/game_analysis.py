"""The analysis of a finished game: a bot's ratings of all decisions of one player."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from cardhub.base.writing import listed
from cardhub.bots.bot import Rated
from cardhub.model.game.initial_state import game_scoring
from cardhub.model.hidden.observation import Observation
from cardhub.play.advice import comparison_text, ranked, sure_loss, value_text
from cardhub.play.host.replays.replay import Replay
from cardhub.play.host.replays.results.replay_adviser import Rate, Refuse
from cardhub.play.mixtures import NO_MIXTURE, Mixture, mixture_of
from cardhub.play.table_messages import ReviewedMove

# Number of decisions that are shown as the costliest.
MOST_COSTLY = 3


class RatedDecision(NamedTuple):
    """A decision: the move as people see it, and the numbers behind it.

    `loss` is the rating of the best action minus the rating of the action taken, None if the bot
    did not rate both; `value_texts` are both as text. `cost` is the loss as far as it is sure,
    `rated` the bot's ratings.
    """

    move: ReviewedMove
    loss: float | None
    value_texts: tuple[str, str]
    cost: float = 0.0
    rated: tuple[Rated, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether the bot's best action is the one taken."""
        return self.move.taken == self.move.best


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
        costs = [decision for decision in self.decisions if decision.cost > 0]
        return sorted(costs, key=lambda decision: -decision.cost)[:MOST_COSTLY]


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
        decision = rated_decision(self._adviser.replay, step, seen, rated, mixture)
        self._state = self._state._replace(decisions=(*self._state.decisions, decision))
        self._on_change(self._state)
        self._go_on()

    def _fail(self, reason: str) -> None:
        self._state = self._state._replace(failure=reason)
        self._on_change(self._state)


def rated_decision(
    replay: Replay,
    step: int,
    seen: Observation[Any],
    rated: Sequence[Rated],
    mixture: Mixture = NO_MIXTURE,
) -> RatedDecision:
    """Return the decision after a step, given the best rating first; `seen` is its observation.

    An action of the bot's mixture is as good as its best action. Raises ValueError if no action
    follows the step.
    """
    players = [player.name for player in replay.players]
    names = {a: name for name, a in seen.labels(players).choices(seen.legal()).items()}
    entry, best = replay.action_after(step), rated[0]
    best_name = listed([names[action] for action in mixture.shares or (best.action,)], "or")
    if entry is None:
        raise ValueError(f"no action follows step {step}")
    mine = next((rating for rating in rated if rating.action == entry.action), None)
    if mine is not None and mine.action in mixture.actions:
        best, best_name = mine, names[mine.action]
    if mine is None or not mine.visits or not best.visits:
        move = ReviewedMove(step=step, taken=names[entry.action], best=best_name)
        return RatedDecision(move, None, ("", ""))
    scoring = game_scoring(seen.game, seen.state.settings, seen.state.seats)
    comparison = comparison_text(best, mine, names[mine.action], scoring)
    return RatedDecision(
        ReviewedMove(step=step, taken=names[mine.action], best=best_name, comparison=comparison),
        best.value - mine.value,
        (value_text(mine.value, scoring), value_text(best.value, scoring)),
        sure_loss(best, mine, scoring.goal),
        tuple(rated),
    )
