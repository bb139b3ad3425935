"""Leaks and broken promises planted on purpose, each found by the check that ought to find it."""

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Self

import pytest
from tests.games.magpie import DRAW, DROP, FETCHING, HIDE, LAYING, TAKE, VALUE, Magpie, Table

from cardhub import Actions, Area, Choice, Game, Names, Scene, Settings, Target
from cardhub.game.opening import split_decks
from cardhub.hidden.observation import Observation, Step
from cardhub.table.faces import BLANK, blanked
from cardhub.table.state import State
from cardhub.testing import ConformanceError, check_game, dealing, playout
from cardhub.testing.copying import check_clone
from cardhub.testing.guessing import check_guesses, pick

Plant = type[Magpie]


def finding(game: Game[Any]) -> str:
    """Return the name of the check that the game fails."""
    with pytest.raises(ConformanceError) as caught:
        check_game(game, games=6)
    assert str(caught.value).startswith(f"{game.name}, "), "the message begins with the game"
    return caught.value.check


class Noting(Table):
    """A table on which something is noted, and something that never changes."""

    note: int
    prices: list[int]


class NotesHiddenCard(Magpie):
    """Keeps in its state which card was hidden last."""

    state_type = Noting

    def apply(self, state: Table, action: int) -> None:
        """Note the face of a card that is laid face down."""
        if isinstance(state, Noting) and HIDE <= action < DROP:
            state.note = state.face[action - HIDE]
        super().apply(state, action)


class ShowsNote(NotesHiddenCard):
    """Shows the note in an area."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Add an area with the note."""
        assert isinstance(state, Noting)
        scene = super().scene(state, viewer)
        return Scene(scene.prompt, [*scene.areas, Area(f"note {state.note}")], scene.points)


class TellsNote(NotesHiddenCard):
    """Tells the note in the story."""

    def story(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        """Tell what was noted."""
        assert isinstance(after, Noting)
        return [f"something worth {after.note} lies in a nest"]


class AllowsByNote(NotesHiddenCard):
    """Offers the discard pile depending on the card hidden last."""

    def legal(self, state: Table) -> list[int]:
        """Leave out taking."""
        assert isinstance(state, Noting)
        actions = super().legal(state)
        return [DRAW] if state.note % 2 and DRAW in actions else actions


class PeeksAtStack(Magpie):
    """Offers the stack only if its next card is worth something."""

    def legal(self, state: Table) -> list[int]:
        """Leave out drawing a worthless card."""
        if state.phase == FETCHING and state.stack and state.discard:
            return [DRAW, TAKE] if VALUE[state.face[state.stack[-1]]] > 1 else [TAKE]
        return super().legal(state)


class ShowsStack(Magpie):
    """Reads hidden faces for its scene."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Sort the stack by value."""
        scene = super().scene(state, viewer)
        stack = Area("sorted", sorted(state.stack, key=lambda token: VALUE[state.face[token]]))
        return Scene(scene.prompt, [*scene.areas, stack], scene.points)


class TellsStack(Magpie):
    """Reads hidden faces for its story."""

    def story(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        """Tell what the cards left are worth."""
        return [f"there is {sum(VALUE[after.face[token]] for token in after.stack)} left"]


class SortsHands(Magpie):
    """Deals each hand sorted by value."""

    def deal(self, state: Table) -> None:
        """Sort what was dealt."""
        super().deal(state)
        for hand in state.hand:
            hand.sort(key=lambda token: VALUE[state.face[token]])


class NotesStack(Magpie):
    """Keeps the face of a card in the stack in a field of its own."""

    state_type = Noting

    def deal(self, state: Table) -> None:
        """Note the next card."""
        super().deal(state)
        assert isinstance(state, Noting)
        state.note = state.face[state.stack[-1]]


class DeniesTruth(Magpie):
    """Rules out that a hidden card is worth more than 3."""

    def allows(self, state: Table, token: int, face: int) -> bool:
        """Rule out what may well be, as long as there are other cards."""
        return VALUE[face] <= 3


class DoubtsTruth(Magpie):
    """Finds it implausible that the first hand is worth much."""

    def plausible(self, state: Table) -> bool:
        """Rule out what may well be."""
        return sum(VALUE[state.face[token]] for token in state.hand[0]) < 9


class Averages(Magpie):
    """Scores in fractions."""

    def scores(self, state: Table) -> list[int]:
        """Divide by what does not divide."""
        return [score / 2 for score in super().scores(state)]  # type: ignore[misc]  # on purpose


class ScoresTwice(Magpie):
    """Returns a score too many."""

    def scores(self, state: Table) -> list[int]:
        """Add one score."""
        return [*super().scores(state), 0]


class OffersTwice(Magpie):
    """Offers the same action twice."""

    def legal(self, state: Table) -> list[int]:
        """Offer drawing once for every card of the stack."""
        actions = super().legal(state)
        return [*actions, DRAW] if DRAW in actions else actions


class OffersNothing(Magpie):
    """Offers nothing to players with few cards."""

    def legal(self, state: Table) -> list[int]:
        """Offer nothing with fewer than five cards in hand."""
        is_poor = state.phase == LAYING and len(state.hand[state.seat]) < 5
        return [] if is_poor else super().legal(state)


class OffersTooMuch(Magpie):
    """Offers an action that does not exist."""

    def legal(self, state: Table) -> list[int]:
        """Go beyond the range."""
        return [*super().legal(state), self.actions.size]


class ForgetsOnLooking(Magpie):
    """Changes the state when asked what is legal."""

    def legal(self, state: Table) -> list[int]:
        """Turn the stack over."""
        state.stack.reverse()
        return super().legal(state)


class LosesCards(Magpie):
    """Throws cards away for good."""

    def apply(self, state: Table, action: int) -> None:
        """Lose what was dropped."""
        super().apply(state, action)
        if action >= DROP and state.discard:
            state.discard.pop()


class GoesOn(Magpie):
    """Never ends: full nests are emptied onto the discard pile."""

    def apply(self, state: Table, action: int) -> None:
        """Empty a nest that is getting full."""
        super().apply(state, action)
        for nest in state.nest:
            if len(nest) > 1:
                state.move(nest[0], nest, state.discard)


class Sharing(Noting):
    """Shares its discard pile with its clones."""

    def clone(self) -> Self:
        """Copy all but one list."""
        copy = super().clone()
        copy.discard = self.discard
        return copy


class SharingPrices(Noting):
    """Shares a list that nothing has changed yet."""

    def clone(self) -> Self:
        """Copy all but one list."""
        copy = super().clone()
        copy.prices = self.prices
        return copy


class SharesPile(Magpie):
    """Has clones that change the original."""

    state_type = Sharing


class SharesPrices(Magpie):
    """Has clones that could change the original."""

    state_type = SharingPrices


class RemembersGames(Magpie):
    """Keeps something in the game object."""

    plays: ClassVar[int] = 0

    def deal(self, state: Table) -> None:
        """Count the games."""
        super().deal(state)
        type(self).plays += 1


class DrawsLots(Magpie):
    """Draws lots where it should leave that to chance."""

    rng: ClassVar[Random] = Random(1)

    def apply(self, state: Table, action: int) -> None:
        """Turn the stack over, or not."""
        super().apply(state, action)
        if self.rng.random() < 0.5:
            state.stack.reverse()


class ShufflesOpenly(Magpie):
    """Shuffles cards that lie face up."""

    def apply(self, state: Table, action: int) -> None:
        """Shuffle the discard pile now and then."""
        super().apply(state, action)
        if action == TAKE and len(state.discard) > 1:
            state.shuffle(state.discard)


class NeverDrops(Magpie):
    """Draws random actions from some of the legal ones only."""

    def random_action(self, state: Table, rng: Random) -> int:
        """Return one of the first two."""
        return rng.choice(self.legal(state)[:2])


class DrawsAnything(Magpie):
    """Draws random actions that are not legal."""

    def random_action(self, state: Table, rng: Random) -> int:
        """Return any action."""
        return rng.randrange(self.actions.size)


class LoadsTooFew(Magpie):
    """Weighs fewer actions than chance has."""

    def chance_weights(self, state: Table) -> list[float] | None:
        """Return four weights for three sides."""
        return [3, 2, 1, 1]


class PointsNowhere(Magpie):
    """Has an action point at an area that is not there."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Misspell an area."""
        scene = super().scene(state, viewer)
        return Scene(scene.prompt, scene.areas, {DRAW: Target("area", "stak")})


class ShowsTooMuch(Magpie):
    """Shows a card that does not exist."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Add a token."""
        scene = super().scene(state, viewer)
        return Scene(scene.prompt, [*scene.areas, Area("more", [len(state.face)])], scene.points)


class Stammers(Magpie):
    """Writes two actions alike."""

    actions = Actions(Choice("roll", ("x", "x", "x")), *Magpie.actions.groups[1:])


class SaysNothing(Magpie):
    """Tells nothing."""

    def story(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        """Return no sentence."""
        return []


CAUGHT: list[tuple[Plant, str]] = [
    (ShowsNote, "check_same_scene"),
    (TellsNote, "check_same_story"),
    (NotesHiddenCard, "check_reachable"),
    (AllowsByNote, "check_reachable"),
    (PeeksAtStack, "check_legal_is_public"),
    (ShowsStack, "check_scene"),
    (TellsStack, "check_story"),
    (SortsHands, "check_deal_is_blind"),
    (NotesStack, "check_deal_is_blind"),
    (DeniesTruth, "check_truth_is_allowed"),
    (DoubtsTruth, "check_truth_is_allowed"),
    (Averages, "check_scores"),
    (ScoresTwice, "check_scores"),
    (OffersTwice, "check_legal"),
    (OffersNothing, "check_legal"),
    (OffersTooMuch, "check_legal"),
    (ForgetsOnLooking, "check_legal"),
    (LosesCards, "check_cards"),
    (SharesPile, "check_apply"),
    (RemembersGames, "check_game"),
    (DrawsLots, "check_replay"),
    (ShufflesOpenly, "check_shuffles"),
    (NeverDrops, "check_random_action"),
    (DrawsAnything, "check_random_action"),
    (LoadsTooFew, "check_weights"),
    (PointsNowhere, "check_scene"),
    (ShowsTooMuch, "check_scene"),
    (Stammers, "check_notations"),
    (SaysNothing, "check_story"),
]


@pytest.mark.parametrize(("plant", "check"), CAUGHT)
def test_a_planted_fault_is_found_by_the_check_that_ought_to_find_it(
    plant: Plant, check: str
) -> None:
    """Every check of the kit can fail, and fails for what it is there for."""
    assert finding(plant()) == check


def test_a_game_without_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random play comes to an end within a bound."""
    monkeypatch.setattr(playout, "MOST_ACTIONS", 500)
    assert finding(GoesOn()) == "check_end"


def test_a_list_shared_with_clones_is_found_even_if_nothing_has_changed_it_yet() -> None:
    """Clones share no list with the original but the faces and backs."""
    game = SharesPrices()
    with pytest.raises(ConformanceError, match=r"shares prices \(check_clone\)"):
        check_clone(game, pick(game, 2, 0, Random(0)))


def test_a_deck_that_is_not_shuffled_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens are numbered in shuffled order, so that the number itself says nothing."""

    def unshuffled(game: Magpie, settings: Settings, seats: int, rng: Random) -> list[int]:
        (deck,) = split_decks(game, settings, seats)
        cut = rng.randrange(len(deck) // 2)  # cut near the top, but not shuffled
        return deck[cut:] + deck[:cut]

    monkeypatch.setattr(dealing, "shuffled", unshuffled)
    assert finding(Magpie()) == "check_deal_is_fair"


@pytest.fixture
def peek(monkeypatch: pytest.MonkeyPatch) -> dict[int, State]:
    """Have every observation keep the true state behind it, by the observation's id."""
    truths: dict[int, State] = {}
    make = Observation.__init__

    def keep(
        self: Observation[Any],
        game: Game[Any],
        state: State,
        seat: int,
        history: Sequence[Step] = (),
    ) -> None:
        make(self, game, state, seat, history)
        truths[id(self)] = state

    monkeypatch.setattr(Observation, "__init__", keep)
    return truths


def test_determinizations_that_are_the_truth_are_found(
    peek: dict[int, State], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two cards of one back that could lie the other way round are drawn either way."""
    monkeypatch.setattr(Observation, "determinize", lambda self, rng: peek[id(self)].clone())
    assert finding(Magpie()) == "check_variety"


def test_determinizations_that_know_one_card_too_many_are_found(
    peek: dict[int, State], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The true face of a hidden card is drawn no more often than by chance."""
    fair = Observation.determinize

    def knowing(self: Observation[Any], rng: Random) -> State:
        drawn, truth = fair(self, rng), peek[id(self)].face
        assert isinstance(drawn, State)
        hidden = [token for token, face in enumerate(blanked(self.state.face)) if face == BLANK]
        faces = blanked(drawn.face)
        bearers = [token for token in hidden if faces[token] == truth[hidden[0]]]
        if bearers:
            faces[bearers[0]], faces[hidden[0]] = faces[hidden[0]], faces[bearers[0]]
        drawn.face = faces
        return drawn

    monkeypatch.setattr(Observation, "determinize", knowing)
    with pytest.raises(ConformanceError, match="check_guesses"):
        check_guesses(Magpie(), 3, 0)
