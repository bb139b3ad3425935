"""The cards by which players choose actions that others do not observe.

For each such decision of a player there is a set of cards with one card for each action, shuffled;
the player sees its faces and lays one of them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cardhub.base.errors import PluginError
from cardhub.learning.adapters.openspiel_games.names import BACK, card_in, card_names
from cardhub.learning.adapters.openspiel_games.original import Original
from cardhub.learning.adapters.openspiel_games.playing_cards import NO_PLAYING_CARDS, PlayingCards
from cardhub.learning.adapters.openspiel_games.survey import Survey
from cardhub.model.cards import Cards

NO_CARDS = Cards((), (BACK,), ())
# Maximum number of cards of a game, and of cards with the names of actions beside drawn ones.
MAX_CARDS, MAX_NAMED = 3000, 1000


@dataclass(frozen=True, slots=True)
class LaidActions:
    """The sets of cards: `size` actions, for each of the `players`, `sets` times.

    They are the last cards of a game, after those that chance draws: `first` is the first token,
    `first_face` the first face.
    """

    size: int
    players: tuple[int, ...]
    sets: int
    first: int = 0
    first_face: int = 0

    @property
    def cards(self) -> int:
        """The number of cards of all sets."""
        return self.size * self.sets * len(self.players)

    def action(self, face: int) -> int:
        """Return OpenSpiel's action on a face."""
        return (face - self.first_face) % self.size

    def player(self, token: int) -> int:
        """Return the player in whose sets a token is."""
        return self.players[(token - self.first) // (self.size * self.sets)]

    def tokens(self, player: int, number: int) -> range:
        """Return the tokens of a player's set, numbered from 0; IndexError if there is none."""
        if number >= self.sets:
            raise IndexError(f"player {player} has {self.sets} sets of cards")
        first = self.first + (self.players.index(player) * self.sets + number) * self.size
        return range(first, first + self.size)


def laid_actions(original: Original, survey: Survey) -> LaidActions:
    """Return the sets that a game needs at most; PluginError if they are too many."""
    game = original.game
    decisions = int(game.max_game_length())
    if original.is_simultaneous:
        decisions = -(-decisions // original.players)
    found = LaidActions(int(game.num_distinct_actions()), tuple(sorted(survey.hidden)), decisions)
    _refuse_many(original, found)
    return found


def hidden_sets(
    original: Original, players: Iterable[int], sets: int, options: int, drawn: Cards
) -> tuple[LaidActions, bool]:
    """Return the sets for a card game, and whether they have numbers in place of actions.

    They do if actions are too many: then a set has one card for each of the `options`, the actions
    that are legal at once.
    """
    size, after = int(original.game.num_distinct_actions()), (drawn.count, len(drawn.faces))
    found = LaidActions(size, tuple(sorted(players)), sets, *after)
    if found.cards <= MAX_NAMED:
        return found, False
    found = LaidActions(options, found.players, sets, *after)
    _refuse_many(original, found)
    return found, True


def _refuse_many(original: Original, found: LaidActions) -> None:
    if found.cards > MAX_CARDS:
        raise PluginError(
            f"{original.text} cannot be played here: {found.cards:,} cards would be needed for "
            f"its hidden actions, more than {MAX_CARDS:,}. fix: choose parameters for a shorter "
            "game, if it has some"
        )


def cards_of_actions(
    laid: LaidActions,
    words: Mapping[int, set[str]],
    drawn: Cards = NO_CARDS,
    playing: PlayingCards = NO_PLAYING_CARDS,
) -> Cards:
    """Return the cards that chance draws, then those of all sets, each set a deck.

    `words` are those of each action.
    """
    first = len(drawn.decks)
    names = card_names({action: words.get(action, set()) for action in range(laid.size)})
    decks = range(first, first + laid.sets * len(laid.players))
    cards = [card_in(deck, names[action], playing) for deck in decks for action in range(laid.size)]
    names_of_decks = (*drawn.decks, *(f"set {deck}" for deck in decks))
    return Cards((*drawn.faces, *cards), (BACK,), names_of_decks)
