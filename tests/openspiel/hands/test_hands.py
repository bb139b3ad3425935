"""OpenSpiel's card games whose public actions depend on hidden cards, such as Hearts."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from tests.kit.soaking import count_examples
from tests.openspiel.hands.hand_games import (
    FAST,
    LEARNED_LATER,
    MOST_STEPS,
    NAMES,
    named,
    shortened,
    step,
)

from cardhub import CHANCE, OVER, Game, Observation
from cardhub.base.errors import DeterminizationError, PluginError
from cardhub.bots.external.messages import news
from cardhub.model.hidden.determinize import FaceSampler
from cardhub.model.table.faces import BLANK, blanked
from cardhub.play.seating import NAMES as NAMES_OF_PEOPLE
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins
from cardhub.testing import check_game
from cardhub.testing.checking import run_or_raise
from cardhub.testing.coverage import Coverage
from cardhub.testing.game_checks.game_report import SuiteClock, run_suite
from cardhub_openspiel.imported.hands.assignment import Assignment
from cardhub_openspiel.imported.hands.hand_checks import dealt
from cardhub_openspiel.imported.hands.hand_game import HandGame
from cardhub_openspiel.imported.named_games import game_named
from cardhub_openspiel.imported.openspiel_game import FRACTION, OpenSpielState

# Checks of determinizations as fair samples, of goals, and of layouts on a screen.
OTHERS = ("check_variety", "check_guesses", "check_goal", "check_plan", "check_room")


@pytest.fixture(params=NAMES)
def game(request: pytest.FixtureRequest) -> HandGame:
    """Return one of the games."""
    return named(request.param)


@pytest.fixture
def hearts() -> HandGame:
    """Return Hearts, in which three cards are passed first."""
    return named("hearts")


def another_world(sampler: FaceSampler[Any], rng: Random) -> Any:
    """Return the deal that the game fills in for an observation, as a full state."""
    game, state = sampler.game, sampler.state.clone()
    assert isinstance(game, HandGame)
    cards, history, faces = game.facts.cards, game.history(state), blanked(state.face)[:]
    deck_of = game.cards.deck_of
    first_of = {deck: deck_of.index(deck) for deck in set(deck_of)}
    for index, token in cards.drawn(state).items():
        if token < cards.laid.first:
            place = cards.kinds.index(history[index])
        elif cards.has_options:
            place = game.original.at(history[:index]).legal_actions().index(history[index])
        else:
            place = history[index]
        faces[token] = first_of[deck_of[token]] + place
    # Each card is in the game once, so tokens and faces have the same decks.
    used = set(faces)
    for token in (token for token, face in enumerate(faces) if face == BLANK):
        first = first_of[deck_of[token]]
        faces[token] = next(face for face in range(first, len(faces)) if face not in used)
        used.add(faces[token])
    state.face = faces
    return state


def test_a_program_is_told_all_actions_since_its_last_turn(game: HandGame) -> None:
    """They are carried out again with what a seat knows by now: cards that it got later, too."""
    rng, before = Random(4), dict[int, Observation[Any]]()
    players = [Player(name, "random") for name in NAMES_OF_PEOPLE[: game.seats.default]]
    # The later of several deals are as the first two, and take longer and longer.
    has_deals = game.facts.hand_survey.decks > 1
    for seed in range(1 if has_deals else count_examples(1)):
        referee = set_up(game, players, {}, seed)
        referee.proceed()
        before.clear()
        while not referee.is_over and not (has_deals and referee.action_count > MOST_STEPS):
            seen = referee.observe(referee.seat)
            last = before.get(referee.seat)
            actions = [item["action"] for item in news(seen, last) if "action" in item]
            assert actions == [
                action for _, action in seen.history[len(last.history) if last else 0 :]
            ]
            before[referee.seat] = seen
            referee.apply(rng.choice(seen.legal()))


@pytest.mark.interpreted("it replaces a function that compiled code calls directly")
@pytest.mark.parametrize("text", NAMES)
def test_worlds_that_a_seat_cannot_distinguish_look_the_same_to_it(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All checks of secrecy: scenes, views, labels, stories, records, errors and messages."""
    # The other world is the deal that the game fills in for a seat, which is not a fair sample.
    game = shortened(text)
    monkeypatch.setattr(type(game), "no_determinizations", "")
    monkeypatch.setattr(FaceSampler, "determinization", another_world)
    looked = set()

    def run(check: Callable[..., object], game: Game[Any], subject: Any, *more: Any) -> bool:
        looked.add(check.__name__)
        return check.__name__ in OTHERS or run_or_raise(check, game, subject, *more)

    run_suite(game, SuiteClock(), 1, 0, run, Coverage(game))
    assert looked >= {"check_same_view", "check_same_words", "check_same_narration", "check_record"}


@pytest.mark.parametrize("text", FAST)
def test_what_needs_determinizations_is_refused(text: str) -> None:
    """Search, levels and the checks of games; each error says what to do instead."""
    game = named(text)
    fix = r"has no determinizations: its public actions .* fix: use bots that need none: random"
    registry = find_plugins()
    assert "random" in registry.bots_for(game.name)
    assert registry.levels(game.name) == {}
    assert registry.default_bot(game.name) == "random"
    for spec in ("ismcts", "pimc:20", "cfr", "hard"):
        with pytest.raises(
            PluginError, match=f"bot '{spec.partition(':')[0]}' cannot play: .*{fix}"
        ):
            registry.make_bot(spec, game.name, Random(1))
    with pytest.raises(DeterminizationError, match=fix):
        check_game(game)
    with pytest.raises(DeterminizationError, match=fix):
        Observation(game, dealt(game, 1), 0).determinize(Random(1))


def test_bots_that_need_no_determinizations_play_with_what_openspiel_shows_them(
    game: HandGame,
) -> None:
    """The returns equal OpenSpiel's."""
    bot = find_plugins().make_bot("random", "kuhn", Random(1))
    state, rng = dealt(game, 3), Random(3)
    while state.seat != OVER:
        if game.facts.hand_survey.decks == 1 or len(state.moves) < MOST_STEPS:
            check_views(game, state)
        if state.seat == CHANCE:
            step(game, state, rng)
            continue
        action = bot.choose(Observation(game, state, state.seat))
        assert action in game.legal(state)
        game.apply(state, action)
    now = game.state_of(state)
    assert now.is_terminal()
    parts = 1 if game.survey.has_integer_returns else FRACTION
    assert game.scores(state) == [round(value * parts) for value in now.returns()]


def check_views(game: HandGame, state: OpenSpielState) -> None:
    """Assert that each seat is shown what OpenSpiel shows it."""
    true = game.state_of(state)
    for seat in range(state.seats):
        filled = game.state_of(Observation(game, state, seat).state)
        assert game.original.sight(filled, seat) == game.original.sight(true, seat)
    watched = game.state_of(Observation(game, state, state.seats).state)
    assert watched.current_player() == true.current_player()
    if state.seat >= 0:
        assert Observation(game, state, state.seat).legal() == game.legal(state)


@pytest.mark.parametrize(
    "text",
    [
        text
        if text in FAST
        else pytest.param(text, marks=pytest.mark.soak("loading it with its checks takes seconds"))
        for text in NAMES
    ],
)
def test_loading_a_game_finds_out_when_cards_are_learned(text: str) -> None:
    game = game_named(f"openspiel:{text}", text)
    assert isinstance(game, HandGame)
    assert game.facts.has_news == (text in LEARNED_LATER)


def test_passed_cards_are_known_to_two_players(hearts: HandGame) -> None:
    """Each card is shown to its receiver after all have passed, in ascending order."""
    seed = next(s for s in range(20) if passing(hearts, s))
    state, rng = dealt(hearts, seed), Random(seed)
    while len(laid(hearts, state)) < 12:
        assert all(state.seen[token].bit_count() == 1 for token in laid(hearts, state))
        step(hearts, state, rng)
    passed = laid(hearts, state)
    assert [state.seen[token].bit_count() for token in passed] == [2] * 12
    for first in range(0, 12, 3):
        actions = [hearts.laid.action(state.face[token]) for token in passed[first : first + 3]]
        assert actions == sorted(actions)


def passing(hearts: HandGame, seed: int) -> bool:
    """Return whether cards are passed in the game of a seed."""
    state, rng = dealt(hearts, seed), Random(seed)
    step(hearts, state, rng)
    step(hearts, state, rng)
    return bool(laid(hearts, state))


def laid(hearts: HandGame, state: OpenSpielState) -> list[int]:
    """Return the passed cards."""
    return [token for token in state.drawn if token >= hearts.laid.first]


def test_cards_are_assigned_within_their_restrictions() -> None:
    """A chain of cards moves if necessary; an impossible restriction returns False."""
    cards = Assignment([1, 2, 3], [10, 11])
    assert (cards.card_at(10), cards.card_at(11), cards.draw_of(3)) == (1, 2, None)
    assert cards.confine(2, [10])
    assert cards.confine(3, [10, 11])
    assert (cards.card_at(10), cards.card_at(11), cards.draw_of(1)) == (2, 3, None)
    assert not cards.exclude([3], [11])
