"""What has to be known of an OpenSpiel game before it can be played here, found out by playing it.

At cardhub's table all actions are public, and cards are dealt from decks that are shuffled before
the game. Games of other kinds are refused.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any

from cardhub.adapters.openspiel_games.original import History, Original, odds
from cardhub.errors import IllegalActionError, PluginError

GAMES, MOST_STEPS = 20, 1000
"""How many games are played at random, and how many steps they take together at most."""
MOST_ENDS = 3000
"""How many more steps are taken to see what games come to."""
CLOSE = 1e-6


@dataclass(frozen=True, slots=True)
class Deck:
    """What chance draws from unseen: `outcomes`, each as often as there are copies of it.

    With `draws`, it draws so often, each time from a whole deck, as with dice.
    """

    outcomes: tuple[int, ...] = ()
    draws: int = 0

    @property
    def kinds(self) -> list[int]:
        """The different outcomes, in ascending order."""
        return sorted(set(self.outcomes))

    def left(self, drawn: tuple[int, ...]) -> list[int]:
        """Return what the next draw can be, as often as there are copies."""
        left = list(self.outcomes)
        if self.draws:
            return left if len(drawn) < self.draws else []
        for outcome in drawn:
            left.remove(outcome)
        return left

    def is_next(self, state: Any, drawn: tuple[int, ...]) -> bool:
        """Return whether a chance node draws from this deck."""
        left, chances = self.left(drawn), odds(state)
        return set(left) == set(chances) and all(
            abs(left.count(outcome) / len(left) - chance) < CLOSE
            for outcome, chance in chances.items()
        )

    def token(self, draw: int) -> int:
        """Return the token that a draw takes."""
        return draw * len(self.outcomes) if self.draws else draw


@dataclass(slots=True)
class Survey:
    """What was found: the deck, how actions and outcomes are called, whether returns are whole."""

    deck: Deck = field(default_factory=Deck)
    words: dict[int, set[str]] = field(default_factory=dict)
    outcomes: dict[int, set[str]] = field(default_factory=dict)
    is_whole: bool = True
    games: int = 0


@dataclass(frozen=True, slots=True)
class Course:
    """A game so far: its history, what was drawn from the deck, and where in the history."""

    history: History = ()
    drawn: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    seen: tuple[tuple[bool, ...], ...] = ()

    def after(self, step: int, seen: tuple[bool, ...] | None = None) -> "Course":
        """Return the game a step later; `seen` says who sees what was drawn from the deck."""
        history = (*self.history, step)
        if seen is None:
            return Course(history, self.drawn, self.places, self.seen)
        places = (*self.places, len(self.history))
        return Course(history, (*self.drawn, step), places, (*self.seen, seen))


def explore(original: Original) -> Survey:
    """Play a game at random and return what was found; raises PluginError if it does not fit."""
    survey = Survey(deck=_deck(original))
    rng, steps = Random(0), 0
    while steps < MOST_STEPS and survey.games < GAMES:
        steps += sum(1 for _ in islice(_play(original, survey, rng), MOST_STEPS - steps))
        survey.games += 1
    survey.is_whole = all(value == round(value) for value in _returns(original, rng))
    return survey


def _returns(original: Original, rng: Random) -> Iterator[float]:
    """Yield the returns of many random games."""
    steps = 0
    while steps < MOST_ENDS:
        state = original.game.new_initial_state()
        while not state.is_terminal() and steps < MOST_ENDS:
            steps += 1
            state.apply_action(_step(state, rng))
        yield from state.returns()


def _deck(original: Original) -> Deck:
    """Return what is drawn unseen before anybody acts; whole decks if draws are alike."""
    if original.is_open:
        return Deck()
    state, rng, found = original.game.new_initial_state(), Random(0), list[tuple[int, ...]]()
    while state.is_chance_node():
        if not original.is_public(state):
            found.append(_copies(original, odds(state)))
        state.apply_action(_step(state, rng))
    if not found:
        return Deck()
    return Deck(found[0], len(found) if found[1:2] == found[:1] else 0)


def _play(original: Original, survey: Survey, rng: Random) -> Iterator[Course]:
    """Play a game at random and check every position; yield them all."""
    course = Course()
    while True:
        state = original.at(course.history)
        yield course
        if state.is_terminal():
            return
        if state.is_chance_node():
            course = _chance(original, survey, course, _step(state, rng))
            continue
        _check_views(original, survey.deck, course)
        _check_actions(original, state)
        for action in state.legal_actions():
            words = state.action_to_string(state.current_player(), action)
            survey.words.setdefault(action, set()).add(" ".join(words.split()))
        course = course.after(_step(state, rng))


def _chance(original: Original, survey: Survey, course: Course, step: int) -> Course:
    state = original.at(course.history)
    for outcome in odds(state):
        words = " ".join(state.action_to_string(state.current_player(), outcome).split())
        survey.outcomes.setdefault(outcome, set()).add(words)
    _check_sight(original, state)
    if survey.deck.is_next(state, course.drawn):
        seen = tuple(original.is_seen(state, player) for player in range(original.players))
        return course.after(step, seen)
    original.refuse_unseen(state)
    return course.after(step)


def _check_sight(original: Original, state: Any) -> None:
    """Check that a player learns all of what chance draws, or nothing."""
    children = [] if original.is_open else [state.child(outcome) for outcome in odds(state)]
    for player in range(original.players):
        told = len({original.knowledge(child, player) for child in children})
        if 1 < told < len(children):
            raise PluginError(
                f"{original.text} cannot be played here: player {player} learns something of what "
                f"chance draws after {state.history()}, but not all"
            )


def _check_views(original: Original, deck: Deck, course: Course) -> None:
    """Check that whoever does not see a card could take it for any other that is left."""
    state = original.at(course.history)
    for player in range(original.players):
        other = filled(deck, course, player)
        if other != course.history and not _looks_alike(original, state, other, player):
            raise PluginError(
                f"{original.text} cannot be played here: after {list(course.history)} actions tell "
                f"player {player} something of cards that lie hidden, which cardhub's bots could "
                "not take into account"
            )


def _looks_alike(original: Original, state: Any, other: History, player: int) -> bool:
    try:
        world = original.at(other)
    except IllegalActionError:
        return False
    return original.knowledge(world, player) == original.knowledge(state, player)


def filled(deck: Deck, course: Course, player: int) -> History:
    """Return a history that a player cannot tell from the true one, as far as the deck goes."""
    known = [d if seen[player] else -1 for d, seen in zip(course.drawn, course.seen, strict=True)]
    history = list(course.history)
    for place, outcome in zip(course.places, completed(deck, known), strict=True):
        history[place] = outcome
    return tuple(history)


def completed(deck: Deck, known: list[int]) -> list[int]:
    """Return draws with those that are not known, -1, replaced by what is left, lowest first."""
    if deck.draws:
        return [deck.outcomes[0] if outcome < 0 else outcome for outcome in known]
    left = deck.left(tuple(outcome for outcome in known if outcome >= 0))
    return [left.pop(0) if outcome < 0 else outcome for outcome in known]


def _check_actions(original: Original, state: Any) -> None:
    """Check that all players learn what one does."""
    if original.is_open:
        return
    actor, actions = state.current_player(), state.legal_actions()
    children = [state.child(action) for action in actions[:: max(1, len(actions) // 4)]]
    for player in range(original.players):
        if len({original.knowledge(child, player) for child in children}) < len(children):
            raise PluginError(
                f"{original.text} cannot be played here: player {actor} acts without player "
                f"{player} learning what it does, and at this table all actions are public"
            )


def _copies(original: Original, chances: dict[int, float]) -> tuple[int, ...]:
    """Return the cards that outcomes stand for, as often as they are likely."""
    least = min(chances.values())
    copies = {outcome: round(chance / least) for outcome, chance in chances.items()}
    if any(abs(copies[o] * least - chance) > CLOSE for o, chance in chances.items()):
        raise PluginError(
            f"{original.text} cannot be played here: its chances fit no deck of cards"
        )
    return tuple(outcome for outcome, count in copies.items() for _ in range(count))


def _step(state: Any, rng: Random) -> int:
    if state.is_chance_node():
        chances = odds(state)
        return rng.choices(list(chances), list(chances.values()))[0]
    return int(rng.choice(state.legal_actions()))
