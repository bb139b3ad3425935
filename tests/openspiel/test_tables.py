"""OpenSpiel's games at cardhub's table have the same rules and hide the same information."""

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms import exploitability
from open_spiel.python.policy import UniformRandomPolicy
from tests.openspiel.hands.hand_games import named

from cardhub import CHANCE, OVER, Area, Observation
from cardhub.base.errors import PluginError
from cardhub.model.hidden.action_matching import matching
from cardhub.model.hidden.chance import sample_action
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.plugins.registry import find_plugins
from cardhub.testing import check_game
from cardhub_openspiel import load
from cardhub_openspiel.imported.hands.hand_checks import dealt
from cardhub_openspiel.imported.laid.laid_actions_game import LaidActionsGame
from cardhub_openspiel.imported.named_games import game_named
from cardhub_openspiel.imported.openspiel_game import OpenSpielGame, OpenSpielState
from cardhub_openspiel.imported.wrapped_lines import wrapped_lines

TEXTS = (
    "tic_tac_toe",
    "kuhn_poker",
    "leduc_poker",
    "leduc_poker(players=3)",
    "liars_dice",
    "tiny_hanabi",
    "pig(winscore=10)",
    "nim",
    "deep_sea",
    "matrix_rps",
    "goofspiel(num_cards=4)",
    "goofspiel(num_cards=4,players=3)",
    "sheriff",
)


@cache
def loaded(text: str) -> OpenSpielGame:
    """Return a game, which is loaded only where a test plays it."""
    return game_named(f"openspiel:{text}", text)


def played(text: str, *labels: str, seed: int = 0) -> tuple[OpenSpielGame, OpenSpielState]:
    """Return a game and its state after actions, given by their labels."""
    game = loaded(text)
    state = dealt(game, seed)
    for label in labels:
        names = {game.actions.text(action, str): action for action in game.legal(state)}
        game.apply(state, names[label])
    return game, state


@pytest.mark.parametrize("text", TEXTS)
def test_a_game_of_openspiel_keeps_the_promises_of_the_contract(text: str) -> None:
    """All checks pass: copies, records, scenes, labels and secrecy."""
    check_game(loaded(text), games=1)


@pytest.mark.parametrize("text", TEXTS)
def test_games_go_as_in_openspiel(text: str) -> None:
    """Seat to act, legal actions and returns are equal throughout."""
    game = loaded(text)
    parts = 1 if game.survey.has_integer_returns else 1000
    for seed in range(3):
        state, rng = dealt(game, seed), Random(seed)
        while state.seat != OVER:
            now = theirs(game, state)
            assert now.current_player() == (-1 if state.seat == CHANCE else state.seat)
            if state.seat == CHANCE:
                action = sample_action(game, state, rng)
            else:
                assert actions_at(game, state) == now.legal_actions()
                action = rng.choice(game.legal(state))
            game.apply(state, action)
        now = theirs(game, state)
        assert now.is_terminal()
        assert game.scores(state) == pytest.approx([value * parts for value in now.returns()])


def theirs(game: OpenSpielGame, state: OpenSpielState) -> Any:
    """Return OpenSpiel's state after the same history."""
    drawn = iter(state.drawn)
    now = pyspiel.load_game_as_turn_based(game.original.text).new_initial_state()
    for step in state.moves:
        now.apply_action(step if step >= 0 else meaning(game, state, next(drawn)))
    return now


def lines_of(observation: Observation[OpenSpielState]) -> list[str]:
    """Return the notes of the areas, which are OpenSpiel's text."""
    return [area.note for area in observation.scene().areas if isinstance(area, Area)]


def meaning(game: OpenSpielGame, state: OpenSpielState, token: int) -> int:
    """Return the outcome of chance or the action that a card stands for."""
    if isinstance(game, LaidActionsGame):
        return game.laid.action(state.face[token])
    kinds = sorted(set(game.survey.deck.outcomes))
    return kinds[state.face[token] % len(kinds)]


def actions_at(game: OpenSpielGame, state: OpenSpielState) -> list[int]:
    """Return OpenSpiel's numbers of the legal actions."""
    tokens = [game.actions.token(action) for action in game.legal(state)]
    return [
        action if token is None else meaning(game, state, token)
        for action, token in zip(game.legal(state), tokens, strict=True)
    ]


def test_a_seat_sees_exactly_the_observation_of_openspiel() -> None:
    game, state = played("leduc_poker", "Call", "Call")
    for seat in (0, 1):
        observation = Observation(game, state, seat)
        texts = lines_of(observation)
        shown = theirs(game, state).observation_string(seat)
        assert "".join(texts[:-1]).replace(" ", "") == shown.replace(" ", "")
        labels = observation.labels()
        assert [labels.is_known(token) for token in range(3)] == [seat == 0, seat == 1, True]
    spectator = Observation(game, state, 2).labels()
    assert [spectator.is_known(token) for token in range(3)] == [False, False, True]


def test_the_cards_are_turned_up_when_the_game_is_over() -> None:
    game, state = played("kuhn_poker", "Bet", "Pass")
    labels = Observation(game, state, 2).labels()
    assert [labels.is_known(token) for token in range(3)] == [True, True, False]


def test_dice_are_drawn_from_a_deck_each() -> None:
    """Two players of liar's dice may roll the same."""
    rolls = set()
    for seed in range(60):
        state = dealt(loaded("liars_dice"), seed)
        rolls.add(tuple(state.face[token] % 6 for token in state.drawn))
    assert any(first == second for first, second in rolls)
    assert {first for first, _ in rolls} == {second for _, second in rolls} == set(range(6))


def test_an_action_has_one_name_for_all_players() -> None:
    game, state = played("tic_tac_toe", "(1,1)", "(0,0)")
    assert game.actions.text(0, str) == "(0,0)"
    words = game.original.at(tuple(state.moves)).action_to_string(0, 1)
    assert words == "x(0,1)"


def test_people_read_and_type_words_of_actions_that_records_number() -> None:
    game = game_named("openspiel:chess", "chess")
    state = dealt(game, 0)
    seen, action = Observation(game, state, state.seat), theirs_action(game, state, "Nf3")
    labels = seen.labels(["Anna", "Bob"])
    assert labels.choices(seen.legal())["Nf3"] == labels.parse("nf3", seen.legal()) == action
    assert labels.notation(action, seen.legal()) == f"action {action}"
    assert labels.parse(f"action {action}", seen.legal()) == action
    # The pawn takes by bxc3, the bishop by Bxc3.
    assert matching("Bxc3", {1: ["bxc3"], 2: ["Bxc3"]}) == [2]
    before = state.clone()
    game.apply(state, action)
    labels = Observation(game, state, 0).labels(["Anna", "Bob"])
    assert game.display.narration(before, action, state, labels) == ["Bob: Nf3"]


def theirs_action(game: OpenSpielGame, state: OpenSpielState, words: str) -> int:
    """Return the action that OpenSpiel calls so."""
    return int(theirs(game, state).string_to_action(words))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("phantom_ttt", "player 1 learns a part of a hidden action"),
        ("goofspiel(imp_info=True)", "learns a part of a hidden action"),
        ("dou_dizhu", "player 0 observes an outcome of chance partially"),
        ("repeated_leduc_poker", "does not follow from the cards that the player has seen"),
        ("go_fish", "its probabilities match no deck of cards"),
        ("oshi_zumo", "51,000 cards .*fix: choose parameters for a shorter game"),
        ("crossword", "OpenSpiel's error"),
        ("nfg_game", "OpenSpiel cannot load"),
        ("blackjack", "not from a deck"),
        ("mfg_garnet", "mean-field games are not supported"),
        ("negotiation", "sampled chance nodes are not supported"),
        ("leduc_poker(plyers=3)", "Unknown parameter 'plyers'"),
        ("leduc", r"no game 'leduc'\. Did you mean 'leduc_poker'\?"),
    ],
)
def test_unsupported_games_are_refused_with_the_reason(text: str, reason: str) -> None:
    """Games whose hidden information could leak, or that bots cannot search, are refused."""
    with pytest.raises(PluginError, match=reason):
        game_named(f"openspiel:{text}", text)


# A game of four cards, of which the first player learns only whether one is low or high.
HALF = """EFG 2 R "half" { "0" "1" }
c "" 1 "" { "a" 1/4 "b" 1/4 "c" 1/4 "d" 1/4 } 0
""" + "\n".join(
    f'p "" 1 {1 + (card > 1)} "" {{ "x" "y" }} 0\n'
    f't "" {2 * card + 1} "" {{ 1 -1 }}\nt "" {2 * card + 2} "" {{ -1 1 }}'
    for card in range(4)
)


def test_a_card_of_which_a_player_learns_only_a_part_cannot_be_dealt(tmp_path: Path) -> None:
    """A face is seen, or it is not."""
    (tmp_path / "half.efg").write_text(HALF, "utf-8")
    text = f"efg_game(filename={tmp_path / 'half.efg'})"
    with pytest.raises(PluginError, match=r"player 0 observes an outcome of chance partially"):
        game_named(f"openspiel:{text}", text)


def test_a_game_is_explored_once_in_a_process() -> None:
    assert game_named("openspiel:nim", "nim") is game_named("openspiel:nim", "nim")


def test_search_finds_the_winning_move() -> None:
    """Two in a row and one to go."""
    game, state = played("tic_tac_toe", "(0,0)", "(1,0)", "(0,1)", "(1,1)")
    bot = find_plugins().make_bot("ismcts:200", game.name, Random(1))
    assert game.actions.text(bot.choose(Observation(game, state, 0)), str) == "(0,2)"


def test_search_imagines_the_cards_it_does_not_see() -> None:
    seed = next(s for s in range(20) if dealt(loaded("kuhn_poker"), s).face[1] == 2)
    game, state = played("kuhn_poker", "Bet", seed=seed)
    bot = find_plugins().make_bot("ismcts:200", game.name, Random(1))
    assert game.actions.text(bot.choose(Observation(game, state, 1)), str) == "Bet"
    worlds = {Observation(game, state, 1).determinize(Random(s)).face[0] for s in range(20)}
    assert worlds == {0, 1}


def test_a_long_line_of_fields_is_a_line_for_each_field() -> None:
    """Skat's text for a player is one line, which would be broken anywhere."""
    line = "PlPos:0|Phase:bidding|Hand:8♦ T♦ A♦ 7♥ Q♥|Bids:unknown/pass unknown/pass|Skat:|"
    fields = ["PlPos:0", "Phase:bidding", "Hand:8♦ T♦ A♦ 7♥ Q♥", "Bids:unknown/pass unknown/pass"]
    assert wrapped_lines(line) == [*fields, "Skat:"]
    assert wrapped_lines("|  3♠  6♠ |") == ["|  3♠  6♠ |"]


def test_a_viewer_of_all_cards_sees_the_whole_state_and_a_spectator_at_the_end() -> None:
    """Replays would be empty otherwise; until the end a spectator gets no card."""
    game = named("hearts")
    state, rng = dealt(game, 1), Random(1)
    for _ in range(20):
        game.apply(state, rng.choice(game.legal(state)))
    shown = Observation(game, state, EVERYTHING).scene()
    hidden = Observation(game, state, state.seats).scene()
    assert sum("Passed Cards" in area.note for area in shown.areas if isinstance(area, Area)) == 1
    notes = [area.note for area in hidden.areas if isinstance(area, Area)]
    assert notes[0] == "OpenSpiel shows this game to its players only"
    while state.seat != OVER:
        game.apply(state, rng.choice(game.legal(state)))
    final = Observation(game, state, state.seats).scene()
    assert any("Points" in area.note for area in final.areas if isinstance(area, Area))


def test_openspiels_kuhn_poker_comes_back_from_cardhubs_table() -> None:
    theirs, back = pyspiel.load_game("kuhn_poker"), load("openspiel:kuhn_poker")
    lost = [exploitability.exploitability(g, UniformRandomPolicy(g)) for g in (theirs, back)]
    assert lost[0] == lost[1] > 0.4


def test_cardhubs_leduc_poker_comes_back_from_openspiel() -> None:
    assert load("leduc") is not None  # registers it
    game = game_named("openspiel:cardhub_leduc", "cardhub_leduc")
    assert [card.name for card in game.cards.faces] == ["JS", "JH", "QS", "QH", "KS", "KH"]
    assert [game.actions.text(a, str) for a in range(3)] == ["fold", "call", "raise"]
    check_game(game, games=1)
