"""One table of a vector environment: consecutive games, and the bots in them."""

from operator import add
from random import Random

from cardhub.learning.adapters.episode import Episode
from cardhub.learning.adapters.vector.learner_game import LearnerGame, MakeBot
from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.learning.arrays import Row
from cardhub.model.game.initial_state import game_scoring

# Seeds fit into a signed 64-bit int, the type of their array.
SEED_BITS = 63
# After this number of games in a row without a decision of a learner, an error is raised.
MOST_WITHOUT_DECISION = 1_000


class EndedGames:
    """The result of the games that ended before the next decision of a learner.

    There are several if bots alone made all decisions of the later games. `rewards`: the sum by
    seat. `final_row`: the last row of the first game, in which a learner acted, or None if final
    rows are not needed. The learner's reward is also the first game's reward.
    """

    __slots__ = ("final_row", "rewards", "terminated", "truncated")

    def __init__(self, seats: int, final_row: Row | None) -> None:
        self.final_row = final_row
        self.rewards = [0.0] * seats
        self.terminated = False
        self.truncated = False


class LearningTable:
    """A table at which games follow one another.

    The seed of each game depends only on the environment's seed, the table's number and the number
    of the game, not on other tables or on actions.
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
        """The seed of the present game, which is set before the deal."""
        self.reward = 0.0
        """The learner's reward for its last action."""

    @property
    def episode(self) -> Episode:
        """The state of the present game."""
        return self.game.episode

    def reset(self, seed: int) -> EndedGames | None:
        """Start a new sequence of games and play until the first decision of a learner."""
        self.close()
        self._seeds = Random(f"{seed} table {self._number}")
        self._games = 0
        self._deal()
        ended = self._play_to_decision()
        self.reward = 0.0
        return ended

    def step(self, action: int) -> EndedGames | None:
        """Apply a legal action, or FORFEIT, and play until the next decision of a learner."""
        self.game.act(action)
        return self._play_to_decision()

    def close(self) -> None:
        """Close the bots; raises BotFaultError."""
        if self._games:
            self.game.close()

    def _play_to_decision(self) -> EndedGames | None:
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
        # Tables begin with different seats of the learner: every batch has games from all seats.
        turn = self._number + self._games
        self.game = LearnerGame(self._spec, self._scoring, self.seed, turn, self._make_bot)
        self._games += 1
