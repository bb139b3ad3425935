"""One table of a vector environment: one game after the other, and the bots at it."""

from operator import add
from random import Random

from cardhub.learning.adapters.episode import Episode
from cardhub.learning.adapters.vector.learner_game import LearnerGame, MakeBot
from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.learning.arrays import Row
from cardhub.model.game.initial_state import game_scoring

# Seeds fit into a signed 64-bit int, and so into an array.
SEED_BITS = 63
# Number of games in a row without a decision of a learner that is an error: there will be none.
MOST_WITHOUT_DECISION = 1_000


class EndedGames:
    """The result of the games that ended before the next decision of a learner.

    They are more than one only if the bots alone decided in some. `rewards` are the sum by seat,
    `final_row`, if it is kept, and the learner's reward are of the first one, in which a learner
    acted.
    """

    __slots__ = ("final_row", "rewards", "terminated", "truncated")

    def __init__(self, seats: int, final_row: Row | None) -> None:
        self.final_row = final_row
        self.rewards = [0.0] * seats
        self.terminated = False
        self.truncated = False


class LearningTable:
    """A table at which games follow one another.

    Every game has a seed of its own, drawn from the seed of the environment and the number of the
    table: it depends neither on other tables nor on the actions of earlier games.
    """

    game: LearnerGame

    def __init__(self, spec: TableSpec, number: int, make_bot: MakeBot) -> None:
        self._spec = spec
        layout = spec.layout
        self._scoring = game_scoring(layout.game, layout.settings, layout.seats)
        self._number = number
        self._make_bot = make_bot
        self._seeds = Random(0)
        self._games = 0
        self.seed = 0
        """The seed of the present game, also of one that could not be dealt."""
        self.reward = 0.0
        """The learner's reward for its last action."""

    @property
    def episode(self) -> Episode:
        """The state of the present game."""
        return self.game.episode

    def reset(self, seed: int) -> EndedGames | None:
        """Start a new sequence of games and play up to the first decision of a learner."""
        self.close()
        self._seeds = Random(f"{seed} table {self._number}")
        self._games = 0
        self._deal()
        ended = self._settle()
        self.reward = 0.0
        return ended

    def step(self, action: int) -> EndedGames | None:
        """Apply a legal action, or FORFEIT, and play up to the next decision of a learner."""
        self.game.act(action)
        return self._settle()

    def close(self) -> None:
        """Close the bots; raises BotFaultError."""
        if self._games:
            self.game.close()

    def _settle(self) -> EndedGames | None:
        is_undecided = self.game.advance()
        if self._spec.rivals:
            self.reward = self.game.reward()
        if is_undecided:
            return None
        final_row = self.game.learner_row() if self._spec.final_observations else None
        ended = EndedGames(self._spec.layout.seats, final_row)
        for _ in range(MOST_WITHOUT_DECISION):
            self._add_result(ended)
            self._deal()
            if self.game.advance():
                return ended
        raise ValueError(f"no learner had a decision in {MOST_WITHOUT_DECISION} games in a row")

    def _add_result(self, ended: EndedGames) -> None:
        if not self.game.is_terminated:
            ended.truncated = True
            return
        ended.rewards = [*map(add, ended.rewards, self.game.utilities())]
        ended.terminated = True

    def _deal(self) -> None:
        if self._games:
            self.game.close()
        self.seed = self._seeds.getrandbits(SEED_BITS)
        # Tables begin at different seats, so that every batch has games from all of them.
        turn = self._number + self._games
        self.game = LearnerGame(self._spec, self._scoring, self.seed, turn, self._make_bot)
        self._games += 1
