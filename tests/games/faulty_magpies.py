"""Magpies with one fault each: broken promises, planted on purpose."""

import random
from collections.abc import Mapping
from random import Random
from threading import Lock
from typing import Annotated, Any, ClassVar, Self

from tests.games.magpie import (
    DRAW,
    DROP,
    LAYING,
    OPTIONS,
    TAKE,
    Magpie,
    MagpieDisplay,
    Table,
)

from cardhub import (
    Actions,
    Flag,
    Heuristics,
    Number,
    Opponent,
    Option,
    Range,
)


class Noting(Table):
    """A table with a noted value and a constant one."""

    note: int
    prices: Annotated[list[int], Range(0, 20, most=3)]


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
    """Offers no actions to players with few cards."""

    def legal(self, state: Table) -> list[int]:
        """Offer no actions with fewer than five cards in hand."""
        is_poor = state.phase == LAYING and len(state.hand[state.seat]) < 5
        return [] if is_poor else super().legal(state)


class OffersTooMuch(Magpie):
    """Offers an action that does not exist."""

    def legal(self, state: Table) -> list[int]:
        """Go beyond the range."""
        return [*super().legal(state), self.actions.size]


class ForgetsOnLooking(Magpie):
    """Changes the state in `legal`."""

    def legal(self, state: Table) -> list[int]:
        """Turn the stack over."""
        state.stack.reverse()
        return super().legal(state)


class LosesCards(Magpie):
    """Loses cards that are dropped."""

    def apply(self, state: Table, action: int) -> None:
        """Lose the dropped card."""
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
    """Shares a list that no action has changed yet."""

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
    """Stores a value in the game object."""

    plays: ClassVar[int] = 0

    def deal(self, state: Table) -> None:
        """Count the games."""
        super().deal(state)
        type(self).plays += 1


class DrawsLots(Magpie):
    """Draws at random in `apply` instead of by a chance action."""

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


class PlaysOutAnythingHeuristics(Heuristics[Table]):
    """Has search bots play worlds out by actions that are not legal."""

    def playout_action(self, state: Table, rng: Random) -> int:
        """Return any action."""
        return rng.randrange(self.game.actions.size)


class PlaysOutAnything(Magpie):
    """Has search bots play worlds out by actions that are not legal."""

    heuristics_type = PlaysOutAnythingHeuristics


class PromisesTooMuchHeuristics(Heuristics[Table]):
    """Evaluates one seat more than there are."""

    def evaluate(self, state: Table) -> list[float]:
        """Return one number too many."""
        return [0.5] * (state.seats + 1)


class PromisesTooMuch(Magpie):
    """Evaluates one seat more than there are."""

    heuristics_type = PromisesTooMuchHeuristics


class IsTooSureHeuristics(Heuristics[Table]):
    """Returns a likelihood above 1."""

    def likelihood(self, state: Table) -> float:
        """Return a weight, not a likelihood."""
        return 3.0


class IsTooSure(Magpie):
    """Returns a likelihood above 1."""

    heuristics_type = IsTooSureHeuristics


class BluffsUnheardHeuristics(Heuristics[Table]):
    """Names an action that does not exist among those that may deceive."""

    bluffs = ("wink",)


class BluffsUnheard(Magpie):
    """Names an action that does not exist among those that may deceive."""

    heuristics_type = BluffsUnheardHeuristics


class ClassesSomeFacesHeuristics(Heuristics[Table]):
    """Has classes for two faces only."""

    face_classes = (0, 1)


class ClassesSomeFaces(Magpie):
    """Has classes for two faces only."""

    heuristics_type = ClassesSomeFacesHeuristics


class UnequalRowsHeuristics(Heuristics[Table]):
    """Declares rows of different lengths as alike."""

    face_rows = ((0, 1), (2,))


class UnequalRows(Magpie):
    """Declares rows of different lengths as alike."""

    heuristics_type = UnequalRowsHeuristics


class SharedRowsHeuristics(Heuristics[Table]):
    """Declares a face in two rows."""

    face_rows = ((0, 1), (1, 2))


class SharedRows(Magpie):
    """Declares a face in two rows."""

    heuristics_type = SharedRowsHeuristics


class NumbersUnheardHeuristics(Heuristics[Table]):
    """Says that an unknown field numbers rows."""

    row_numbers = ("colour",)


class NumbersUnheard(Magpie):
    """Says that an unknown field numbers rows."""

    heuristics_type = NumbersUnheardHeuristics


class SitesUnheardHeuristics(Heuristics[Table]):
    """Compares cards by a field that they do not have."""

    site_fields = ("colour",)


class SitesUnheard(Magpie):
    """Compares cards by a field that they do not have."""

    heuristics_type = SitesUnheardHeuristics


class ConfirmsUnheardDisplay(MagpieDisplay):
    """Has an action confirmed that does not exist."""

    needs_confirmation = ("wink",)


class ConfirmsUnheard(Magpie):
    """Has an action confirmed that does not exist."""

    display_type = ConfirmsUnheardDisplay


class InventsLevelsDisplay(MagpieDisplay):
    """Has an opponent for a level that does not exist."""

    opponents: ClassVar[Mapping[str, Opponent]] = {"wizard": Opponent("Ulf", "sees everything")}


class InventsLevels(Magpie):
    """Has an opponent for a level that does not exist."""

    display_type = InventsLevelsDisplay


class SpeaksUnheardDisplay(MagpieDisplay):
    """Has a sentence about an action that does not exist."""

    sentences: ClassVar[Mapping[str, str]] = {"wink 1": "{player} winks", "draw": "{player} draws"}


class SpeaksUnheard(Magpie):
    """Has a sentence about an action that does not exist."""

    display_type = SpeaksUnheardDisplay


class Stumbles(Magpie):
    """Has rules that fail now and then."""

    def apply(self, state: Table, action: int) -> None:
        """Divide by the room that is left in nests, until there is none."""
        super().apply(state, action)
        sum(6 // (3 - len(nest)) for nest in state.nest)


class StumblesAtOnce(Magpie):
    """Raises an error in `deal`."""

    def deal(self, state: Table) -> None:
        """Deal to a seat that does not exist."""
        state.put(0, state.hand, state.seats)


class SeatsNobody(Magpie):
    """Goes on with a seat that is not there."""

    def apply(self, state: Table, action: int) -> None:
        """Pass the turn too far."""
        super().apply(state, action)
        if action >= DROP and state.seat >= 0:
            state.seat += state.seats


class ChangesThePast(Magpie):
    """Goes on with the last position it was asked about."""

    asked: ClassVar[list[Any]] = []

    def legal(self, state: Table) -> list[int]:
        """Remember who asks."""
        self.asked[:] = [state]
        return super().legal(state)

    def apply(self, state: Table, action: int) -> None:
        """Change another state than the one given, too."""
        self.asked[0].debts += 1
        super().apply(state, action)


class HoldsLock(Magpie):
    """Stores an object in its state that cannot be pickled."""

    state_type = Noting
    lock: ClassVar[Any] = Lock()

    def deal(self, state: Table) -> None:
        """Put a lock on the table."""
        super().deal(state)
        assert isinstance(state, Noting)
        state.note = self.lock


class SharesLots(Magpie):
    """Draws from the module-level generator of `random`."""

    def apply(self, state: Table, action: int) -> None:
        """Turn the stack over, or not."""
        super().apply(state, action)
        if random.random() < 0.5:
            state.stack.reverse()


class NamesNothing(Magpie):
    """Has an action without a name."""

    actions = Actions(*Magpie.actions.groups[:2], "", *Magpie.actions.groups[3:])


class NamesAlike(Magpie):
    """Has two actions of one name."""

    actions = Actions(Magpie.actions.groups[0], "draw", "draw", *Magpie.actions.groups[3:])


class HelpsNobody(Magpie):
    """Has an option without a word about it."""

    options: ClassVar[dict[str, Option]] = OPTIONS | {"peek": Flag(False, " ")}


class ExpectsTooMuch(Magpie):
    """Has a default that is out of its range."""

    options: ClassVar[dict[str, Option]] = OPTIONS | {"nest": Number(9, "How many.", 3, 5)}


class ForgetsItsPage(Magpie):
    """Has an option that the rules do not name."""

    options: ClassVar[dict[str, Option]] = OPTIONS | {"glitter": Flag(False, "No more than that.")}


class HasNoPageDisplay(MagpieDisplay):
    """Has no page of rules."""

    def rules(self) -> str:
        """Return what there is without a page."""
        return "Has no page of rules."


class HasNoPage(Magpie):
    """Has no page of rules."""

    display_type = HasNoPageDisplay
