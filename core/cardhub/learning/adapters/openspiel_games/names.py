"""Names of the actions and cards of an OpenSpiel game."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import takewhile
from string import ascii_letters

from cardhub.learning.adapters.openspiel_games.deck import Deck
from cardhub.learning.adapters.openspiel_games.original import Original
from cardhub.learning.adapters.openspiel_games.playing_cards import NO_PLAYING_CARDS, PlayingCards
from cardhub.learning.adapters.openspiel_games.survey import Survey
from cardhub.model.cards import Card, Cards
from cardhub.model.cards.cards import Back
from cardhub.model.table.actions import Actions, CardName, Choice

# The player before an action: of a simultaneous one, and in Gin Rummy.
PLAYER = re.compile(r"^(\[P\d+\]|Player: \d+ Action:)\s*")
BACK = Back("card", "?", "a card", "?", "blue")


class Words(Choice):
    """One action per name, without a verb: `(0,0)`; people see the cards in names as `cards` do."""

    def __init__(self, names: Sequence[str], cards: PlayingCards) -> None:
        super().__init__("", names, map(cards.text, names))

    def text(self, index: int, name: CardName) -> str:
        """Return the notation of the action."""
        return self.words[index]

    def label(self, index: int, name: CardName) -> str:
        """Return the label of the action."""
        return self.labels[index]


def actions_of(
    original: Original, survey: Survey, cards: PlayingCards = NO_PLAYING_CARDS
) -> Actions:
    """Return an action for each of OpenSpiel's, then one for each outcome of chance.

    An action has the same name for all players and states: the common suffix of its names in
    OpenSpiel, so x(0,0) and o(0,0) are (0,0). If some action has none, all get numbers.
    """
    actions = _names(survey.words, int(original.game.num_distinct_actions()), "action")
    outcomes = _names(survey.outcomes, int(original.game.max_chance_outcomes()), "outcome")
    return Actions(Words(actions, cards), Choice("chance", outcomes))


def _names(labels: Mapping[int, set[str]], size: int, kind: str) -> list[str]:
    known = [{without_player(word) for word in labels.get(n, ())} for n in range(size)]
    names = [_common_suffix(words) for words in known]
    if any(words and not name for words, name in zip(known, names, strict=True)):
        # Names depend on the position, as in chess: one that was met once may be wrong elsewhere.
        return [numbered(number, kind) for number in range(size)]
    # People type names in any case: names that differ only in it are ambiguous.
    counts = Counter(name.casefold() for name in names)
    return [
        name if name and counts[name.casefold()] == 1 else numbered(number, kind)
        for number, name in enumerate(names)
    ]


def numbered(number: int, kind: str = "action") -> str:
    """Return the name of an action or an outcome that has no words of its own."""
    return f"{kind} {number}"


def cards_of(deck: Deck, outcomes: Mapping[int, set[str]], playing: PlayingCards) -> Cards:
    """Return the cards of a deck, repeated for each draw from a complete deck.

    Faces are in the order of outcomes, deck by deck.
    """
    names, decks = _names_of_kinds(deck, outcomes), range(max(1, deck.draws))
    cards = [
        card_in(number, names[outcome], playing, deck.outcomes.count(outcome))
        for number in decks
        for outcome in names
    ]
    return Cards(tuple(cards), (BACK,), tuple(f"deck {number}" for number in decks))


def card_in(deck: int, word: str, cards: PlayingCards, copies: int = 1) -> Card:
    """Return a card without fields; its deck is in its name, as other decks have the same cards."""
    name, label, colour = f"{word}'{deck}" if deck else word, cards.text(word), cards.colour(word)
    return Card(name, label, 0, deck, copies, "", {}, colour, label)


def cards_played_with(deck: Deck, outcomes: Mapping[int, set[str]]) -> PlayingCards:
    """Return the playing cards of a deck, if it is one of these."""
    return PlayingCards(_names_of_kinds(deck, outcomes).values())


def _names_of_kinds(deck: Deck, outcomes: Mapping[int, set[str]]) -> dict[int, str]:
    return card_names({kind: outcomes.get(kind, set()) for kind in deck.kinds})


def card_names(labels: Mapping[int, set[str]]) -> dict[int, str]:
    """Return short names: the last words of the outcomes if these differ, else their numbers."""
    last = {o: _last(min(words)) if words else "" for o, words in labels.items()}
    if all(last.values()) and len({name.casefold() for name in last.values()}) == len(last):
        return last
    return {outcome: str(outcome) for outcome in labels}


def _last(words: str) -> str:
    return words.replace(":", " ").replace("(", " ").replace(")", " ").split()[-1]


def without_player(words: str) -> str:
    """Return words without the player before them: `[P0]Bid: 5`, `Player: 0 Action: Knock`."""
    return PLAYER.sub("", words)


def _common_suffix(words: set[str]) -> str:
    if len(words) < 2:
        return next(iter(words), "")
    columns = zip(*(reversed(word) for word in words), strict=False)
    # From the end: OpenSpiel puts a player's mark first, as in x(0,0) and o(0,0).
    alike = takewhile(lambda column: len(set(column)) == 1, columns)
    suffix = "".join(column[0] for column in alike)[::-1]
    before = (word.removesuffix(suffix)[-1:] for word in words)
    if any(letter.isalpha() for letter in before):
        suffix = suffix.lstrip(ascii_letters)  # not a part of a word: North passes, South passes
    return suffix.strip()
