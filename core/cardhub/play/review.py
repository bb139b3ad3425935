"""Review recorded games: compare decisions of seats with a bot's ratings."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
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
)
from cardhub.play.announcing.events import Event
from cardhub.play.mixtures import mixture_of
from cardhub.play.referee import Referee
from cardhub.play.seeds import bot_seed
from cardhub.play.setup import MakeBot


class DecisionReview(NamedTuple):
    """One decision of a seat, and a bot's ratings for it, as numbers and as text.

    `taken` is the seat's action, `name` its notation; `rated` and `texts` are the ratings, best
    first; `choices` are the names of all legal actions for people. `cost` is the loss of the seat's
    action against the best one, as far as it is sure, and `comparison` the loss in words; they
    are 0 and empty if the bot did not rate both. `mixed` are the actions between which the bot
    would choose at random, if any: all of them are best.
    """

    seat: int
    taken: int
    name: str
    rated: list[Rated]
    texts: list[RatedAction]
    choices: Mapping[int, str]
    cost: float = 0.0
    comparison: str = ""
    mixed: Collection[int] = ()

    @property
    def agrees(self) -> bool:
        """Whether the bot's best action, or one of its mixture, is the one taken."""
        return self.rated[0].action == self.taken or self.taken in self.mixed

    @property
    def best_choices(self) -> str:
        """The names of the bot's best action, or of all actions of its mixture."""
        best = self.rated[0].action
        return listed([self.choices[a] for a in self.mixed or (best,)], "or")

    @property
    def on_taken(self) -> RatedAction | None:
        """The rating of the action taken, if the bot rated it."""
        pairs = zip(self.rated, self.texts, strict=True)
        return next((text for rating, text in pairs if rating.action == self.taken), None)


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
        labels = before.labels(self.names)
        choices = {action: name for name, action in labels.choices(legal).items()}
        name, texts = labels.notation(taken, legal), rated_actions(rated, before)
        mixture = mixture_of(before, rated)
        cost, comparison = 0.0, ""
        if taken not in mixture.actions:
            cost, comparison = _cost_of(before, rated, taken, choices)
        mixed = tuple(mixture.shares) if mixture.shares else ()
        verdict = DecisionReview(
            event.seat, taken, name, rated, texts, choices, cost, comparison, mixed
        )
        self.decisions[event.seat] += 1
        self.agreed[event.seat] += verdict.agrees
        return verdict

    def _taken(self, event: Event) -> int | None:
        """Return the action of an event, also of a choice that others do not see yet."""
        if event.kind != "action" or event.action is not None or self._referee is None:
            return event.action
        choices: dict[int, int] = self._referee.observe(event.seat).state.known_choices()
        return choices.get(event.seat)


def _cost_of(
    seen: Observation[Any], rated: Sequence[Rated], taken: int, choices: Mapping[int, str]
) -> tuple[float, str]:
    """Return the sure loss of an action against the best one, and the loss in words."""
    best, mine = rated[0], next((rating for rating in rated if rating.action == taken), None)
    if mine is None or mine is best:
        return 0.0, ""
    scoring = game_scoring(seen.game, seen.state.settings, seen.state.seats)
    text = comparison_text(best, mine, choices[taken], scoring)
    return sure_loss(best, mine, scoring.goal), text


def reviewing_bots(seats: Collection[int], seed: Seed, make: MakeBot) -> dict[int, Bot]:
    """Return a new instance of a bot for each seat, each with another seed."""
    # Seeded differently from the players: a bot that samples must not repeat its own choices.
    return {seat: make(Random(f"{bot_seed(seed, seat)} analysis")) for seat in seats}
