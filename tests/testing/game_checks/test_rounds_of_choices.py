"""Who chooses at the same time as others learns nothing of their choices before the own one."""

from random import Random
from typing import Any

import pytest
from tests.games import leaking_bids as leaking
from tests.games.bids import Bids

from cardhub import Game
from cardhub.plugins.registry import find_plugins
from cardhub.testing import Trial, inspect_game
from cardhub.testing.game_checks.game_report import GameFinding, GameFindings, check_trial
from cardhub.testing.game_checks.rounds_of_choices import RoundCollector, check_recognition
from cardhub.testing.random_play import default_trial, play


def findings(game: Game[Any]) -> dict[str, GameFinding]:
    """Return the findings by check of a random game for two players, else for three."""
    collected = GameFindings(game)
    for seats in (2, 3):
        if not collected.by_check:
            check_trial(game, default_trial(game, seats, 0), collected, is_first=False)
    return {finding.check: finding for finding in collected.root_causes()}


def collected_rounds(game: Game[Any], trial: Trial) -> RoundCollector[Any]:
    """Return the decisions of a random game in rounds of choices."""
    collector = RoundCollector(game, Random(0))
    for position in play(game, trial):
        collector.add(position)
    return collector


RECOGNIZED = [
    (leaking.PassesUnmixed, "Seat 1, who has yet to choose, has seen that card, B"),
    (leaking.PointsAtHand, "Seat 1, who has yet to choose, has seen that card, B"),
    (leaking.TakesBack, "has seen B5 among the cards to choose from, and sees that it is another"),
    (leaking.TurnsUpInHand, "has seen B"),
    (leaking.SaysInHand, "can distinguish it from B11 by possible()"),
]


@pytest.mark.parametrize(("plant", "reason"), RECOGNIZED)
def test_a_bid_that_a_later_bidder_recognizes_is_found(plant: type[Bids], reason: str) -> None:
    """The card was passed on, taken back, turned up, or a question about it was answered."""
    reported = findings(plant())
    assert list(reported) == ["recognition"]
    finding = reported["recognition"]
    assert reason in finding.problem
    assert "action 3 is seat 0's choice of a card face down: 'bid B" in finding.problem
    assert "from `hand`" in finding.problem
    assert "mixed=True" in finding.promise.remedy
    assert finding.location is not None
    assert "after 3 actions" in finding.location.brief()


TOLD = [
    (leaking.NotesBid, "would see another state.note"),
    (
        leaking.TellsBid,
        "state.note; the log line would be 'Anna bids high' instead of 'Anna bids low'",
    ),
    (leaking.RequiresMore, "state.note; the legal actions would be 'bid B7' instead of 'bid B2, "),
    (leaking.ShowsBids, "state.note; the scene would be "),
    (leaking.NamesBid, "would see the action take another card of the same back"),
]


@pytest.mark.usefixtures("without_taint")
@pytest.mark.parametrize(("plant", "difference"), TOLD)
def test_a_bid_that_changes_anything_for_a_later_bidder_is_found(
    plant: type[Bids], difference: str
) -> None:
    """A field of the state, the log, the legal actions, the scene or the name of the action."""
    reported = findings(plant())
    assert list(reported) == ["order"]
    finding = reported["order"]
    assert difference in finding.problem
    assert finding.problem.startswith(
        "action 1 is seat 0's choice of a card face down: 'bid B5'. If it were B11, seat 1, who "
        "has yet to choose, "
    )
    assert finding.location is not None
    assert "after 1 action" in finding.location.brief()


def test_legal_actions_that_read_a_bid_are_found() -> None:
    """The face is hidden from the seat to act, so the check of legal actions finds it first."""
    problem = findings(leaking.LooksAtBid())["legal_is_public"].problem
    assert "leaking_bids.py:" in problem
    assert "in legal" in problem


@pytest.mark.parametrize("good", [leaking.DrawsAtOnce, leaking.SaysParity, leaking.ShowsBid])
def test_what_the_rules_make_known_of_a_bid_is_no_leak(good: type[Bids]) -> None:
    """Drawing a card, answering a question in public, showing the bid to a player."""
    assert findings(good()) == {}


def test_bids_from_mixed_hands_pass_all_checks() -> None:
    report = inspect_game(Bids(), games=1, is_measured=False)
    assert report.findings == ()
    assert set(report.skipped) == {"golden"}


# The number of decisions of a game that are not the first of their round.
@pytest.mark.parametrize(
    ("name", "decisions"), [("goofspiel", 0), ("hearts", 3), ("kuhn", 0), ("spades", 0)]
)
def test_rounds_are_recognized_in_games_that_have_them(name: str, decisions: int) -> None:
    """In Hearts the passing; Goofspiel asks all seats at once, so there is nothing to recognize."""
    game = find_plugins().game(name)
    trial = default_trial(game, game.seats.default, 0)
    assert len(collected_rounds(game, trial).decisions) == decisions


def test_a_turn_between_two_hidden_cards_separates_rounds() -> None:
    """A player may lay a card face down in the own turn, long after another."""
    game = leaking.AsksBetween()
    assert collected_rounds(game, default_trial(game, 2, 0)).decisions == []


def test_a_decision_without_alternatives_is_none() -> None:
    """The last card is bid in any case."""
    rounds = collected_rounds(Bids(), default_trial(Bids(), 2, 0))
    assert [decision.position.number for decision in rounds.decisions] == [1, 3]
    for decision in rounds.decisions:
        check_recognition(Bids(), decision.position, decision)
