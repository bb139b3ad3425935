"""Reviews of decisions: comparisons with a bot's ratings, and of all decisions in a replay."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from cardhub.base.writing import listed
from cardhub.bots.asking import advise
from cardhub.bots.bot import Bot, Rated
from cardhub.model.game.initial_state import Seed, game_scoring
from cardhub.model.hidden.observation import Observation
from cardhub.play.advice import (
    RatedAction,
    comparison_text,
    rated_actions,
    sure_loss,
    value_text,
)
from cardhub.play.announcing.events import Event
from cardhub.play.mixtures import NO_MIXTURE, Mixture, mixture_of
from cardhub.play.referee import Referee
from cardhub.play.seeds import bot_seed
from cardhub.play.setup import MakeBot
from cardhub.play.table_messages import ReviewedMove

# Number of decisions that are shown as the costliest.
MOST_COSTLY = 3


class RatedDecision(NamedTuple):
    """A decision: the move as people see it, and the numbers behind it.

    `loss` is the rating of the best action minus the rating of the action taken, None if the bot
    did not rate both; `value_texts` are both as text. `cost` is the loss as far as it is sure,
    `rated` the bot's ratings, the best first.
    """

    move: ReviewedMove
    rated: tuple[Rated, ...]
    loss: float | None = None
    value_texts: tuple[str, str] = ("", "")
    cost: float = 0.0

    @property
    def agrees(self) -> bool:
        """Whether the bot's best action is the one taken."""
        return self.move.taken == self.move.best


def rated_decision(
    step: int,
    taken: int,
    names: Mapping[int, str],
    seen: Observation[Any],
    rated: Sequence[Rated],
    mixture: Mixture = NO_MIXTURE,
) -> RatedDecision:
    """Return the decision after a step, given the best rating first; `seen` is its observation.

    `names` are the names of the legal actions. An action of the bot's mixture is as good as its
    best action.
    """
    best = rated[0]
    best_name = listed([names[action] for action in mixture.shares or (best.action,)], "or")
    mine = next((rating for rating in rated if rating.action == taken), None)
    if mine is not None and taken in mixture.actions:
        best, best_name = mine, names[taken]
    if mine is None or not mine.visits or not best.visits:
        return RatedDecision(
            ReviewedMove(step=step, taken=names[taken], best=best_name), tuple(rated)
        )
    scoring = game_scoring(seen.game, seen.state.settings, seen.state.seats)
    comparison = comparison_text(best, mine, names[taken], scoring)
    return RatedDecision(
        ReviewedMove(step=step, taken=names[taken], best=best_name, comparison=comparison),
        tuple(rated),
        best.value - mine.value,
        (value_text(mine.value, scoring), value_text(best.value, scoring)),
        sure_loss(best, mine, scoring.goal),
    )


def costliest(decisions: Iterable[RatedDecision]) -> list[RatedDecision]:
    """Return the decisions that cost most by the bot's ratings, the costliest first."""
    costs = [decision for decision in decisions if decision.cost > 0]
    return sorted(costs, key=lambda decision: -decision.cost)[:MOST_COSTLY]


class DecisionReview(NamedTuple):
    """One decision of a seat during a replay, with a bot's ratings as text, the best first.

    `notation`: of the action taken; `on_taken`: its rating, if the bot rated it.
    """

    seat: int
    decision: RatedDecision
    notation: str
    texts: list[RatedAction]
    on_taken: RatedAction | None = None


@dataclass(slots=True)
class Reviewer:
    """Asks a bot at the decisions of the reviewed seats during a replay.

    `names` are the names of the players by seat. Call `look` before every line of the record,
    `judge` with every event. `decisions` and `agreed` count decisions by seat.
    """

    seats: Collection[int]
    bots: Mapping[int, Bot]
    names: Sequence[str]
    decisions: Counter[int] = field(default_factory=Counter)
    agreed: Counter[int] = field(default_factory=Counter)
    _before: Observation[Any] | None = None
    _referee: Referee[Any] | None = None

    def look(self, referee: Referee[Any]) -> None:
        """Keep the observation of the seat to act."""
        self._referee = referee
        self._before = referee.observe(referee.seat) if referee.seat in self.seats else None

    def judge(self, event: Event) -> DecisionReview | None:
        """Return the review of an event, None if there was no choice; raises BotFaultError."""
        before, taken = self._before, self._taken(event)
        if taken is None or before is None or event.seat != before.seat:
            return None
        legal = before.legal()
        # The only legal action says too little about a player.
        if len(legal) < 2:
            return None
        rated = advise(self.bots[event.seat], before)
        # From the observation before the action, because the player chose among its names.
        labels, texts = before.labels(self.names), rated_actions(rated, before)
        names = labels.names(legal)
        mixture = mixture_of(before, rated)
        decision = rated_decision(event.number - 1, taken, names, before, rated, mixture)
        pairs = zip(rated, texts, strict=True)
        on_taken = next((text for rating, text in pairs if rating.action == taken), None)
        self.decisions[event.seat] += 1
        self.agreed[event.seat] += decision.agrees
        notation = labels.notation(taken, legal)
        return DecisionReview(event.seat, decision, notation, texts, on_taken)

    def _taken(self, event: Event) -> int | None:
        """Return the action of an event, also of a choice that others do not see yet."""
        if event.kind != "action" or event.action is not None or self._referee is None:
            return event.action
        choices: dict[int, int] = self._referee.observe(event.seat).state.known_choices()
        return choices.get(event.seat)


def reviewing_bots(seats: Collection[int], seed: Seed, make: MakeBot) -> dict[int, Bot]:
    """Return a new instance of a bot for each seat, each with another seed."""
    # Seeded differently from the players: a bot that samples must not repeat its own choices.
    return {seat: make(Random(f"{bot_seed(seed, seat)} analysis")) for seat in seats}
