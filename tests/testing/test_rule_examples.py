"""Examples on pages of rules are played, and a wrong line is named with what would be right."""

from typing import Any

import pytest

from cardhub import CHANCE, Game
from cardhub.plugins.registry import find_plugins
from cardhub.testing import examples, inspect_game
from cardhub.testing.rule_examples.parsing import ExampleError, parse_examples
from cardhub.testing.rule_examples.run_examples import find_faults, run_example
from goofspiel import Goofspiel
from goofspiel.game import Table as GoofspielTable
from kuhn import Kuhn
from kuhn.game import Table

KUHN = Kuhn()


def fault(text: str, game: str = "kuhn") -> str:
    """Return what is wrong with an example, after the number of its line."""
    page = f"# Page\n\n```example Named\n{text}\n```\n"
    with pytest.raises(ExampleError) as caught:
        run_example(find_plugins().game(game), parse_examples(page)[0])
    return f"{caught.value.number}: {caught.value}"


def passes(text: str, game: str | Game[Any] = "kuhn") -> bool:
    """Return True for an example that comes out as it says; raises ExampleError."""
    for example in parse_examples(f"```example\n{text}\n```\n"):
        run_example(find_plugins().game(game) if isinstance(game, str) else game, example)
    return True


def test_an_example_is_played_from_a_deal() -> None:
    assert passes(
        "given deal: Q, K\nthen only legal: check, bet\nwhen Anna: bet\nthen not legal: check\n"
        "when Bob: call\nthen scores: -2, 2\nthen score of Bob: 2\nthen stakes: 2, 2\n"
        "then hand of Anna: Q\nthen stack: J\nthen turn: nobody"
    )


def test_an_example_is_played_from_cards_and_fields_by_name() -> None:
    assert passes(
        "given option passing: hold\ngiven phase: playing\ngiven turn: Bob\ngiven leader: Bob\n"
        "given hand of Bob: KD, 4S\ngiven hand of Chris: AC\ngiven is_broken: no\n"
        "given total of Anna: 5\nwhen Bob: play kd\nthen turn: Chris\nthen laid of Bob: KD\n"
        "then is_broken: no\nthen total: 5, 0, 0, 0\nthen hand of Anna: nothing",
        "hearts",
    )


class PastTable(Table):
    """A table at which each seat has a list."""

    past: list[list[int]]


class PastKuhn(Kuhn):
    """Kuhn poker with a list for each seat."""

    state_type = PastTable

    def deal(self, state: Table) -> None:
        super().deal(state)
        state.past = [[], []]  # type: ignore[attr-defined]  # the state is a PastTable


def test_a_field_with_several_values_for_each_player_is_given_and_compared() -> None:
    text = "given past of Bob: 1, 0\nthen past of Bob: 1, 0\nthen past of Anna:"
    assert passes(text, PastKuhn())


DUEL = "given hand of Anna: KC\ngiven hand of Bob: QH\ngiven stack: 2D\ngiven offered: 5D\n"


class DealtByChance(Goofspiel):
    """Goofspiel in which chance acts before the first round."""

    def deal(self, state: GoofspielTable) -> None:
        super().deal(state)
        state.choices.clear()
        state.seat = CHANCE


def test_seats_that_choose_at_the_same_time_are_given_as_the_turn() -> None:
    start = f"given turn: Anna, Bob\n{DUEL}then turn: Anna, Bob\n"
    assert passes(f"{start}when Bob: bid Q\nthen turn: Anna\n", DealtByChance())
    assert passes(f"{start}when Anna: bid K\nthen turn: Bob", DealtByChance())


def test_a_choice_outside_of_a_round_says_how_to_begin_one() -> None:
    text = f"given turn: Anna\n{DUEL}when Anna: bid K\nthen turn: Bob"
    with pytest.raises(ExampleError, match="Name them before: `given turn: Anna, Bob`"):
        passes(text, DealtByChance())


def test_a_game_with_one_seat_at_a_time_has_no_turn_of_several_seats() -> None:
    problem = "4: one seat acts at a time in this game. Name one"
    assert fault("given turn: Anna, Bob\nthen turn: Anna") == problem


def test_a_board_is_given_in_rows() -> None:
    board = "\n".join(["  A1/C3  A2  .  .  .", *["  .  .  .  .  ."] * 4])
    assert passes(f"given board:\n{board}\nthen board 1: A1, C3\nthen board 2: A2", "garner")
    assert fault("given board: A1\nthen turn: Anna", "garner") == (
        "4: board has 25 piles, and here is 1 entry"
    )


def test_the_title_may_be_the_sentence_above() -> None:
    page = "# Rules\n\n2. Draw. A bet can be called:\n\n```example\nthen turn: Anna\n```\n"
    (example,) = parse_examples(page)
    assert (example.title, example.number) == ("A bet can be called", 5)


def test_blocks_of_other_languages_are_no_examples() -> None:
    page = "```text\ngiven nothing\n```\n\n```\nthen turn: Anna\n```\n"
    assert parse_examples(page) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "than turn: Anna",
            "4: a line begins with given, when or then, not 'than'. Did you mean 'then'?",
        ),
        ("then turn Anna", "4: 'then turn Anna' has no colon, as `then …: …` has"),
        ("when Anna: bet", "3: the example has no `then`, so it cannot be wrong"),
        ("then turn: Anna\ngiven deal: K", "5: `given` comes before `when` and `then`"),
        ("given deal: KK\nthen turn: Anna", "4: there is no card 'KK'. Did you mean 'K'?"),
        ("given deal: K, K\nthen turn: Anna", "4: no K is left to take"),
        ("given players: 3\nthen turn: Anna", "4: Kuhn poker is for 2 players, not for 3"),
        (
            "given hnad of Anna: K\nthen turn: Anna",
            "4: Table has no zone or field 'hnad'. Did you mean 'hand'?",
        ),
        ("given hand of Ana: K\nthen turn: Anna", "4: 'Ana' is unknown here. Did you mean 'Anna'?"),
        ("given hand: K\nthen turn: Anna", "4: whose pile of hand? Write `hand of Anna`"),
        (
            "given stack of Bob: K\nthen turn: Anna",
            "4: stack is one pile for the whole table, of nobody",
        ),
        ("when Bob: bet\nthen turn: Anna", "4: it is the turn of Anna, not of Bob"),
        (
            "when Anna: chek\nthen turn: Bob",
            "4: 'chek' is not one of the choices. Did you mean 'check'? Choices: check, bet",
        ),
        ("then not legal: chek", "4: there is no action 'chek'. Did you mean 'check'?"),
        ("then legal: fold", "4: fold is not legal. Legal: check, bet"),
        ("then not legal: bet", "4: bet is legal"),
        ("then only legal: bet", "4: check is legal, too"),
        ("when Anna: bet\nthen scores: 1, 1", "5: scores is 0, 0, not 1, 1"),
        ("then stakes of Bob: 2", "4: stakes of Bob is 1, not 2"),
        ("given deal: K\nthen hand of Anna: Q", "5: hand of Anna is K, not Q"),
        ("then turn: Bob", "4: turn is Anna, not Bob"),
        ("then scores: one, two", "4: 'one' is neither a number nor a player"),
        ("given : K\nthen turn: Anna", "4: nothing is named before the colon"),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_a_remedy(text: str, problem: str) -> None:
    assert fault(text) == problem


def test_an_option_and_a_phase_are_named_with_what_there_is() -> None:
    assert fault("given option pasing: hold\nthen turn: Anna", "hearts") == (
        "4: 'pasing' is unknown here. Did you mean 'passing'?"
    )
    assert fault("given option passing: none\nthen turn: Anna", "hearts").startswith(
        "4: option passing cannot be 'none'"
    )
    assert fault("given phase: play\nthen turn: Anna", "hearts") == (
        "4: 'play' is unknown here. Did you mean 'playing'?"
    )


def test_an_option_is_named_in_any_case_as_players_are() -> None:
    assert passes("given option Passing: hold\ngiven turn: bob\nthen turn: BOB", "hearts")


def test_a_field_without_values_by_player_is_named() -> None:
    for line in ("given leader of Bob: 1\nthen turn: Anna", "then leader of Bob: 1"):
        assert fault(line, "hearts") == "4: leader has no value of its own for Bob"


def test_an_example_without_an_end_is_named() -> None:
    with pytest.raises(ExampleError, match="the example has no end"):
        parse_examples("# Page\n```example\nthen turn: Anna\n")


def test_a_wrong_example_fails_the_check_with_the_line_of_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = "# Kuhn\n\n```example\nthen turn: Bob\n```\n\n```example\nthen legal: call\n```\n"
    monkeypatch.setattr(type(KUHN.display), "rules", lambda display: page)
    finding = inspect_game(KUHN, games=1, is_measured=False).finding("examples")
    assert finding is not None
    assert finding.problem == (
        "kuhn/rules.md:4: turn is Anna, not Bob; "
        "kuhn/rules.md:8: call is not legal. Legal: check, bet"
    )


@pytest.mark.parametrize("name", ["gargon", "gamon", "garner", "hearts"])
def test_the_pages_of_these_games_have_examples_that_come_out(name: str) -> None:
    game = find_plugins().game(name)
    assert len(parse_examples(game.display.rules())) >= 3
    assert not find_faults(game)


test_the_rules_of_hearts = examples(find_plugins().game("hearts"))
