"""Properties of an OpenSpiel game, found by random play.

In cardhub all actions are public, and cards are dealt from decks that are shuffled before the game.
Games without these properties are refused.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any

from cardhub.adapters.openspiel_games.original import History, Original, odds
from cardhub.errors import IllegalActionError, PluginError

# Limits of the random play in which every state is checked.
MAX_GAMES, MAX_STEPS = 20, 1000
# Steps of further random play, without checks, to see returns.
RETURN_STEPS = 3000
# Maximum difference between probabilities that count as equal.
TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Deck:
    """The deck from which chance draws unseen cards: `outcomes`, repeated for each copy.

    With `draws`, each of that many draws is from a complete deck, as with dice.
    """

    outcomes: tuple[int, ...] = ()
    draws: int = 0

    @property
    def kinds(self) -> list[int]:
        """The different outcomes, in ascending order."""
        return sorted(set(self.outcomes))

    def left(self, drawn: tuple[int, ...]) -> list[int]:
        """Return the outcomes left for the next draw, repeated for each copy."""
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
            abs(left.count(outcome) / len(left) - chance) < TOLERANCE
            for outcome, chance in chances.items()
        )

    def token(self, draw: int) -> int:
        """Return the token that a draw takes."""
        return draw * len(self.outcomes) if self.draws else draw


@dataclass(slots=True)
class Survey:
    """The deck, the names of actions and outcomes, and whether all returns are integers."""

    deck: Deck = field(default_factory=Deck)
    words: dict[int, set[str]] = field(default_factory=dict)
    outcomes: dict[int, set[str]] = field(default_factory=dict)
    has_integer_returns: bool = True
    games: int = 0


@dataclass(frozen=True, slots=True)
class SampledGame:
    """A game in progress: history, drawn cards, their indices in it, and who has seen them."""

    history: History = ()
    drawn: tuple[int, ...] = ()
    indices: tuple[int, ...] = ()
    seen: tuple[tuple[bool, ...], ...] = ()

    def after(self, step: int, seen: tuple[bool, ...] | None = None) -> "SampledGame":
        """Return the game after a step; `seen`: which players see this card of the deck."""
        history = (*self.history, step)
        if seen is None:
            return SampledGame(history, self.drawn, self.indices, self.seen)
        indices = (*self.indices, len(self.history))
        return SampledGame(history, (*self.drawn, step), indices, (*self.seen, seen))


def explore(original: Original) -> Survey:
    """Play a game at random and return its properties; raises PluginError if unsupported."""
    survey = Survey(deck=_deck(original))
    rng, steps = Random(0), 0
    while steps < MAX_STEPS and survey.games < MAX_GAMES:
        steps += sum(1 for _ in islice(_play(original, survey, rng), MAX_STEPS - steps))
        survey.games += 1
    survey.has_integer_returns = all(value == round(value) for value in _returns(original, rng))
    return survey


def _returns(original: Original, rng: Random) -> Iterator[float]:
    steps = 0
    while steps < RETURN_STEPS:
        state = original.game.new_initial_state()
        while not state.is_terminal() and steps < RETURN_STEPS:
            steps += 1
            state.apply_action(_step(state, rng))
        yield from state.returns()


def _deck(original: Original) -> Deck:
    # The deck is taken from the draws before the first action. If the first two draws are alike,
    # each one is from a complete deck.
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


def _play(original: Original, survey: Survey, rng: Random) -> Iterator[SampledGame]:
    """Play a game at random and check every state; yield the game after each step."""
    game = SampledGame()
    while True:
        state = original.at(game.history)
        yield game
        if state.is_terminal():
            return
        if state.is_chance_node():
            game = _chance(original, survey, game, _step(state, rng))
            continue
        _check_views(original, survey.deck, game)
        _check_actions(original, state)
        for action in state.legal_actions():
            words = state.action_to_string(state.current_player(), action)
            survey.words.setdefault(action, set()).add(" ".join(words.split()))
        game = game.after(_step(state, rng))


def _chance(original: Original, survey: Survey, game: SampledGame, step: int) -> SampledGame:
    state = original.at(game.history)
    for outcome in odds(state):
        words = " ".join(state.action_to_string(state.current_player(), outcome).split())
        survey.outcomes.setdefault(outcome, set()).add(words)
    _check_sight(original, state)
    if survey.deck.is_next(state, game.drawn):
        seen = tuple(original.is_seen(state, player) for player in range(original.players))
        return game.after(step, seen)
    original.refuse_unseen(state)
    return game.after(step)


def _check_sight(original: Original, state: Any) -> None:
    # A player has to observe an outcome of chance completely or not at all: faces have no parts.
    children = [] if original.is_open else [state.child(outcome) for outcome in odds(state)]
    for player in range(original.players):
        distinct = len({original.knowledge(child, player) for child in children})
        if 1 < distinct < len(children):
            raise PluginError(
                f"{original.text} cannot be played here: player {player} observes an outcome of "
                f"chance partially, after {state.history()}"
            )


def _check_views(original: Original, deck: Deck, game: SampledGame) -> None:
    # For a player who has not seen a card, every other card left must be possible: cardhub's
    # determinizations do not infer cards from actions.
    state = original.at(game.history)
    for player in range(original.players):
        other = filled(deck, game, player)
        if other != game.history and not _looks_alike(original, state, other, player):
            raise PluginError(
                f"{original.text} cannot be played here: after {list(game.history)} actions reveal "
                f"information on hidden cards to player {player}, which determinizations ignore"
            )


def _looks_alike(original: Original, state: Any, other: History, player: int) -> bool:
    try:
        alternative = original.at(other)
    except IllegalActionError:
        return False
    return original.knowledge(alternative, player) == original.knowledge(state, player)


def filled(deck: Deck, game: SampledGame, player: int) -> History:
    """Return the history with the cards that a player has not seen replaced by others."""
    known = [d if seen[player] else -1 for d, seen in zip(game.drawn, game.seen, strict=True)]
    history = list(game.history)
    for index, outcome in zip(game.indices, completed(deck, known), strict=True):
        history[index] = outcome
    return tuple(history)


def completed(deck: Deck, known: list[int]) -> list[int]:
    """Return draws with unknown ones (-1) replaced by the cards left, lowest first."""
    if deck.draws:
        return [deck.outcomes[0] if outcome < 0 else outcome for outcome in known]
    left = deck.left(tuple(outcome for outcome in known if outcome >= 0))
    return [left.pop(0) if outcome < 0 else outcome for outcome in known]


def _check_actions(original: Original, state: Any) -> None:
    if original.is_open:
        return
    # A sample of the actions: some games have thousands.
    actor, actions = state.current_player(), state.legal_actions()
    children = [state.child(action) for action in actions[:: max(1, len(actions) // 4)]]
    for player in range(original.players):
        if len({original.knowledge(child, player) for child in children}) < len(children):
            raise PluginError(
                f"{original.text} cannot be played here: player {player} does not observe "
                f"actions of player {actor}; in cardhub all actions are public"
            )


def _copies(original: Original, chances: dict[int, float]) -> tuple[int, ...]:
    # The rarest outcome is taken as one card.
    least = min(chances.values())
    copies = {outcome: round(chance / least) for outcome, chance in chances.items()}
    if any(abs(copies[o] * least - chance) > TOLERANCE for o, chance in chances.items()):
        raise PluginError(
            f"{original.text} cannot be played here: its probabilities match no deck of cards"
        )
    return tuple(outcome for outcome, count in copies.items() for _ in range(count))


def _step(state: Any, rng: Random) -> int:
    if state.is_chance_node():
        chances = odds(state)
        return rng.choices(list(chances), list(chances.values()))[0]
    return int(rng.choice(state.legal_actions()))
