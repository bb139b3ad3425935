"""The cards with which players choose actions that others do not observe.

Each hidden decision of a player has a shuffled set of cards, with a card for each action. The
player sees their faces and lays one of them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cardhub import Cards, PluginError
from cardhub_openspiel.imported.names import BACK, card_in, card_names
from cardhub_openspiel.imported.original import Original
from cardhub_openspiel.imported.playing_cards import NO_PLAYING_CARDS, PlayingCards
from cardhub_openspiel.imported.survey import Survey

NO_CARDS = Cards((), (BACK,), ())
# The maximum number of a game's cards, and of cards named like actions in games with drawn cards.
MAX_CARDS, MAX_NAMED = 3000, 1000


@dataclass(frozen=True, slots=True)
class LaidActions:
    """The sets of cards: `sets` sets for each of the `players`, each with `size` actions.

    They follow the cards that chance draws: `first` is their first token, `first_face` their first
    face.
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
        """Return the player whose set contains a token."""
        return self.players[(token - self.first) // (self.size * self.sets)]

    def tokens(self, player: int, number: int) -> range:
        """Return the tokens of a player's set; `number` counts from 0. Raises IndexError."""
        if number >= self.sets:
            raise IndexError(f"player {player} has {self.sets} sets of cards")
        first = self.first + (self.players.index(player) * self.sets + number) * self.size
        return range(first, first + self.size)


def laid_actions(original: Original, survey: Survey) -> LaidActions:
    """Return all sets that a game may need; raises PluginError if they have too many cards."""
    game = original.game
    decisions = int(game.max_game_length())
    if original.is_simultaneous:
        decisions = -(-decisions // original.players)
    sets = LaidActions(int(game.num_distinct_actions()), tuple(sorted(survey.hidden)), decisions)
    _refuse_many(original, sets)
    return sets


def hidden_sets(
    original: Original, players: Iterable[int], sets: int, options: int, drawn: Cards
) -> tuple[LaidActions, bool]:
    """Return the sets for a card game, and whether their cards are numbers instead of actions.

    `drawn`: the cards that chance draws. If there are too many actions, a set has numbered cards,
    `options` of them: the greatest number of legal actions in a state.
    """
    size, after = int(original.game.num_distinct_actions()), (drawn.count, len(drawn.faces))
    by_action = LaidActions(size, tuple(sorted(players)), sets, *after)
    if by_action.cards <= MAX_NAMED:
        return by_action, False
    by_number = LaidActions(options, by_action.players, sets, *after)
    _refuse_many(original, by_number)
    return by_number, True


def _refuse_many(original: Original, laid: LaidActions) -> None:
    if laid.cards > MAX_CARDS:
        raise PluginError(
            f"{original.text} cannot be played here: {laid.cards:,} cards would be needed for "
            f"its hidden actions, more than {MAX_CARDS:,}. fix: choose parameters for a shorter "
            "game, if possible"
        )


def cards_of_actions(
    laid: LaidActions,
    words: Mapping[int, set[str]],
    drawn: Cards = NO_CARDS,
    playing: PlayingCards = NO_PLAYING_CARDS,
) -> Cards:
    """Return the cards that chance draws, then the cards of all sets; each set is a deck.

    `words`: the words for each action.
    """
    first = len(drawn.decks)
    names = card_names({action: words.get(action, set()) for action in range(laid.size)})
    decks = range(first, first + laid.sets * len(laid.players))
    cards = [card_in(deck, names[action], playing) for deck in decks for action in range(laid.size)]
    names_of_decks = (*drawn.decks, *(f"set {deck}" for deck in decks))
    return Cards((*drawn.faces, *cards), (BACK,), names_of_decks)
