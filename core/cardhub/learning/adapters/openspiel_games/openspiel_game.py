"""An OpenSpiel game as a cardhub game.

The state is OpenSpiel's history: actions, public outcomes of chance, and a token for every card
drawn unseen. So hidden information of OpenSpiel is a face that a seat has not seen.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import override

from cardhub.learning.adapters.openspiel_games.deck import completed
from cardhub.learning.adapters.openspiel_games.names import numbered, without_player
from cardhub.learning.adapters.openspiel_games.original import Original, odds
from cardhub.learning.adapters.openspiel_games.playing_cards import NO_PLAYING_CARDS, PlayingCards
from cardhub.learning.adapters.openspiel_games.survey import Survey
from cardhub.learning.adapters.openspiel_games.wrapped_lines import wrapped_lines
from cardhub.model.game.game import Game
from cardhub.model.game.scene import Area, Grid, Names, Scene
from cardhub.model.table.faces import BLANK, blanked
from cardhub.model.table.settings import Settings
from cardhub.model.table.state import CHANCE, OVER, State
from cardhub.model.table.zones import shared

if TYPE_CHECKING:
    from cardhub.learning.arrays.feature_spec import OwnFeatures

# The caption of a line of OpenSpiel's text.
NO_CAPTION = " "
# The greatest number of drawn cards that are told one by one.
MOST_TOLD = 4
# Placeholder in a history for the next drawn card.
DRAWN = -1
# Returns that are not integers are multiplied by this, as cardhub's scores are integers.
FRACTION = 1000


class OpenSpielState(State):
    """The history of the game with placeholders, and the drawn cards in their order."""

    stack = shared(faces="nobody")
    drawn = shared(faces="nobody")
    moves: list[int]


class OpenSpielGame(Game[OpenSpielState]):
    """A game of OpenSpiel; `game_named` creates a subclass of it for each."""

    state_type = OpenSpielState
    named: ClassVar[Callable[[str, str], Game[Any]]]
    """`game_named`, by which copies of the game are made elsewhere."""
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
        now = self._at(state)
        if now.is_chance_node():
            first = self.original.game.num_distinct_actions()
            return [first + outcome for outcome in odds(now)]
        return [int(action) for action in now.legal_actions()]

    @override
    def chance_weights(self, state: OpenSpielState) -> list[float]:
        return list(odds(self._at(state)).values())

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
        return [round(value * parts) for value in self._at(state).returns()]

    @override
    def scene(self, state: OpenSpielState, viewer: int) -> Scene:
        areas = self._lines(state, viewer)
        if self.survey.deck.outcomes:
            areas.append(Area("drawn", state.drawn, look="row"))
        return Scene(self._prompt(state, viewer), areas)

    @override
    def narration(
        self, before: OpenSpielState, action: int, after: OpenSpielState, names: Names
    ) -> list[str]:
        step, who = action - self.original.game.num_distinct_actions(), "chance"
        if before.seat != CHANCE:
            step, who = action, names.player(before.seat)
        words = self._words(before, step)
        drawn = [token for token in after.drawn if token not in before.drawn]
        if len(drawn) > MOST_TOLD:
            return [f"{who}: {words}", f"{len(drawn)} cards are dealt"]
        return [f"{who}: {words}", *(f"{names.phrase(token)} is drawn" for token in drawn)]

    @override
    def action_label(self, state: OpenSpielState, action: int) -> str:
        # The notation of OpenSpiel's actions is a number where a name depends on the position.
        is_numbered = self.actions.text(action, str) == numbered(action)
        is_possible = state.seat >= 0 and action in self.legal(state)
        return self._words(state, action) if is_numbered and is_possible else ""

    @override
    def rules(self) -> str:
        parameters = self.original.game.get_parameters()
        lines = [f"- {name}: {value}" for name, value in sorted(parameters.items())]
        return "\n".join(
            [
                f"# {self.title}",
                "",
                f"The rules are OpenSpiel's, of the game `{self.original.text}`. Its parameters:",
                "",
                *lines,
                "",
            ]
        )

    def own_features(self, recall: str) -> "OwnFeatures | None":
        """Return OpenSpiel's tensor for arrays, None if the game has none."""
        # Tensors need numpy, which is not imported for play.
        from cardhub.learning.adapters.openspiel_games.tensors import tensor_features

        return tensor_features(self.original, self._at, recall)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).named, (self.name, self.original.text)  # its class has no module

    def _draw(self, state: OpenSpielState) -> None:
        # Until a player is to act, or the next outcome of chance is public.
        deck = self.survey.deck
        while True:
            now = self._at(state)
            is_drawing = now.is_chance_node() and deck.is_next(now, self._outcomes(state))
            if not is_drawing:
                break
            token = deck.token(len(state.drawn))
            state.move(token, state.stack, state.drawn)
            self._show(state, token, now)
            state.moves.append(DRAWN)
        if now.is_terminal():
            state.reveal(state.drawn)  # the returns depend on them
            state.seat = OVER
        elif now.is_chance_node():
            self.original.refuse_unseen(now)
            state.seat = CHANCE
        else:
            state.seat = int(now.current_player())

    def _show(self, state: OpenSpielState, token: int, now: Any) -> None:
        seats = [seat for seat in range(state.seats) if self.original.is_seen(now, seat)]
        if len(seats) == state.seats:
            state.reveal([token])
        for seat in seats:
            state.show(token, seat)

    def _at(self, state: OpenSpielState) -> Any:
        # Unseen cards are filled in arbitrarily: callers ask only for public properties of the
        # state, or for what OpenSpiel shows to a seat that has seen its cards.
        if not state.drawn:
            return self.original.at(tuple(state.moves))
        drawn = iter(self._outcomes(state))
        steps = (next(drawn) if step == DRAWN else step for step in state.moves)
        return self.original.at(tuple(steps))

    def _outcomes(self, state: OpenSpielState) -> tuple[int, ...]:
        faces, kinds = blanked(state.face), self.survey.deck.kinds
        known = [
            -1 if faces[token] == BLANK else kinds[faces[token] % len(kinds)]
            for token in state.drawn
        ]
        return tuple(completed(self.survey.deck, known))

    def _prompt(self, state: OpenSpielState, viewer: int) -> str:
        return "act" if state.seat == viewer else "wait"

    def _text(self, state: OpenSpielState, viewer: int) -> str:
        is_seat = viewer < state.seats
        if is_seat or self.original.is_open or state.seat == OVER:
            text = self.original.sight(self._at(state), viewer if is_seat else 0)
        elif self._shows_hidden(state):
            text = str(self._at(state))
        else:
            return "OpenSpiel shows this game to its players only"
        return self.playing_cards.text(text)

    def _shows_hidden(self, state: OpenSpielState) -> bool:
        """Return whether this state has faces that not everybody has seen."""
        faces = blanked(state.face)
        return any(state.seen[t] != state.everybody and faces[t] != BLANK for t in state.drawn)

    def _lines(self, state: OpenSpielState, viewer: int) -> list[Area | Grid]:
        """Return the text for a viewer as areas."""
        areas = lines_as_areas(self._text(state, viewer))
        # As many lines throughout, so that nothing moves: OpenSpiel adds some as a game goes on.
        return [*areas, *[Area(NO_CAPTION, note=" ")] * (self.survey.lines - len(areas))]

    def _words(self, state: OpenSpielState, step: int) -> str:
        now = self._at(state)
        words = now.action_to_string(now.current_player(), step)
        return self.playing_cards.text(without_player(" ".join(words.split())))


def lines_as_areas(text: str) -> list[Area | Grid]:
    """Return the lines of OpenSpiel's text as areas."""
    # A note has the whole width of the table, and with a note no cards are counted.
    return [Area(NO_CAPTION, note=line) for line in wrapped_lines(text)]
