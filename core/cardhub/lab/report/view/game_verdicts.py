"""Which bots of a game are better than which, by the verdicts of its pairs."""

from cardhub.lab.analysis.game_schema import GameStatistics
from cardhub.lab.analysis.pair_schema import DIFFERENT


class GameVerdicts:
    """The verdicts of a game by bot; bots that met no other one have none."""

    def __init__(self, game: GameStatistics) -> None:
        met = [pair for pair in game.pairs if pair.evidence]
        compared = {bot for pair in met for bot in pair.bots}
        self._wins = {
            (pair.a, pair.b) if pair.verdict == "better" else (pair.b, pair.a)
            for pair in met
            if pair.verdict in DIFFERENT
        }
        # Best first, as in the table of ratings.
        self.bots = [row.bot for row in game.bots if row.bot in compared]
        self.settled = sum(pair.verdict != "open" for pair in met)
        ranked = [row.bot for row in game.bots if row.rank is not None]
        self.leader = ranked[0] if ranked else None

    @property
    def best(self) -> str | None:
        """The bot that is better than every other one, None without such a bot."""
        return next((bot for bot in self.bots if not self.not_beaten_by(bot)), None)

    def not_beaten_by(self, bot: str) -> list[str]:
        """Return the other bots that a bot is not better than."""
        return [other for other in self.bots if other != bot and (bot, other) not in self._wins]

    def better_than(self, bot: str) -> list[str]:
        """Return the bots that are better than a bot."""
        return [other for other in self.bots if (other, bot) in self._wins]
