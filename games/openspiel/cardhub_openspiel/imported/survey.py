"""Properties of an OpenSpiel game, found by random play.

In cardhub all actions are public, and cards are dealt from decks that are shuffled before the game.
Actions that others do not observe become cards laid face down. Games that do not fit this model are
refused.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from typing import Any

from cardhub import PluginError
from cardhub_openspiel.imported.deck import Deck, copies_of, fill_in
from cardhub_openspiel.imported.hands.known_cards import is_public_chance
from cardhub_openspiel.imported.laid.hidden_actions import (
    UNKNOWN,
    histories,
    is_hidden,
    newly_observed,
)
from cardhub_openspiel.imported.original import History, Original, odds, random_step
from cardhub_openspiel.imported.wrapped_lines import wrapped_lines

# Limits of the random play in which every state is checked.
MAX_GAMES, MAX_STEPS = 20, 1000
# The number of random steps that are played to see returns, without further checks.
RETURN_STEPS = 3000


@dataclass(slots=True)
class Survey:
    """The properties of a game: deck, names of actions and outcomes, kind of returns.

    `hidden`: the players with actions that others do not observe immediately. `lines`: the greatest
    number of lines of a player's observation. `words` and `outcomes`: the names of actions and of
    outcomes of chance. `games`: the number of random games.
    """

    deck: Deck = field(default_factory=Deck)
    hidden: set[int] = field(default_factory=set)
    lines: int = 0
    words: dict[int, set[str]] = field(default_factory=dict)
    outcomes: dict[int, set[str]] = field(default_factory=dict)
    has_integer_returns: bool = True
    games: int = 0

    def note_words(self, state: Any) -> None:
        """Collect the names of the actions, or of the outcomes of chance, in a state."""
        is_chance = state.is_chance_node()
        for step in odds(state) if is_chance else state.legal_actions():
            words = " ".join(state.action_to_string(state.current_player(), step).split())
            (self.outcomes if is_chance else self.words).setdefault(step, set()).add(words)

    def note_returns(self, returns: Iterable[float]) -> None:
        """Note whether these returns are integers."""
        self.has_integer_returns &= all(value == round(value) for value in returns)

    def note_more_returns(self, original: Original, rng: Random, steps: int) -> None:
        """Note the returns of more random games, until `RETURN_STEPS` steps are played."""
        while steps < RETURN_STEPS and self.has_integer_returns:
            state = original.game.new_initial_state()
            while not state.is_terminal() and steps < RETURN_STEPS:
                steps += 1
                state.apply_action(random_step(state, rng))
            self.note_returns(state.returns())

    def note_lines(self, original: Original, state: Any) -> None:
        """Note the number of lines that each player sees."""
        sights = (original.sight(state, player) for player in range(original.players))
        self.lines = max(self.lines, *(len(wrapped_lines(text)) for text in sights))


@dataclass(frozen=True, slots=True)
class SampledGame:
    """A game in progress: its history, and the cards that players may not have seen.

    `cards`: the drawn and laid cards. `indices`: their indices in the history. `seen_by`: for each
    card, whether each player has seen it.
    """

    history: History = ()
    cards: tuple[int, ...] = ()
    indices: tuple[int, ...] = ()
    seen_by: tuple[tuple[bool, ...], ...] = ()

    def after(self, step: int, seen_by: tuple[bool, ...] | None = None) -> "SampledGame":
        """Return the game after a step.

        `seen_by`: the players who see this card, or None for a public step.
        """
        history = (*self.history, step)
        if seen_by is None:
            return SampledGame(history, self.cards, self.indices, self.seen_by)
        indices = (*self.indices, len(self.history))
        return SampledGame(history, (*self.cards, step), indices, (*self.seen_by, seen_by))


def explore(original: Original, deck: Deck) -> Survey:
    """Play a game at random and return its properties; raises PluginError if unsupported."""
    survey = Survey(deck=deck)
    rng, steps = Random(0), 0
    while steps < MAX_STEPS and survey.games < MAX_GAMES:
        steps += sum(1 for _ in islice(_play(original, survey, rng), MAX_STEPS - steps))
        survey.games += 1
    survey.note_more_returns(original, rng, steps)
    return survey


def deck_of(original: Original) -> Deck:
    """Return the deck from which chance draws unseen cards."""
    # The deck follows from the draws before the first action. If the first two draws have equal
    # outcomes, each draw is from a complete deck.
    if original.is_open:
        return Deck()
    state, rng, decks = original.game.new_initial_state(), Random(0), list[tuple[int, ...]]()
    while state.is_chance_node() and len(decks) < 2:
        if not is_public_chance(original, state):
            decks.append(copies_of(original, odds(state)))
        state.apply_action(random_step(state, rng))
    if not decks:
        return Deck()
    return Deck(decks[0], len(decks) if decks[1:2] == decks[:1] else 0)


def _play(original: Original, survey: Survey, rng: Random) -> Iterator[SampledGame]:
    """Play a game at random and check every state; yield the game after each step."""
    game = SampledGame()
    while True:
        state = original.at(game.history)
        yield game
        if state.is_terminal():
            survey.note_returns(state.returns())
            return
        if state.is_chance_node():
            game = _chance(original, survey, game, random_step(state, rng))
            continue
        _check_views(original, survey.deck, game)
        survey.note_lines(original, state)
        survey.note_words(state)
        game = _action(original, survey, game, random_step(state, rng))


def _action(original: Original, survey: Survey, game: SampledGame, step: int) -> SampledGame:
    state = original.at(game.history)
    actor = state.current_player()
    if is_hidden(original, state):
        survey.hidden.add(actor)
        _refuse_hidden_cards(original, survey, actor)
    only_actor = tuple(player == actor for player in range(original.players))
    after = game.after(step, only_actor if actor in survey.hidden else None)
    return after_observing(original, after) if survey.hidden else after


def _refuse_hidden_cards(original: Original, survey: Survey, actor: int) -> None:
    if survey.deck.outcomes:
        raise PluginError(
            f"{original.text} cannot be played here: other players do not observe actions of "
            f"player {actor}, and cards are hidden too"
        )


def _chance(original: Original, survey: Survey, game: SampledGame, step: int) -> SampledGame:
    state = original.at(game.history)
    survey.note_words(state)
    check_sight(original, state, odds(state))
    if survey.deck.outcomes and survey.deck.is_next(state, game.cards):
        seen_by = tuple(original.is_seen(state, player) for player in range(original.players))
        return game.after(step, seen_by)
    original.refuse_unseen(state)
    return after_observing(original, game.after(step)) if survey.hidden else game.after(step)


def check_sight(original: Original, state: Any, outcomes: Iterable[int]) -> None:
    """Raise PluginError if a player observes a part of an outcome of chance."""
    # A player must observe an outcome completely or not at all, because faces have no parts.
    possible = list(outcomes)
    if original.is_open or len(possible) < 2:
        return
    children = [state.child(outcome) for outcome in possible]
    for player in range(original.players):
        distinct = len({original.knowledge(child, player) for child in children})
        if 1 < distinct < len(children):
            raise PluginError(
                f"{original.text} cannot be played here: player {player} observes an outcome of "
                f"chance partially, after {state.history()}"
            )


def _check_views(original: Original, deck: Deck, game: SampledGame) -> None:
    # If a player has not seen a card, each remaining card must be possible, because cardhub's
    # determinizations do not infer cards from actions.
    state = original.at(game.history)
    for player in range(original.players):
        history = fill_in_unseen(original, deck, game, player)
        if history != game.history and not _looks_alike(original, state, history, player):
            raise PluginError(
                f"{original.text} cannot be played here: after {list(game.history)} actions reveal "
                f"information on hidden cards to player {player}, which determinizations ignore"
            )


def _looks_alike(original: Original, state: Any, history: History, player: int) -> bool:
    if not original.is_possible(history):
        return False
    alternative = original.at(history)
    is_to_act = state.current_player() == player
    return (
        alternative.current_player() == state.current_player()
        and is_hidden(original, alternative) == is_hidden(original, state)
        and original.knowledge(alternative, player) == original.knowledge(state, player)
        and (not is_to_act or alternative.legal_actions() == state.legal_actions())
    )


def fill_in_unseen(original: Original, deck: Deck, game: SampledGame, player: int) -> History:
    """Return the history with cards that a player has not seen replaced by possible cards."""
    cards = zip(game.cards, game.seen_by, strict=True)
    draws = [card if seen_by[player] else UNKNOWN for card, seen_by in cards]
    history = list(game.history)
    values = fill_in(deck, draws) if deck.outcomes else draws
    for index, value in zip(game.indices, values, strict=True):
        history[index] = value
    return next(histories(original, history), tuple(history))


def after_observing(original: Original, game: SampledGame) -> SampledGame:
    """Return the game with the actions marked as seen that each player observes at this point."""
    seen_by = [list(players) for players in game.seen_by]
    if not original.at(game.history).is_terminal():
        for player in range(original.players):
            items = zip(game.indices, game.seen_by, strict=True)
            unknown = [index for index, players in items if not players[player]]
            for index in newly_observed(original, game.history, unknown, player):
                seen_by[game.indices.index(index)][player] = True
    return replace(game, seen_by=tuple(tuple(players) for players in seen_by))
