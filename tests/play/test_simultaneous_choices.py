"""Simultaneous choices at a table: what the log says, what can be undone, and records."""

from typing import Any

import pytest
from tests.games.throws import PAPER, ROCK, Table, Throws

from cardhub import Display, Game, Names
from cardhub.base.errors import IllegalActionError
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.announcing.announcer import follow, past_events
from cardhub.play.announcing.events import Event
from cardhub.play.records.redaction import redact_game
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up

VIEWERS = (0, 1, 2, EVERYTHING)


class NarratedDisplay(Display[Table]):
    """A sentence about both throws."""

    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
        throws = (
            f"{names.player(s)} {('rock', 'paper')[a]}" for s, a in before.known_choices().items()
        )
        return [" against ".join(throws)]


class Narrated(Throws):
    """Throws with sentences of their own."""

    display_type = NarratedDisplay


def referee(game: Game[Any]) -> Referee[Any]:
    """Return a game of Anna and Bob."""
    made = set_up(game, [Player("Anna", "human"), Player("Bob", "human")], {}, 1)
    made.proceed()
    return made


def events(game: Game[Any], viewer: int) -> list[Event]:
    """Return the events of both choices."""
    table, heard = referee(game), list[Event]()
    follow(table, viewer, heard.append)
    for action in (PAPER, ROCK):
        table.apply(action)
    assert past_events(table, viewer) == heard
    return heard


@pytest.mark.parametrize("viewer", VIEWERS)
def test_no_event_tells_a_choice_before_all_have_chosen(viewer: int) -> None:
    first, last, _ = events(Throws(), viewer)
    assert (first.seat, first.action, first.lines) == (0, None, ())
    assert last.lines == ("Anna: paper", "Bob: rock")


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_game_narrates_a_round_once_with_all_choices(viewer: int) -> None:
    first, last, _ = events(Narrated(), viewer)
    assert (first.lines, last.lines) == ((), ("Anna paper against Bob rock",))


def test_the_last_choice_cannot_be_undone_because_the_others_are_known() -> None:
    table = referee(Throws())
    table.apply(PAPER)
    assert table.can_undo(0)
    table.undo(0)
    assert (table.seat, table.action_count) == (0, 0)
    for action in (PAPER, ROCK):
        table.apply(action)
    assert not any(map(table.can_undo, (0, 1)))


def test_no_seat_chooses_twice() -> None:
    table = referee(Throws())
    with pytest.raises(IllegalActionError):
        table.apply(7)
    table.apply(PAPER)
    assert table.seat == 1


@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_a_redacted_record_ends_before_a_round_that_is_not_complete(viewer: int) -> None:
    table = referee(Throws())
    before = redact_game(table, viewer)
    table.apply(PAPER)
    table.undo(0)
    table.apply(ROCK)
    assert redact_game(table, viewer) == before
    table.apply(PAPER)
    assert "rock" in redact_game(table, viewer)
