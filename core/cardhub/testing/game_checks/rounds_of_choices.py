"""Checks of choices at the same time: players lay cards face down in turn, then all are turned up.

The random games show which choices are such a round: several seats in a row choose cards by one
verb out of zones that only they see, and one action turns all of them up or moves them on. Until
then no seat that has yet to choose may learn anything about the cards that others have chosen.
"""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import attrgetter
from random import Random
from typing import Any, Generic, NamedTuple

from cardhub.model.game.game import Game, S
from cardhub.model.hidden.chance import masks_at_shuffles
from cardhub.model.hidden.constraints.face_masks import mask_of, name_of_masks
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import Observation, Step, observed_state
from cardhub.model.hidden.outcomes import Outcome, apply_outcome
from cardhub.model.hidden.past_steps import outcomes_of
from cardhub.model.table.beats import apply_watched
from cardhub.model.table.faces import BLANK, blanked
from cardhub.model.table.rounds import is_in_round
from cardhub.model.table.state import CHANCE, State
from cardhub.model.table.state_declaration import Zone
from cardhub.play.seating import NAMES
from cardhub.testing.checking import differing, first_difference
from cardhub.testing.deal_replay import Transition
from cardhub.testing.random_play import Position
from cardhub.view.explain.action_texts import tell_action

# The most positions of a round that are kept; longer rounds are not checked.
MOST_POSITIONS = 100
# The most decisions of a game that are checked, a random sample of all.
MOST_DECISIONS = 12
# The most actions that are tried instead of a choice, and the most other cards it is changed to.
MOST_ALTERNATIVES, MOST_OTHERS = 30, 2


class HiddenChoice(NamedTuple):
    """A card that a seat has chosen, and where it lies face down.

    `number` is the number of actions before it, `source` the zone that it was chosen from.
    `is_known` says whether everybody had seen the card before.
    """

    number: int
    step: Step
    verb: str
    token: int
    source: Zone
    zone: Zone
    pile: int
    is_known: bool

    def is_over(self, state: State) -> bool:
        """Return whether the card has moved on or been turned up."""
        is_shown = state.seen[self.token] == state.everybody and not self.is_known
        return is_shown or self.token not in self.pile_in(state)

    def pile_in(self, state: State) -> list[int]:
        """Return the pile on which the card lies face down."""
        return self.zone.piles(state)[self.pile]


@dataclass(frozen=True, slots=True)
class RoundDecision(Generic[S]):
    """A decision of a seat, and the choices that others have made before it in the same round.

    `path` are the positions from before the first of these choices to the decision.
    """

    path: tuple[Position[S], ...]
    earlier: tuple[HiddenChoice, ...] = ()

    @property
    def position(self) -> Position[S]:
        """The position in which the seat decides."""
        return self.path[-1]

    def without_shown(self) -> "RoundDecision[S]":
        """Return the decision without choices that the rules have shown to the seat since."""
        state, seat = self.position.state, self.position.state.seat
        earlier = tuple(
            choice
            for choice in self.earlier
            if state.seen[choice.token] >> seat & 1
            <= self.positions_since(choice)[0].state.seen[choice.token] >> seat & 1
        )
        return replace(self, earlier=earlier)

    def positions_since(self, choice: HiddenChoice) -> tuple[Position[S], ...]:
        """Return the positions from before a choice to the decision."""
        return self.path[choice.number - self.path[0].number :]


class RoundCollector(Generic[S]):
    """Collects the decisions of a random game in rounds of choices at the same time."""

    def __init__(self, game: Game[S], rng: Random) -> None:
        self.decisions: list[RoundDecision[S]] = []
        self._game = game
        self._rng = rng
        self._recent = deque[Position[S]](maxlen=MOST_POSITIONS)
        self._pending: list[HiddenChoice] = []
        self._count = 0

    def add(self, position: Position[S]) -> None:
        """Add the next position of the game."""
        self._recent.append(position)
        if position.before is None or position.applied is None:
            return
        if is_in_round(position.before):
            return  # the core keeps these choices secret
        if position.before.views_field:
            return  # determinizations are whole games, which contain no impossible choice
        made = list(_choices_of_step(self._game, position))
        over = [choice for choice in self._pending if choice.is_over(position.applied)]
        # A card that all know can be turned up, too, which its marks do not show.
        zones = [choice.zone for choice in over]
        over += [c for c in self._pending if c.is_known and c.zone in zones and c not in over]
        self._pending = [choice for choice in self._pending if choice not in over]
        if over:
            # The last choice of a round can itself turn all cards up.
            for choices in _runs(sorted([*over, *made], key=attrgetter("number")), position.steps):
                self._note(choices)
        face_down = (choice for choice in made if choice.zone.faces in ("nobody", "owner"))
        self._pending += [c for c in face_down if not c.is_over(position.applied)]

    def _note(self, choices: Sequence[HiddenChoice]) -> None:
        """Note the decisions of a round of which the recent positions are complete."""
        first = self._recent[0].number
        for index, choice in enumerate(choices):
            seat = choice.step.seat
            earlier = tuple(c for c in choices[:index] if c.step.seat != seat)
            goes_on = index and choices[index - 1].step.seat == seat
            if not earlier or goes_on or earlier[0].number < first:
                continue
            path = islice(self._recent, earlier[0].number - first, choice.number + 1 - first)
            decision = RoundDecision(tuple(path), earlier).without_shown()
            if decision.earlier and len(self._game.legal(decision.position.state)) > 1:
                self._sample(decision)

    def _sample(self, decision: RoundDecision[S]) -> None:
        self._count += 1
        if len(self.decisions) < MOST_DECISIONS:
            self.decisions.append(decision)
        elif (slot := self._rng.randrange(self._count)) < MOST_DECISIONS:
            self.decisions[slot] = decision


def check_recognition(game: Game[S], position: Position[S], decision: RoundDecision[S]) -> None:
    """Check that the seat to act cannot distinguish the cards that others could have chosen."""
    seat = position.state.seat
    for choice in decision.earlier:
        before = decision.positions_since(choice)[0].state
        if reason := _recognition(game, before, choice, seat):
            label, zone = _described(game, before, choice), choice.source.name
            problem = f"{label} from `{zone}`. Seat {seat}, who has yet to choose, {reason}"
            position.fail(game, "recognition", problem)


def check_order(game: Game[S], position: Position[S], decision: RoundDecision[S]) -> None:
    """Check that the seat to act sees the same if others had chosen other cards."""
    for choice in decision.earlier:
        path = decision.positions_since(choice)
        for world, card in _changed_worlds(game, path[0].state, choice, position.state.seat):
            difference = _difference(game, path, world, choice)
            if difference:
                problem = (
                    f"{_described(game, path[0].state, choice)}. If it were {card}, "
                    f"seat {position.state.seat}, who has yet to choose, {difference}"
                )
                position.fail(game, "order", problem)


def _recognition(game: Game[S], before: S, choice: HiddenChoice, seat: int) -> str:
    """Return how a seat can distinguish the chosen card from others, empty if it cannot."""
    known = observed_state(before, seat)
    face, mask = blanked(known.face), _possible_faces(game, known, choice.token)
    for other in _others(game, before, choice):
        if _possible_faces(game, known, other) == mask:
            continue
        if face[choice.token] != BLANK:
            return f"has seen that card, {_card(game, before, choice.token)}"
        card = _card(game, before, other)
        if face[other] != BLANK:
            return f"has seen {card} among the cards to choose from, and sees that it is another"
        return f"can distinguish it from {card} by {name_of_masks(game)}"
    return ""


def _choices_of_step(game: Game[S], position: Position[S]) -> Iterator[HiddenChoice]:
    """Yield the cards that the last action took or named out of zones that only its seat sees."""
    before, applied = position.before, position.applied
    step = position.steps[position.number - 1]
    if before is None or applied is None or step.seat < 0:
        return
    verb = game.actions.group(step.action)[0].verb
    for source, token in _chosen(game, before, step, applied):
        places = (
            (zone, number)
            for zone in applied.zones
            for number, pile in enumerate(zone.piles(applied))
            if token in pile
        )
        is_known = before.seen[token] == before.everybody
        for zone, pile in islice(places, 1):
            number = position.number - 1
            yield HiddenChoice(number, step, verb, token, source, zone, pile, is_known)


def _chosen(
    game: Game[Any], before: State, step: Step, applied: State
) -> Iterator[tuple[Zone, int]]:
    named = game.actions.token(step.action)
    for zone in before.zones:
        if zone.faces != "owner":
            continue
        pile, left = (zone.piles(state)[step.seat] for state in (before, applied))
        for token in pile:
            if token == named or (named is None and token not in left):
                yield zone, token


def _runs(
    choices: Sequence[HiddenChoice], steps: Sequence[Step]
) -> Iterator[Sequence[HiddenChoice]]:
    """Split choices into those by one verb between which no other seat does anything else."""
    begin = 0
    for index in range(1, len(choices) + 1):
        if index < len(choices):
            last, choice = choices[index - 1], choices[index]
            between = {step.seat for step in steps[last.number + 1 : choice.number]}
            if choice.verb == last.verb and between <= {CHANCE, last.step.seat}:
                continue
        yield choices[begin:index]
        begin = index


def _others(game: Game[S], state: S, choice: HiddenChoice) -> Iterator[int]:
    """Yield the tokens that could have been chosen instead, as far as their faces differ."""
    pile = choice.source.piles(state)[choice.step.seat]
    alternatives = (a for a in game.legal(state) if game.actions.group(a)[0].verb == choice.verb)
    passed = {choice.token}
    for action in islice(alternatives, MOST_ALTERNATIVES):
        applied = state.clone()
        game.apply(applied, action)
        for zone, token in _chosen(game, state, Step(choice.step.seat, action), applied):
            is_other = state.face[token] != state.face[choice.token]
            is_alike = state.back[token] == state.back[choice.token]
            if zone is choice.source and token in pile and is_other and is_alike:
                if token not in passed:
                    yield token
                passed.add(token)


def _possible_faces(game: Game[S], known: S, token: int) -> int:
    """Return the faces that a viewer takes for possible, as bits."""
    face = blanked(known.face)[token]
    all_faces = (1 << len(game.cards.faces)) - 1
    return 1 << face if face != BLANK else mask_of(game, known, token) & all_faces


def _card(game: Game[Any], state: State, token: int) -> str:
    return Labels(game, state.face, state.back).card(token)


def _described(game: Game[Any], state: State, choice: HiddenChoice) -> str:
    label = Labels(game, state.face, state.back).label(choice.step.action)
    number = choice.number + 1
    return f"action {number} is seat {choice.step.seat}'s choice of a card face down: {label!r}"


def _changed_worlds(
    game: Game[S], state: S, choice: HiddenChoice, viewer: int
) -> Iterator[tuple[S, str]]:
    """Yield states in which the chosen card is another one for all that a viewer knows."""
    known = observed_state(state, viewer)
    mask = _possible_faces(game, known, choice.token)
    for other in islice(_others(game, state, choice), MOST_OTHERS):
        faces = blanked(state.face)
        faces[choice.token], faces[other] = faces[other], faces[choice.token]
        is_alike = _possible_faces(game, known, other) == mask
        if not is_alike or not (mask >> faces[other] & mask >> faces[choice.token] & 1):
            continue
        world = state.clone()
        world.face = faces
        # plausible() gets a clone, because rules may write caches into the state that they judge.
        if game.plausible(world.clone()) and choice.step.action in game.legal(world):
            yield world, _card(game, state, other)


def _difference(game: Game[S], path: Sequence[Position[S]], world: S, choice: HiddenChoice) -> str:
    """Return what the seat to act at the end of a path sees differently from `world` on.

    Empty if there is no difference, or if the public actions or answers are not possible there.
    """
    viewer = path[-1].state.seat
    for position in path[1:]:
        step = position.steps[position.number - 1]
        if world.seat != step.seat or step.action not in game.legal(world):
            return ""
        state = position.state
        truth = Transition(position.before or state, position.applied or state, state)
        other = _transition(game, world, step, truth)
        # What the rules make public by an answer is meant to be known.
        if other.applied.answers != truth.applied.answers:
            return ""
        if position is path[1] and choice.token not in choice.pile_in(other.applied):
            return "would see the action take another card of the same back, because it names it"
        if difference := _observed_difference(game, viewer, step, truth, other):
            return difference
        world = other.after
    return ""


def _transition(game: Game[S], world: S, step: Step, truth: Transition[S]) -> Transition[S]:
    """Carry out an action in another world, with the true shuffles as far as possible."""
    applied = world.clone()
    game.apply(applied, step.action)
    shuffles = truth.applied.pending_shuffles
    if not shuffles or applied.pending_shuffles != shuffles:
        return Transition(world, applied, applied)
    after = applied.clone()
    outcomes = outcomes_of(truth.after)[-len(shuffles) :]
    masks = masks_at_shuffles(game, world, applied)
    for (tokens, _), outcome, allowed in zip(shuffles, outcomes, masks, strict=True):
        held = [after.face[token] for token in tokens]
        faces = _with_cards(outcome.faces, held)
        apply_outcome(after, Outcome(faces, outcome.backs), allowed)
    return Transition(world, applied, after)


def _with_cards(faces: Sequence[int], held: Sequence[int]) -> tuple[int, ...]:
    """Return the faces with those that are not held replaced by those held instead."""
    surplus, missing = Counter(faces) - Counter(held), (Counter(held) - Counter(faces)).elements()
    changed = []
    for face in faces:
        if surplus[face]:
            surplus[face] -= 1
            changed.append(next(missing))
        else:
            changed.append(face)
    return tuple(changed)


def _observed_difference(
    game: Game[S], viewer: int, step: Step, truth: Transition[S], other: Transition[S]
) -> str:
    """Return what a viewer sees differently after an action, empty if nothing."""
    here, elsewhere = (
        [observed_state(state, viewer) for state in (moments.applied, moments.after)]
        for moments in (truth, other)
    )
    differences = [differing(a, b) for a, b in zip(here, elsewhere, strict=True) if a != b]
    if not differences:
        return ""
    attribute = f"would see another state.{differences[0]}"
    for kind, look in (("log line", _story), ("legal actions", _legal), ("scene", _scene)):
        seen, changed = (look(game, viewer, step, moments) for moments in (truth, other))
        if seen != changed:
            part, instead = first_difference(seen, changed)
            return f"{attribute}; the {kind} would be {instead!r} instead of {part!r}"
    return attribute


def _story(game: Game[S], viewer: int, step: Step, moments: Transition[S]) -> object:
    before, after = (Observation(game, state, viewer) for state in moments[:2])
    noted = apply_watched(game, moments.before.clone(), step.action)
    names = NAMES[: after.state.seats]
    return "\n".join(tell_action(before, step.seat, step.action, after, names, noted))


def _legal(game: Game[S], viewer: int, step: Step, moments: Transition[S]) -> object:
    observation = Observation(game, moments.after, viewer)
    labels = observation.labels()
    return ", ".join(map(labels.label, observation.legal() if observation.is_to_act else []))


def _scene(game: Game[S], viewer: int, step: Step, moments: Transition[S]) -> object:
    return Observation(game, moments.after, viewer).scene()
