"""Random games look for rules that no game has reached, and the report names the rest."""

import inspect
from itertools import chain, islice

import pytest
from tests.games.burrows import WAY, Burrows, FaultyBurrows, SealedBurrows
from tests.games.vaults import CARDS, Table, Vaults

from cardhub.model.cards import Card, Cards
from cardhub.model.hidden.observation import Step
from cardhub.testing import coverage as random_games
from cardhub.testing import play
from cardhub.testing.coverage import ActionChooser, Coverage, choose_opening, rounds
from cardhub.testing.game_checks.game_report import GameFindings
from cardhub.testing.game_checks.playout_checks import check_playout
from cardhub.testing.random_play import default_trial
from cardhub.testing.rule_coverage import watch_rules

# The random games in which rare rules are found.
GAMES = 120


def explore(game: Burrows, games: int = GAMES) -> tuple[Coverage, list[Step]]:
    """Return the coverage of random games, and the actions before the first error."""
    coverage = Coverage(game)
    for given in islice(chain.from_iterable(rounds(game, 0)), games):
        trial, opening = choose_opening(coverage, given)
        first = len(opening.steps) if opening else 0
        position = None
        try:
            for position in play(game, trial, ActionChooser(game, trial, coverage), opening):
                if position.number >= first:
                    watch_rules(game, position, coverage.rules)
                    coverage.note(position)
        except ZeroDivisionError:
            assert position is not None
            return coverage, position.steps
    return coverage, []


def missing_lines(game: Burrows, games: int) -> str:
    """Return the lines of the rules that random games have not run."""
    coverage = Coverage(game)
    for seed in range(games):
        for position in play(game, default_trial(game, 2, seed)):
            watch_rules(game, position, coverage.rules)
    return coverage.rules.missing()


def test_a_fault_at_the_end_of_a_rare_sequence_is_found() -> None:
    _, steps = explore(FaultyBurrows())
    assert tuple(step.action for step in steps[-len(WAY) :]) == WAY


def test_games_that_all_begin_with_the_deal_miss_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_games, "CONTINUED_SHARE", 0)
    assert explore(FaultyBurrows())[1] == []


def test_the_same_seed_gives_the_same_games() -> None:
    first, second = (explore(Burrows(), 60)[0] for _ in range(2))
    assert first.sequences == second.sequences
    assert first.unreached() == second.unreached()


def test_the_checks_go_on_from_positions_that_reached_something_new() -> None:
    collected = GameFindings(FaultyBurrows())
    for trial in islice(chain.from_iterable(rounds(FaultyBurrows(), 0)), 5):
        check_playout(FaultyBurrows(), trial, 1, 0, collected, collected.coverage)
    assert collected.by_check == {}
    assert collected.coverage.frontier.choose(trial) is not None


def test_lines_that_no_game_ran_are_named() -> None:
    _, first = inspect.getsourcelines(SealedBurrows)
    coverage, _ = explore(SealedBurrows())
    (sentence,) = coverage.unreached()
    lines = f"games/burrows.py:{first + 6}–{first + 7}"
    assert sentence == f"no game ran these lines of the rules: {lines}"


def test_lines_of_methods_that_are_never_called_are_named_as_well() -> None:
    _, first = inspect.getsourcelines(Burrows.open_chest)
    assert str(first + 2) in missing_lines(Burrows(), 1)


class MarkedVaults(Vaults):
    """Vaults with a mark, a card that no action can name."""

    cards = Cards(
        (*CARDS.faces, Card("mark", "mark", 0, 1, 1, "", {})), CARDS.backs, ("deck", "marks")
    )

    def deal(self, state: Table) -> None:
        super().deal(state)
        state.put(CARDS.count, state.vault, 0)


def test_cards_without_an_action_are_named_only_if_others_of_their_deck_have_one() -> None:
    game = MarkedVaults()
    coverage = Coverage(game)
    for position in islice(play(game, default_trial(game, 2, 0)), 6):
        coverage.note(position)
    (sentence,) = (text for text in coverage.unreached() if "never acted on" in text)
    assert "V" in sentence
    assert "mark" not in sentence


def test_without_any_game_nothing_is_said_about_lines() -> None:
    assert Coverage(Burrows()).rules.missing() == ""


def test_an_action_that_ends_every_game_is_avoided_in_half_of_the_games() -> None:
    game, coverage = Burrows(), Coverage(Burrows())
    lengths = []
    for trial in islice(chain.from_iterable(rounds(game, 0)), 60):
        for position in play(game, trial, ActionChooser(game, trial, coverage)):
            coverage.note(position)
        lengths.append(position.number)
    assert coverage.ending == {"stop"}
    assert sum(length > 15 for length in lengths) > 20
    assert sum(length < 10 for length in lengths) > 20
