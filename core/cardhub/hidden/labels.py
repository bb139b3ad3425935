"""Labels and notation of cards and actions for one viewer."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from cardhub.errors import IllegalActionError
from cardhub.errors.quoting import quoted
from cardhub.errors.suggestions import did_you_mean
from cardhub.game.game import Game
from cardhub.table.actions import CardName, Tokens
from cardhub.table.faces import BLANK, Faces, blanked


class Labels:
    """Labels for one observation: `lay R14` if the viewer knows the card, or `lay a red card`.

    The notation of records is similar, with `R?#17` for an unseen card: the token distinguishes it
    from other cards with this back. In the same way `Y0#23` distinguishes two legal cards of one
    name.
    """

    def __init__(
        self,
        game: Game[Any],
        faces: Faces,
        backs: Sequence[int],
        players: Sequence[str] = (),
    ) -> None:
        self._game = game
        self._players = players
        self._faces = blanked(faces)
        self._backs = backs
        self._copies: Counter[int] | None = None  # of each face, computed on first use

    def player(self, seat: int) -> str:
        """Return the name of the player at a seat, or the seat's number if there are no names."""
        return self._players[seat] if self._players else f"seat {seat}"

    def card(self, token: int) -> str:
        """Return a card's name, or its back's name if it is unseen: `R14`, `R?`."""
        face, cards = self._faces[token], self._game.cards
        return cards.faces[face].name if face >= 0 else cards.backs[self._backs[token]].unknown

    def phrase(self, token: int) -> str:
        """Return a card for a sentence: `R14`, `a red card`."""
        face, cards = self._faces[token], self._game.cards
        return cards.faces[face].name if face >= 0 else cards.backs[self._backs[token]].title

    def is_known(self, token: int) -> bool:
        """Return whether the face has been seen."""
        return self._faces[token] >= 0

    def label(self, action: int) -> str:
        """Return the label of an action."""
        return self._labelled(action, self.phrase)

    def is_action(self, action: int) -> bool:
        """Return whether an int is an action of the game, with a token of the deal if any."""
        token = self._game.actions.token(action)
        in_range = 0 <= action < self._game.actions.size
        return in_range and (token is None or token < len(self._faces))

    def notation(self, action: int, legal: Collection[int] = ()) -> str:
        """Return the notation of an action, which is unique among the `legal` ones.

        An int that is no action is `action 999`, which cannot be parsed.
        """
        # A match calls this for every action of every game, so the common cases come first.
        game = self._game
        if not 0 <= action < game.actions.size:
            return unknown_action(action)
        text = game.actions.fixed_labels[action]
        if text is not None:
            return text
        group, token = game.actions.by_action[action]
        if token >= len(self._faces):
            return unknown_action(action)
        face = self._faces[token]
        if face == BLANK or not game.actions.is_distinct[action]:
            # An unseen card always needs its token, and the label may be one of another group.
            return self._notation(action, self._twin(action, legal))
        if self._copies is None:
            self._copies = Counter(self._faces)
        has_twin = self._copies[face] > 1 and self._has_copy(action, legal)
        text = f"{group.verb} {game.cards.faces[face].name}"
        return f"{text}#{token}" if has_twin else text

    def notations(self, legal: Sequence[int]) -> dict[str, int]:
        """Return the legal actions by notation."""
        counts = Counter(map(self._text, legal))
        return {self._notation(a, counts[self._text(a)] > 1): a for a in legal}

    def parse(self, text: str, legal: Sequence[int]) -> int:
        """Return the legal action with this notation, or with an unambiguous part of it.

        Case and spacing are ignored; of several equal cards the first is chosen. Raises
        IllegalActionError with the legal actions.
        """
        # The rules go from strict to lenient: an exact name wins over the beginning of another one.
        names = self.notations(legal)
        words = text.casefold().split()
        for rule in (_same, _begins, _ends):
            found = {n: a for n, a in names.items() if words and rule(n.casefold(), words)}
            if len({self._text(a) for a in found.values()}) == 1:
                return next(iter(found.values()))
            if found:
                raise IllegalActionError(f"{text.strip()!r} could be {', '.join(found)}")
        known = ", ".join(names)
        raise IllegalActionError(
            f"{text.strip()!r} is not legal now.{did_you_mean(text, names)} Legal: {known}"
        )

    def _has_copy(self, action: int, legal: Iterable[int]) -> bool:
        places, faces = self._game.actions.by_action, self._faces
        group, token = places[action]
        face = faces[token]
        for other, index in [places[each] for each in legal]:
            if other is group and index != token and faces[index] == face:
                return True
        return False

    def _twin(self, action: int, legal: Iterable[int]) -> bool:
        text = self._text(action)
        return any(a != action and self._text(a) == text for a in legal)

    def _text(self, action: int) -> str:
        return self._labelled(action, self.card)

    def _labelled(self, action: int, name: CardName) -> str:
        actions = self._game.actions
        if not 0 <= action < actions.size:
            return unknown_action(action)
        group, index = actions.by_action[action]
        # With few players not all cards are in play, but the actions include all tokens.
        if index >= len(self._faces) and isinstance(group, Tokens):
            return unknown_action(action)
        return group.text(index, name)

    def _notation(self, action: int, has_twin: bool) -> str:
        if not self.is_action(action):
            return unknown_action(action)
        group, index = self._game.actions.group(action)
        text = group.text(index, self.card)
        is_tagged = isinstance(group, Tokens) and (has_twin or self._faces[index] < 0)
        return f"{text}#{index}" if is_tagged else text


def unknown_action(action: object) -> str:
    """Return a description of an answer that is no action of the game."""
    return f"action {quoted(action)}"


def _same(name: str, words: list[str]) -> bool:
    return name.split() == words or name.partition("#")[0].split() == words


def _begins(name: str, words: list[str]) -> bool:
    parts = name.split()
    return len(parts) >= len(words) and all(
        part.startswith(word) for part, word in zip(parts, words, strict=False)
    )


def _ends(name: str, words: list[str]) -> bool:
    parts = name.partition("#")[0].split()
    return parts[-len(words) :] == words
