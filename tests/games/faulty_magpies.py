"""Magpies with one fault each: leaks and broken promises, planted on purpose."""

from random import Random
from typing import ClassVar, Self

from tests.games.magpie import DRAW, DROP, FETCHING, HIDE, LAYING, TAKE, VALUE, Magpie, Table

from cardhub import Actions, Area, Choice, Names, Scene, Target


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


class HidesHighOnly(Magpie):
    """Has only cards above 1 hidden, without a word in `allows` about what that tells."""

    def legal(self, state: Table) -> list[int]:
        """Leave out the hiding of low cards."""
        legal = super().legal(state)
        return [a for a in legal if not HIDE <= a < DROP or VALUE[state.face[a - HIDE]] > 1]


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


class ReadsHands(Magpie):
    """Looks into all hands without asking."""

    def apply(self, state: Table, action: int) -> None:
        """Add up values that only their owners know."""
        super().apply(state, action)
        sum(VALUE[state.face[token]] for hand in state.hand for token in hand)


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


class PlaysOutAnything(Magpie):
    """Has search bots play worlds out by actions that are not legal."""

    def playout_action(self, state: Table, rng: Random) -> int:
        """Return any action."""
        return rng.randrange(self.actions.size)


class PromisesTooMuch(Magpie):
    """Promises something to a seat that is not there."""

    def outlook(self, state: Table) -> list[float]:
        """Return one number too many."""
        return [0.5] * (state.seats + 1)


class IsTooSure(Magpie):
    """Finds what people did more than certain."""

    def likelihood(self, state: Table) -> float:
        """Return a weight, not a likelihood."""
        return 3.0


class BluffsUnheard(Magpie):
    """Names an action that does not exist among those that may deceive."""

    bluffs = ("wink",)
