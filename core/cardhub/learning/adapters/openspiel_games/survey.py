"""Properties of an OpenSpiel game, found by random play.

In cardhub all actions are public, and cards are dealt from decks that are shuffled before the game.
Actions that others do not observe are cards laid face down. Games for which this is impossible are
refused.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any

from cardhub.base.errors import PluginError
from cardhub.learning.adapters.openspiel_games.deck import Deck, copies_of
from cardhub.learning.adapters.openspiel_games.hands.known_cards import is_public_chance
from cardhub.learning.adapters.openspiel_games.laid.hidden_actions import is_hidden
from cardhub.learning.adapters.openspiel_games.original import History, Original, odds, random_step
from cardhub.learning.adapters.openspiel_games.sampled_game import SampledGame, filled, told
from cardhub.learning.adapters.openspiel_games.wrapped_lines import wrapped_lines

# Limits of the random play in which every state is checked.
MAX_GAMES, MAX_STEPS = 20, 1000
# Steps of random play, without checks but for those above, to see returns.
RETURN_STEPS = 3000


@dataclass(slots=True)
class Survey:
    """The deck, the names of actions and outcomes, and whether all returns are integers.

    `hidden` are the players who take actions that others do not observe at once, `lines` the
    greatest number of lines of what a player sees.
    """

    deck: Deck = field(default_factory=Deck)
    hidden: set[int] = field(default_factory=set)
    lines: int = 0
    words: dict[int, set[str]] = field(default_factory=dict)
    outcomes: dict[int, set[str]] = field(default_factory=dict)
    has_integer_returns: bool = True
    games: int = 0

    def note_words(self, state: Any) -> None:
        """Note the names of the actions, or of the outcomes of chance, in a state."""
        is_chance = state.is_chance_node()
        for step in odds(state) if is_chance else state.legal_actions():
            words = " ".join(state.action_to_string(state.current_player(), step).split())
            (self.outcomes if is_chance else self.words).setdefault(step, set()).add(words)

    def note_returns(self, returns: Iterable[float]) -> None:
        """Note whether these returns are integers."""
        self.has_integer_returns &= all(value == round(value) for value in returns)

    def note_more_returns(self, original: Original, rng: Random, steps: int) -> None:
        """Note those of more random games, if fewer than `RETURN_STEPS` steps were played."""
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
    # The deck is taken from the draws before the first action. If the first two draws are alike,
    # each one is from a complete deck.
    if original.is_open:
        return Deck()
    state, rng, found = original.game.new_initial_state(), Random(0), list[tuple[int, ...]]()
    while state.is_chance_node() and len(found) < 2:
        if not is_public_chance(original, state):
            found.append(copies_of(original, odds(state)))
        state.apply_action(random_step(state, rng))
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
    return told(original, after) if survey.hidden else after


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
    if survey.deck.outcomes and survey.deck.is_next(state, game.drawn):
        seen = tuple(original.is_seen(state, player) for player in range(original.players))
        return game.after(step, seen)
    original.refuse_unseen(state)
    return told(original, game.after(step)) if survey.hidden else game.after(step)


def check_sight(original: Original, state: Any, outcomes: Iterable[int]) -> None:
    """Raise PluginError if a player observes a part of an outcome of chance."""
    # A player has to observe it completely or not at all: faces have no parts.
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
    # For a player who has not seen a card, every other card left must be possible: cardhub's
    # determinizations do not infer cards from actions.
    state = original.at(game.history)
    for player in range(original.players):
        other = filled(original, deck, game, player)
        if other != game.history and not _looks_alike(original, state, other, player):
            raise PluginError(
                f"{original.text} cannot be played here: after {list(game.history)} actions reveal "
                f"information on hidden cards to player {player}, which determinizations ignore"
            )


def _looks_alike(original: Original, state: Any, other: History, player: int) -> bool:
    if not original.is_possible(other):
        return False
    alternative = original.at(other)
    is_to_act = state.current_player() == player
    return (
        alternative.current_player() == state.current_player()
        and is_hidden(original, alternative) == is_hidden(original, state)
        and original.knowledge(alternative, player) == original.knowledge(state, player)
        and (not is_to_act or alternative.legal_actions() == state.legal_actions())
    )
