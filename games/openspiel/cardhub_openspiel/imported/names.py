"""Names of the actions and cards of an OpenSpiel game."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import takewhile
from string import ascii_letters

from cardhub import Actions, Card, Cards, Choice
from cardhub.model.cards.cards import Back
from cardhub.model.table.actions import CardName
from cardhub_openspiel.imported.deck import Deck
from cardhub_openspiel.imported.original import Original
from cardhub_openspiel.imported.playing_cards import NO_PLAYING_CARDS, PlayingCards
from cardhub_openspiel.imported.survey import Survey

# The player before the words of an action, in simultaneous games and in Gin Rummy.
PLAYER = re.compile(r"^(\[P\d+\]|Player: \d+ Action:)\s*")
BACK = Back("card", "?", "a card", "?", "blue")


class Words(Choice):
    """One action per name, without a verb: `(0,0)`; labels show cards as `cards` does."""

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
    """Return an action for each of OpenSpiel's actions, then one for each outcome of chance.

    An action has the same name for all players and states: the common suffix of its names in
    OpenSpiel, so x(0,0) and o(0,0) become (0,0). If an action has no common suffix, all actions are
    numbered.
    """
    actions = _names(survey.words, int(original.game.num_distinct_actions()), "action")
    outcomes = _names(survey.outcomes, int(original.game.max_chance_outcomes()), "outcome")
    return Actions(Words(actions, cards), Choice("chance", outcomes))


def _names(labels: Mapping[int, set[str]], size: int, kind: str) -> list[str]:
    words_by_number = [{without_player(word) for word in labels.get(n, ())} for n in range(size)]
    names = [_common_suffix(words) for words in words_by_number]
    if any(words and not name for words, name in zip(words_by_number, names, strict=True)):
        # Names depend on the position, as in chess, so a name may be wrong in other positions.
        return [numbered(number, kind) for number in range(size)]
    # Names that differ only in case are ambiguous, because typed names ignore case.
    counts = Counter(name.casefold() for name in names)
    return [
        name if name and counts[name.casefold()] == 1 else numbered(number, kind)
        for number, name in enumerate(names)
    ]


def numbered(number: int, kind: str = "action") -> str:
    """Return the name of an action or an outcome without words."""
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
    """Return a card without fields; its name contains the deck, because decks repeat cards."""
    name, label, colour = f"{word}'{deck}" if deck else word, cards.text(word), cards.colour(word)
    return Card(name, label, 0, deck, copies, "", {}, colour, label)


def cards_played_with(deck: Deck, outcomes: Mapping[int, set[str]]) -> PlayingCards:
    """Return the playing cards of a deck; empty if the deck has other cards."""
    return PlayingCards(_names_of_kinds(deck, outcomes).values())


def _names_of_kinds(deck: Deck, outcomes: Mapping[int, set[str]]) -> dict[int, str]:
    return card_names({kind: outcomes.get(kind, set()) for kind in deck.kinds})


def card_names(labels: Mapping[int, set[str]]) -> dict[int, str]:
    """Return short names: the last words of the outcomes if they differ, else their numbers."""
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
    # Compare from the end, because OpenSpiel puts a player's mark first: x(0,0) and o(0,0).
    alike = takewhile(lambda column: len(set(column)) == 1, columns)
    suffix = "".join(column[0] for column in alike)[::-1]
    before = (word.removesuffix(suffix)[-1:] for word in words)
    if any(letter.isalpha() for letter in before):
        suffix = suffix.lstrip(ascii_letters)  # no part of a word: North passes, South passes
    return suffix.strip()
