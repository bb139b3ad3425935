"""An OpenSpiel game as a cardhub game.

The state is OpenSpiel's history: actions, public outcomes of chance, and a token for every unseen
drawn card. Hidden information of OpenSpiel becomes a face that a seat has not seen.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from typing_extensions import override

from cardhub import CHANCE, OVER, Game, Omitted, Settings, State, shared
from cardhub.model.table.faces import BLANK, blanked
from cardhub_openspiel.imported.deck import fill_in
from cardhub_openspiel.imported.original import Original, odds
from cardhub_openspiel.imported.playing_cards import NO_PLAYING_CARDS, PlayingCards
from cardhub_openspiel.imported.survey import Survey

if TYPE_CHECKING:
    from cardhub.learning.arrays.feature_spec import OwnFeatures

# Placeholder in a history for the next drawn card.
DRAWN = -1
# Returns that are not integers are multiplied by this, as cardhub's scores are integers.
FRACTION = 1000


class OpenSpielState(State):
    """The history of the game with placeholders, and the drawn cards in the order of draws."""

    stack = shared(faces="nobody")
    drawn = shared(faces="nobody", noun="drawn cards")
    # Tensors have it in another form.
    moves: Annotated[list[int], Omitted()]


class OpenSpielGame(Game[OpenSpielState]):
    """A game of OpenSpiel; `game_named` creates a subclass for each game."""

    state_type = OpenSpielState
    display_type = ".openspiel_display:OpenSpielDisplay"
    create: ClassVar[Callable[[str, str], Game[Any]]]
    """The function `game_named`, which creates the game again when it is unpickled."""
    original: ClassVar[Original]
    survey: ClassVar[Survey]
    playing_cards: ClassVar[PlayingCards] = NO_PLAYING_CARDS

    @override
    def pack(self, settings: Settings, seats: int) -> list[int]:
        return self.cards.all_copies() if self.survey.deck.outcomes else []

    @override
    def deal(self, state: OpenSpielState) -> None:
        state.put_all(range(len(state.back)), state.stack)
        self._draw(state)

    @override
    def legal(self, state: OpenSpielState) -> list[int]:
        node = self.state_of(state)
        if node.is_chance_node():
            first = self.original.game.num_distinct_actions()
            return [first + outcome for outcome in odds(node)]
        return [int(action) for action in node.legal_actions()]

    @override
    def chance_weights(self, state: OpenSpielState) -> list[float]:
        return list(odds(self.state_of(state)).values())

    @override
    def apply(self, state: OpenSpielState, action: int) -> None:
        # Outcomes of chance are numbered after the actions of players.
        first = self.original.game.num_distinct_actions()
        state.moves.append(action if state.seat != CHANCE else action - first)
        self._draw(state)

    @override
    def scores(self, state: OpenSpielState) -> list[int]:
        if state.seat != OVER:
            return [0] * state.seats
        parts = 1 if self.survey.has_integer_returns else FRACTION
        return [round(value * parts) for value in self.state_of(state).returns()]

    def own_features(self, recall: str) -> "OwnFeatures | None":
        """Return OpenSpiel's tensor for arrays, or None if the game has no tensor."""
        # Imported late, because tensors need numpy, which playing does not load.
        from cardhub_openspiel.imported.tensors import tensor_features

        return tensor_features(self.original, self.state_of, recall)

    def __reduce__(self) -> tuple[Any, ...]:
        # The class cannot be imported, so the game is created again.
        return type(self).create, (self.name, self.original.text)

    def _draw(self, state: OpenSpielState) -> None:
        # Draw cards until a player is to act, or the next outcome of chance is public.
        deck = self.survey.deck
        while True:
            node = self.state_of(state)
            is_drawing = node.is_chance_node() and deck.is_next(node, self._outcomes(state))
            if not is_drawing:
                break
            token = deck.token(len(state.drawn))
            state.move(token, state.stack, state.drawn)
            self._show(state, token, node)
            state.moves.append(DRAWN)
        if node.is_terminal():
            state.reveal(state.drawn)  # the returns depend on these cards
            state.seat = OVER
        elif node.is_chance_node():
            self.original.refuse_unseen(node)
            state.seat = CHANCE
        else:
            state.seat = int(node.current_player())

    def _show(self, state: OpenSpielState, token: int, node: Any) -> None:
        seats = [seat for seat in range(state.seats) if self.original.is_seen(node, seat)]
        if len(seats) == state.seats:
            state.reveal([token])
        for seat in seats:
            state.show(token, seat)

    def state_of(self, state: OpenSpielState) -> Any:
        """Return OpenSpiel's state, in which cards that are hidden in `state` are filled in.

        They are filled in arbitrarily: callers use only public properties of the state, or
        OpenSpiel's text for a seat that has seen its cards.
        """
        if not state.drawn:
            return self.original.at(tuple(state.moves))
        outcomes = iter(self._outcomes(state))
        steps = (next(outcomes) if step == DRAWN else step for step in state.moves)
        return self.original.at(tuple(steps))

    def _outcomes(self, state: OpenSpielState) -> tuple[int, ...]:
        faces, kinds = blanked(state.face), self.survey.deck.kinds
        draws = [
            -1 if faces[token] == BLANK else kinds[faces[token] % len(kinds)]
            for token in state.drawn
        ]
        return tuple(fill_in(self.survey.deck, draws))
