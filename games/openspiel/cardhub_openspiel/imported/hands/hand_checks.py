"""Compare, in random games, the state that is filled in for each seat with the true state."""

from collections.abc import Iterable
from random import Random

from cardhub import CHANCE, OVER, IllegalActionError, PluginError
from cardhub.model.game.initial_state import initial_state, resolve_options, shuffled_pack
from cardhub.model.hidden.chance import sample_action
from cardhub.model.hidden.masked_rules import under_mask
from cardhub_openspiel.imported.hands.hand_game import HandGame
from cardhub_openspiel.imported.openspiel_game import OpenSpielGame, OpenSpielState

# The least number of games, and the least and the greatest number of steps.
GAMES, MIN_STEPS, MAX_STEPS = 3, 400, 500


def check_hands(game: HandGame) -> None:
    """Raise PluginError unless each seat's state shows what OpenSpiel shows to this seat.

    If players learn of cards also after these were drawn or laid, `HandFacts.expect_news` is called
    and the check repeated.
    """
    try:
        _check_games(game)
    except PluginError:
        game.facts.expect_news()
        _check_games(game)


def _check_games(game: HandGame) -> None:
    rng, steps, games = Random(0), 0, 0
    while games < GAMES or steps < MIN_STEPS:
        state = dealt(game, games)
        games += 1
        while state.seat != OVER and steps < MAX_STEPS:
            # A difference lasts for several steps, except in what a seat may do in its turn.
            check_seats(game, state, {state.seat, steps % (state.seats + 1)} - {CHANCE})
            is_chance = state.seat == CHANCE
            legal = game.legal(state)
            game.apply(state, sample_action(game, state, rng) if is_chance else rng.choice(legal))
            steps += 1


def dealt(game: OpenSpielGame, seed: int) -> OpenSpielState:
    """Return the state of a game after the deal."""
    seats = game.seats.default
    settings = resolve_options(game, {}, seats)
    pack = shuffled_pack(game, settings, seats, Random(seed))
    return initial_state(game, settings, seats, pack)


def check_seats(game: HandGame, state: OpenSpielState, seats: Iterable[int]) -> None:
    """Raise PluginError unless each seat's filled-in state looks like the true state to the seat.

    Spectators see no text, but their state must also exist.
    """
    original, true = game.original, game.state_of(state)
    for seat in seats:
        try:
            filled = under_mask(state, seat, game.state_of)
        except IllegalActionError as error:
            raise _refusal(game, seat) from error
        is_same = seat == state.seats or (
            original.shown_to(filled, seat) == original.shown_to(true, seat)
            and original.sight(filled, seat) == original.sight(true, seat)
            and (state.seat != seat or filled.legal_actions() == true.legal_actions())
        )
        if not is_same:
            raise _refusal(game, seat)


def _refusal(game: HandGame, seat: int) -> PluginError:
    viewer = f"player {seat}" if seat < game.original.players else "a spectator"
    return PluginError(
        f"{game.original.text} cannot be played here: what OpenSpiel shows to {viewer} does "
        "not follow from the cards that the player has seen and the public actions"
    )
