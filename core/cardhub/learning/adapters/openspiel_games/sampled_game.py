"""A random game of the survey, with what each player has seen of it."""

from dataclasses import dataclass, replace

from cardhub.learning.adapters.openspiel_games.deck import Deck, completed
from cardhub.learning.adapters.openspiel_games.laid.hidden_actions import (
    UNKNOWN,
    histories,
    learned,
)
from cardhub.learning.adapters.openspiel_games.original import History, Original


@dataclass(frozen=True, slots=True)
class SampledGame:
    """A game in progress: history, drawn cards, their indices in it, and who has seen them."""

    history: History = ()
    drawn: tuple[int, ...] = ()
    indices: tuple[int, ...] = ()
    seen: tuple[tuple[bool, ...], ...] = ()

    def after(self, step: int, seen: tuple[bool, ...] | None = None) -> "SampledGame":
        """Return the game after a step; `seen`: which players see this card of the deck."""
        history = (*self.history, step)
        if seen is None:
            return SampledGame(history, self.drawn, self.indices, self.seen)
        indices = (*self.indices, len(self.history))
        return SampledGame(history, (*self.drawn, step), indices, (*self.seen, seen))


def filled(original: Original, deck: Deck, game: SampledGame, player: int) -> History:
    """Return the history with what a player has not seen replaced by something possible."""
    known = [d if seen[player] else UNKNOWN for d, seen in zip(game.drawn, game.seen, strict=True)]
    history = list(game.history)
    values = completed(deck, known) if deck.outcomes else known
    for index, value in zip(game.indices, values, strict=True):
        history[index] = value
    return next(histories(original, history), tuple(history))


def told(original: Original, game: SampledGame) -> SampledGame:
    """Return the game after each player has been told the actions that it observes now."""
    seen = [list(players) for players in game.seen]
    if not original.at(game.history).is_terminal():
        for player in range(original.players):
            items = zip(game.indices, game.seen, strict=True)
            unknown = [index for index, players in items if not players[player]]
            for index in learned(original, game.history, unknown, player):
                seen[game.indices.index(index)][player] = True
    return replace(game, seen=tuple(tuple(players) for players in seen))
