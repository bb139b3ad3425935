"""A decision of a finished game that is taken again: verdicts on other choices.

It is apart from the practice table, because a review at a server's table has no such table.
"""

from typing import TYPE_CHECKING, Any

from cardhub.bots.bot import Rated
from cardhub.model.game.initial_state import game_scoring
from cardhub.play.advice import comparison_text
from cardhub.play.mixtures import mixture_of
from cardhub.play.referee import Referee

if TYPE_CHECKING:
    from cardhub.play.review import RatedDecision


class Practice:
    """A decision that a person takes again: it compares each new choice with the old one."""

    def __init__(self, referee: Referee[Any], seat: int, decision: "RatedDecision") -> None:
        self.seat = seat
        self.start = referee.action_count
        self._referee = referee
        self._move, self._rated = decision.move, decision.rated
        self._ratings = {rating.action: rating for rating in decision.rated}
        observation = referee.observe(seat)
        self._mixed = mixture_of(observation, decision.rated).actions
        labels = observation.labels([player.name for player in referee.players])
        self._actions = labels.choices(observation.legal())
        self._names = labels.names(observation.legal())
        state = observation.state
        self._scoring = game_scoring(observation.game, state.settings, state.seats)

    @property
    def has_chosen(self) -> bool:
        """Whether the person has taken the decision again."""
        return self._referee.action_count > self.start

    def is_legal(self, action: int) -> bool:
        """Return whether an action can be chosen at the decision."""
        return action in self._names

    @property
    def old_choice(self) -> str:
        """The name of the action in the finished game."""
        return self._move.taken

    def comment(self) -> str:
        """Return the verdict on the new choice, or before it what the person chose in the game."""
        return self.verdict() or f"In the game you chose “{self.old_choice}”. Choose again."

    def verdict(self) -> str:
        """Return how the new choice compares with the old and the best one; empty before it."""
        if not self.has_chosen:
            return ""
        return self.verdict_on(self._referee.observe(self.seat).history[self.start].action)

    def verdict_on(self, action: int) -> str:
        """Return how a legal action compares with the old and the best one."""
        name, move = self._names[action], self._move
        if name == move.best or action in self._mixed:
            return f"You chose “{name}”, the bot's best choice. {move.comparison}"
        if name == move.taken:
            best = f"The bot would choose “{move.best}”."
            return f"You chose “{name}” again. {best} {move.comparison}"
        rating = self._ratings.get(action)
        if rating is None or not rating.visits:
            return f"You chose “{name}”, which the bot has not tried, so it cannot be compared."
        return f"You chose “{name}”. {self._with_old(rating, name)} {self._with_best(rating, name)}"

    def _with_old(self, rating: Rated, name: str) -> str:
        taken = self._move.taken
        old = self._ratings[self._actions[taken]]
        if old.value <= rating.value:
            return comparison_text(rating, old, taken, self._scoring)
        return f"Your old choice was “{taken}”. {comparison_text(old, rating, name, self._scoring)}"

    def _with_best(self, rating: Rated, name: str) -> str:
        best = self._rated[0]
        return (
            f"The bot would choose “{self._move.best}”. "
            f"{comparison_text(best, rating, name, self._scoring)}"
        )
