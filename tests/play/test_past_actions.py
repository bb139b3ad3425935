"""Lines of the log say what the action was, and what each viewer knew when it happened."""

from random import Random
from typing import Any

import pytest
from tests.games.magpie import Magpie, MagpieDisplay
from tests.games.magpie import Table as MagpieTable
from typing_extensions import override

from cardhub import CHANCE, OVER, Display, Game
from cardhub.play.announcing.announcer import past_events
from cardhub.play.history_entries import Taken
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub_gargon import Gargon
from hearts import Hearts
from leduc import Leduc
from leduc.game import CALL, RAISE, Table, owed

NAMES = ("Anna", "Bob", "Chris", "David")


class CallingDisplay(Display[Table]):
    """The core's sentences; a call of nothing is labelled a check."""

    @override
    def action_label(self, state: Table, action: int) -> str:
        assert state.seat >= 0
        if action != CALL:
            return ""
        return f"call {owed(state)}" if owed(state) else "check"


class CallingLeduc(Leduc):
    """Leduc poker whose labels depend on the stakes."""

    display_type = CallingDisplay  # type: ignore[assignment]  # not derived from LeducDisplay


class HoldingDisplay(CallingDisplay):
    """Labels that only the seat to act can read: they name the card in its hand."""

    @override
    def action_label(self, state: Table, action: int) -> str:
        return f"act with card {state.face[state.hand[state.seat][0]]}"


class HoldingLeduc(Leduc):
    """Leduc poker whose labels depend on the hand."""

    display_type = HoldingDisplay  # type: ignore[assignment]  # not derived from LeducDisplay


class SeatedDisplay(MagpieDisplay):
    """Labels that are asked for seats only."""

    @override
    def action_label(self, state: MagpieTable, action: int) -> str:
        assert state.seat not in (CHANCE, OVER)
        return f"action {action} of {state.seat}"


class SeatedMagpie(Magpie):
    """A game with chance whose labels name the seat."""

    display_type = SeatedDisplay


def started(game: Game[Any], seats: int, seed: int = 1) -> Referee[Any]:
    """Return a game of people that has begun."""
    referee = set_up(game, [Player(name, "human") for name in NAMES[:seats]], {}, seed)
    referee.proceed()
    return referee


def finished(game: Game[Any], seats: int, seed: int = 1) -> Referee[Any]:
    """Return a game that people have played at random to its end."""
    referee, rng = started(game, seats, seed), Random(seed)
    while not referee.is_over:
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
    return referee


def first_lines(referee: Referee[Any], viewer: int) -> list[str]:
    """Return the first line of each action in a viewer's log."""
    events = past_events(referee, viewer)
    return [event.lines[0] for event in events if event.kind == "action"]


def test_the_log_labels_an_action_in_the_position_before_it() -> None:
    """Afterwards nothing is owed, so every call would be a check."""
    referee = started(CallingLeduc(), 2)
    for action in (CALL, RAISE, CALL, CALL, CALL):
        referee.apply(action)
    lines = ["Anna checks", "Bob raises", "Anna calls 2", "Anna checks", "Bob checks"]
    for viewer in range(3):
        assert first_lines(referee, viewer) == lines


def test_a_label_that_depends_on_a_card_not_seen_is_the_plain_one_in_the_log() -> None:
    referee = started(HoldingLeduc(), 2)
    referee.apply(RAISE)
    own = referee.observe(0).state.face[referee.observe(0).state.hand[0][0]]
    lines = [first_lines(referee, viewer) for viewer in range(3)]
    assert lines == [[f"Anna: act with card {own}"], ["Anna raises"], ["Anna raises"]]


def test_labels_are_asked_about_actions_of_seats_only() -> None:
    referee = finished(SeatedMagpie(), 2)
    lines = first_lines(referee, 0)
    taken = [entry for entry in referee.entries if isinstance(entry, Taken)]
    assert any(entry.seat == CHANCE for entry in taken)
    for line, entry in zip(lines, taken, strict=True):
        is_labelled = line.endswith(f": action {entry.action} of {entry.seat}")
        assert is_labelled == (entry.seat >= 0)


def test_an_error_names_the_last_action_without_the_label_of_another_position() -> None:
    referee = started(CallingLeduc(), 2)
    referee.apply(RAISE)
    referee.apply(CALL)
    assert referee.observe(0)._last_step() == "after action 2, seat 1: call"


@pytest.mark.parametrize(
    ("game", "verb", "seats"), [(Gargon(), "lays", 3), (Hearts(), "passes", 4)]
)
def test_a_card_laid_face_down_is_not_named_in_that_line_for_others(
    game: Game[Any], verb: str, seats: int
) -> None:
    """The last card turns all of them up, or is handed on: further lines name the cards."""
    for seed in range(3):
        referee = finished(game, seats, seed)
        tokens = [
            game.actions.token(entry.action)
            for entry in referee.entries
            if isinstance(entry, Taken)
        ]
        for viewer in range(seats + 1):
            events = [event for event in past_events(referee, viewer) if event.kind == "action"]
            laid = [
                (event, token)
                for event, token in zip(events, tokens, strict=True)
                if token is not None and event.lines[0].split()[1] == verb
            ]
            assert laid
            for event, _ in laid:
                assert event.lines[0].endswith(" card") == (event.seat != viewer)
