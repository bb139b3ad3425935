"""Secrets other than cards at a table: events, undo, takebacks, records and programs."""

from pathlib import Path
from random import Random

import pytest
from tests.games.moles import HARM, HELP, LOOK, MOLE, Moles, Table
from tests.games.throws import Throws

from cardhub.base.errors import BotIllegalError, IllegalActionError, RecordError
from cardhub.bots.external.messages import news, table
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.model.table.actions import UNSEEN_ACTION
from cardhub.play.announcing.announcer import follow, past_events
from cardhub.play.announcing.events import Event
from cardhub.play.fault_report import read_reproduction, reproduce, write_reproduction
from cardhub.play.host.replays.replay import replay_so_far
from cardhub.play.host.replays.stepping.replay_session import coming_action
from cardhub.play.host.running_table import find_only_choice
from cardhub.play.records.formats import go_through
from cardhub.play.records.reading import parse_record
from cardhub.play.records.recording import as_record
from cardhub.play.records.redaction import redact_game
from cardhub.play.records.replaying import open_record, played_steps, replayed
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.view.building import build_view


class Loyal(Moles):
    """A game in which everybody must help in secret."""

    def legal(self, state: Table) -> list[int]:
        return [HELP]


PLAYERS = [Player(name, "human") for name in ("Anna", "Bob", "Chris")]
HERE = Path("the table")


def referee(*actions: int) -> Referee[Table]:
    """Return a game after these actions, in which Anna is a mole."""
    for seed in range(100):
        made: Referee[Table] = set_up(Moles(), PLAYERS, {}, seed)
        made.proceed()
        if made.observe(0).state.face[0] == MOLE:
            for action in actions:
                made.apply(action)
            return made
    raise AssertionError("Anna is no mole in a hundred deals")


def heard(viewer: int) -> list[Event]:
    """Return the events of a viewer while Anna harms and Bob looks."""
    made, events = referee(), list[Event]()
    follow(made, viewer, events.append)
    for action in (HARM, LOOK):
        made.apply(action)
    assert past_events(made, viewer) == events
    return events


@pytest.mark.parametrize("viewer", [2, 3])
def test_others_hear_only_who_has_acted(viewer: int) -> None:
    events = heard(viewer)
    assert [event.action for event in events] == [None, None]
    assert [event.lines for event in events] == [("Anna acts in secret",), ("Bob acts in secret",)]
    assert not any(event.origins for event in events)


def test_who_acts_and_who_sees_everything_hear_the_action() -> None:
    own, whole = heard(0), heard(EVERYTHING)
    assert [event.action for event in own] == [HARM, None]
    assert own[0].lines == ("Anna: harm",)
    assert [event.action for event in whole] == [HARM, LOOK]


def test_nothing_can_be_undone_or_taken_back() -> None:
    made = referee(HELP)
    assert not made.can_undo(0)
    assert made.why_no_takeback(0) == "players may have learned secrets that cannot be taken back"
    with pytest.raises(IllegalActionError, match="secrets that cannot be taken back"):
        made.take_back(0, [1, 2])
    view = build_view(made.observe(1), ["Anna", "Bob", "Chris"])
    assert not any(choice.can_undo for choice in view.choices)


def test_a_table_does_not_play_the_only_secret_action_at_once() -> None:
    made = set_up(Loyal(), PLAYERS, {}, 1)
    assert made.observe(0).legal() == [HELP]
    assert find_only_choice(made, 0) is None


def test_a_whole_record_gives_the_same_game() -> None:
    made = referee(HARM, HELP, LOOK)
    record = parse_record(HERE, as_record(made).encode())
    again = replayed(record, open_record(Moles(), record))
    for viewer in range(4):
        here, there = made.observe(viewer), again.observe(viewer)
        assert (here.state, here.history) == (there.state, there.history)
        assert there.determinize(Random(0)).turn == here.state.turn


def test_a_record_for_one_viewer_is_refused() -> None:
    with pytest.raises(RecordError, match="moles has secrets other than cards"):
        redact_game(referee(HELP), 0)
    assert redact_game(set_up(Throws(), PLAYERS[:2], {}, 1), 0)


def test_a_fault_of_a_bot_is_reported_without_a_record(tmp_path: Path) -> None:
    reproduction = reproduce(referee(HELP), BotIllegalError("no"), "tired", "1")
    assert reproduction.record == ()
    path = write_reproduction(reproduction, tmp_path / "game.jsonl")
    with pytest.raises(RecordError, match="has no record, because the game has secrets"):
        read_reproduction(path).as_record(path)


def test_a_game_described_for_one_viewer_lacks_secret_actions() -> None:
    record = parse_record(HERE, as_record(referee(HARM, LOOK)).encode())
    steps = played_steps(Moles(), record, 1)
    assert [step.action for step in steps] == [UNSEEN_ACTION, LOOK]


def test_a_program_gets_no_secret_of_others() -> None:
    made = referee(HARM, LOOK)
    sent = [*news(made.observe(1), None)]
    assert [(entry["seat"], entry["action"]) for entry in sent] == [(0, None), (1, LOOK)]
    assert sent[0]["notation"] is None
    values = table(made.observe(1))["values"]
    assert values["deeds"] == [None, [LOOK], None]
    assert "views" not in values


def test_a_program_gets_the_news_since_its_last_turn() -> None:
    made = referee(HELP, HELP)
    before = made.observe(2)
    made.apply(HELP)
    made.proceed()
    seats = [entry["seat"] for entry in news(made.observe(0), before)]
    assert seats[:2] == [2, "chance"]


def test_an_exported_game_lacks_secret_actions() -> None:
    record = parse_record(HERE, as_record(referee(HARM, LOOK)).encode())
    for viewer, name, actions in ((1, "Bob", ["", "look"]), (EVERYTHING, "all", ["harm", "look"])):
        through = go_through(record, open_record(Moles(), record), viewer, name)
        assert [moment.action for moment in through.moments] == actions


def test_a_replay_does_not_mark_a_secret_action_that_comes() -> None:
    coming = coming_action(replay_so_far(referee(HARM, LOOK), [1]), 0, 1)
    assert coming is not None
    assert (coming.text, coming.spots) == ("Anna acts in secret", ())
