"""Nobody is overruled: requests wait for consent, and powers stand in the record."""

import re
from pathlib import Path

import msgspec
import pytest
from tests.online.server.tables.conftest import FakeClient, FakeServer, finish, notes, started

from cardhub.online.server.tables.members.seating import NO_REISSUE
from cardhub.online.wire import client_messages as m
from cardhub.online.wire import server_messages as s
from cardhub.play import table_commands as c
from cardhub.play import table_messages as t
from cardhub.play.host.table_host import Host
from cardhub.play.workers.bot_messages import NETWORK

DAYS = {"clock": "3d", "webhook": "https://example.org/hook"}


def played(server: FakeServer, game: str = "garner", **given: object) -> tuple[FakeClient, ...]:
    """Return a game in which each of two people has acted; the first of them can take back."""
    first, second = started(server, game, **given)
    while not second.table_message.view.choices:
        first.act()
    second.act()
    assert first.table_message.can_take_back
    return first, second


def takeback_of(first: FakeClient, second: FakeClient) -> s.TakebackState:
    """Return the first request of a person at a table in memory, which waits for another one."""
    return s.TakebackState(seat=first.viewer, missing=(second.viewer,), request=1)


def test_an_answer_is_not_taken_for_the_next_request(server: FakeServer) -> None:
    """The other person answers a request of which they cannot know yet that it has ended."""
    first, second = played(server)
    first.tell(m.AskTakeback())
    assert second.state.takeback is not None
    late = m.AnswerTakeback(agrees=True, request=second.state.takeback.request)
    second.tell(msgspec.structs.replace(late, agrees=False))
    first.tell(m.AskTakeback())
    assert "has expired" in second.tell(late).refusal
    assert first.state.takeback is not None
    second.tell(m.AnswerTakeback(agrees=True, request=first.state.takeback.request))
    assert first.state.takeback is None
    assert notes(server, first)[-1]["takeback"] > 0


def test_a_takeback_waits_for_a_person_who_is_away(server: FakeServer) -> None:
    """Presence is not consent: in a game by days the other one is away as a rule."""
    first, second = played(server, **DAYS)
    second.leave()
    shown = len(first.log)
    first.tell(m.AskTakeback())
    server.wait(3600)
    assert first.state.takeback == takeback_of(first, second)
    assert len(first.log) == shown
    back = server.visit(first, second.token)
    assert back.state.takeback is not None
    back.tell(m.AnswerTakeback(agrees=True))
    assert back.state.takeback is None
    assert notes(server, first)[-1]["agreed"] == [second.viewer]


def test_a_person_for_whom_a_bot_plays_is_asked_about_a_takeback(server: FakeServer) -> None:
    first, second = played(server)
    second.leave()
    server.wait(121)
    first.tell(m.Replace(seat=second.viewer, bot="random"))
    first.tell(m.AskTakeback())
    server.wait(3600)
    assert first.state.takeback is not None
    assert not [line for line in notes(server, first) if "takeback" in line]


def test_a_request_survives_an_unloaded_table_and_a_restart(server: FakeServer) -> None:
    first, second = played(server, **DAYS)
    second.leave()
    first.tell(m.AskTakeback())
    first.leave()
    server.wait(200)
    server.start()
    back = server.visit(first, second.token)
    assert back.state.takeback == takeback_of(first, second)
    back.tell(m.AnswerTakeback(agrees=True))
    assert notes(server, first)[-1]["takeback"] > 0


def test_an_absent_person_is_called_once_about_a_request_at_a_position(server: FakeServer) -> None:
    first, second = played(server, **DAYS)
    second.leave()
    server.called.clear()
    name = first.state.seats[second.viewer].name
    for _ in range(3):
        first.tell(m.AskTakeback())
        first.served._takebacks.cancel()
    assert [call[3] for call in server.called] == [name]


def test_a_request_ends_when_a_person_acts(server: FakeServer) -> None:
    first, second = played(server, **DAYS)
    first.tell(m.AskTakeback())
    (second if second.table_message.view.choices else first).act()
    assert first.state.takeback is None
    assert "has expired" in second.tell(m.AnswerTakeback(agrees=True)).refusal


def test_a_person_who_stands_up_is_not_waited_for(server: FakeServer) -> None:
    first, second = played(server)
    first.tell(m.AskTakeback())
    second.tell(m.Stand())
    assert first.state.takeback is None
    assert [line["agreed"] for line in notes(server, first) if "takeback" in line] == [[]]


def test_the_next_person_at_a_seat_is_asked_too(server: FakeServer) -> None:
    """Also over a restart: a person who has left cannot agree for the one who follows."""
    anna, bob, chris = running(server)
    anna.tell(m.AskTakeback())
    bob.tell(m.AnswerTakeback(agrees=True)).tell(m.Stand())
    dora = server.visit(anna).tell(m.Sit(name="Dora", seat=1))
    for person in (anna, chris):
        person.tell(m.AnswerNewcomer(name="Dora", agrees=True))
    assert dora.viewer == 1
    assert anna.state.takeback == s.TakebackState(seat=0, missing=(1, 2), request=1)
    server.start()
    assert server.visit(anna, anna.token).state.takeback == anna.state.takeback


def test_the_record_names_who_admitted_a_visitor(server: FakeServer) -> None:
    anna, bob, chris = running(server)
    chris.tell(m.Stand())
    server.visit(anna).tell(m.Sit(name="Zoe"))
    for person in (anna, bob):
        person.tell(m.AnswerNewcomer(name="Zoe", agrees=True))
    line = {"seat": 2, "player": {"name": "Zoe", "kind": "human"}, "agreed": [0, 1]}
    assert notes(server, anna)[-1] == line
    assert bob.log[-1].text.endswith("takes David's seat with the consent of Anna and Bob")
    server.start()
    assert server.visit(anna, anna.token).log[-1].text == bob.log[-1].text


def test_the_record_names_who_had_a_bot_play(server: FakeServer) -> None:
    anna, bob, chris = running(server)
    anna.tell(m.Replace(seat=1, bot="random"))
    assert notes(server, anna)[-1]["by"] == 0
    assert chris.log[-1].text == "A bot (random) plays for Bob at the request of Anna"
    bob.tell(m.Replace(seat=1, bot=""))
    bob.tell(m.Replace(seat=1, bot="random"))
    assert "by" not in notes(server, anna)[-1]


def test_an_owner_without_a_seat_replaces_nobody_in_a_game_of_people(server: FakeServer) -> None:
    """The record could not name the owner."""
    anna, bob, _ = running(server)
    anna.tell(m.Stand())
    lines = notes(server, anna)
    assert "only a person with a seat" in anna.tell(m.Replace(seat=1, bot="random")).refusal
    assert notes(server, bob) == lines


def test_a_request_ends_when_its_person_stands_up(server: FakeServer) -> None:
    anna, bob, chris = running(server)
    watcher = server.visit(anna)
    bob.tell(m.AskTakeback()).tell(m.Stand())
    assert anna.state.takeback is None
    refused = watcher.count(t.Refused)
    assert "has expired" in chris.tell(m.AnswerTakeback(agrees=False)).refusal
    assert watcher.count(t.Refused) == refused


def test_a_takeback_of_a_seen_outcome_draws_chance_anew(server: FakeServer) -> None:
    """Record and log say so, and the game goes on from the record."""
    first, second = played(server, "pig")
    first.tell(m.AskTakeback())
    second.tell(m.AnswerTakeback(agrees=True))
    lines = [line for line in notes(server, first) if "takeback" in line]
    assert [line["chance"] for line in lines] == ["anew"]
    assert any("chance decides again" in line.text for line in second.log)
    before = first.table_message.view.areas
    server.start()
    assert server.visit(first, first.token).table_message.view.areas == before


def test_the_owner_gets_no_link_to_anothers_hand(server: FakeServer) -> None:
    """The old link stays valid, and after the game the owner may give a new one."""
    first, second = started(server, "kuhn")
    owner, other = (first, second) if first.viewer == first.state.owner else (second, first)
    assert owner.tell(m.Reissue(seat=other.viewer)).refusal == NO_REISSUE
    assert owner.count(s.Issued) == 0
    assert server.visit(owner, other.token).viewer == other.viewer
    finish(first, second)
    assert owner.tell(m.Reissue(seat=other.viewer)).last(s.Issued).token


def test_a_pause_stops_no_clock_and_everybody_may_end_it(server: FakeServer) -> None:
    """It stands in the record, with the person who paused."""
    anna = server.create("gargon", seats=3, bots=["", "", "random"], clock="5+10")
    bob = server.seated(anna)
    anna.tell(m.Start()).tell(c.PaceCommand(command="pause"))
    before = [seat.clock.seconds_left for seat in anna.state.seats if seat.clock]
    server.wait(30)
    anna.tell(m.Say(text="wait"))
    after = [seat.clock.seconds_left for seat in anna.state.seats if seat.clock]
    to_act = anna.table_message.view.to_act
    assert to_act is not None
    is_persons_turn = to_act < 2
    assert sum(before) - sum(after) == pytest.approx(30 if is_persons_turn else 0, abs=0.2)
    bob.tell(c.PaceCommand(command="resume"))
    assert not bob.table_message.status.is_paused
    assert [line["note"] for line in notes(server, anna)] == ["paused", "resumed"]
    assert [line["seat"] for line in notes(server, anna)] == [0, 1]


def test_a_visitor_sits_down_in_a_running_game_if_all_agree(server: FakeServer) -> None:
    """Also the people who are away are asked; until then the visitor sees no hand."""
    anna = server.create("gargon", seats=3, bots=["", "", ""])
    bob, chris = server.seated(anna), server.seated(anna, "Chris")
    anna.tell(m.Start())
    chris.tell(m.Stand())
    bob.leave()
    dora = server.visit(anna).tell(m.Sit(name="Dora"))
    server.wait(3600)
    assert (dora.viewer, anna.state.newcomer) == (
        3,
        s.NewcomerState(seat=2, name="Dora", missing=(0, 1)),
    )
    eve = server.visit(anna).tell(m.Sit(name="Eve"))
    assert "already asking" in eve.refusal
    assert eve.tell(m.AnswerNewcomer(name="Dora", agrees=True)).refusal
    anna.tell(m.AnswerNewcomer(name="Eve", agrees=True))
    assert "has expired" in anna.refusal
    anna.tell(m.AnswerNewcomer(name="Dora", agrees=True))
    assert dora.viewer == 3
    server.visit(anna, bob.token).tell(m.AnswerNewcomer(name="Dora", agrees=True))
    assert (dora.viewer, anna.state.newcomer) == (2, None)


def test_a_visitor_who_is_refused_or_gone_gets_no_seat(server: FakeServer) -> None:
    first, second = started(server)
    second.tell(m.Stand())
    dora = server.visit(first).tell(m.Sit(name="Dora"))
    first.tell(m.AnswerNewcomer(name="Dora", agrees=False))
    name = first.state.seats[first.viewer].name
    assert dora.refusal == f"you do not get the seat: {name} does not agree"
    dora.tell(m.Sit(name="Dora")).leave()
    assert first.state.newcomer is None
    eve = server.visit(first).tell(m.Sit(name="Eve"))
    server.wait(61)
    assert "did not answer in time" in eve.refusal


def test_a_person_with_a_new_device_gets_the_seat_back_if_the_others_agree(
    server: FakeServer,
) -> None:
    anna = server.create("gargon", seats=3, bots=["", "", ""])
    bob, chris = server.seated(anna), server.seated(anna, "Chris")
    anna.tell(m.Start())
    stranger = server.visit(anna).tell(m.Sit(name="Bob", seat=1))
    assert "Bob is connected" in stranger.refusal
    bob.leave()
    back = server.visit(anna).tell(m.Sit(name="Bob", seat=1))
    assert anna.state.newcomer == s.NewcomerState(
        seat=1, name="Bob", missing=(0, 2), is_return=True
    )
    anna.tell(m.AnswerNewcomer(name="Bob", agrees=True))
    assert back.viewer == 3
    chris.tell(m.AnswerNewcomer(name="Bob", agrees=True))
    assert (back.viewer, back.last(t.TableMessage).view.viewer) == (1, 1)
    assert not server.lobby.find(anna.table).enter(bob, m.Enter(version=2, token=bob.token))


def test_a_seat_is_not_given_back_without_anybody_who_knows_its_person(server: FakeServer) -> None:
    anna = server.create("gargon", seats=3, bots=["", "random", "random"])
    anna.tell(m.Start()).leave()
    visitor = server.visit(anna).tell(m.Sit(name="Anna", seat=0))
    assert "nobody else at this table can confirm who you are" in visitor.refusal


def test_a_request_for_an_own_seat_ends_when_its_person_is_back(server: FakeServer) -> None:
    first, second = started(server)
    second.leave()
    name, seat = first.state.seats[second.viewer].name, second.viewer
    stranger = server.visit(first).tell(m.Sit(name=name, seat=seat))
    second.enter()
    assert stranger.refusal == f"you do not get the seat: {name} is connected"
    assert first.state.newcomer is None


def test_an_owner_who_watches_does_not_sit_down_in_a_bots_seat(server: FakeServer) -> None:
    """The owner opens the seat, and the people decide."""
    owner = server.create("gargon", name="", seats=3, bots=["", "", "random"])
    anna, bob = server.seated(owner, "Anna"), server.seated(owner)
    owner.tell(m.Start()).tell(m.Replace(seat=2)).tell(m.Sit(name="Olga", seat=2))
    assert owner.viewer == 3
    assert owner.state.newcomer is not None
    anna.tell(m.AnswerNewcomer(name="Olga", agrees=True))
    bob.tell(m.AnswerNewcomer(name="Olga", agrees=False))
    assert owner.viewer == 3
    assert "Bob does not agree" in owner.refusal


def test_no_program_gets_a_hand_of_a_running_game_of_people(server: FakeServer) -> None:
    anna = server.create("gargon", seats=3, bots=["", "", "random"])
    server.seated(anna)
    anna.tell(m.Start()).tell(m.Replace(seat=2, bot=NETWORK))
    assert "its owner could see the hand" in anna.refusal
    assert anna.state.seats[2].bot == "random"


@pytest.mark.parametrize("shows_hands", [False, True])
def test_spectators_who_see_hands_are_not_let_in_during_a_game(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch, *, shows_hands: bool
) -> None:
    """At the table of a game that shows spectators no hand, they may watch at any time."""
    monkeypatch.setattr(Host, "shows_spectators_hands", shows_hands)
    anna = server.create("kuhn", shows_spectators=False)
    server.seated(anna)
    anna.tell(m.Start()).tell(m.SetUp(shows_spectators=True))
    assert anna.state.shows_spectators is not shows_hands


def rows() -> list[tuple[str, str, str]]:
    """Return message, who may send it, and the line in the record, from the table of the page."""
    text = Path("docs/hosting.md").read_text("utf-8")
    table = text.partition("### Powers in a running game")[2].split("\n\n")[2]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return [(row[1].strip("`"), row[2], row[4]) for row in cells[2:]]


MESSAGES: dict[str, m.AnyClientMessage] = {
    "pause": c.PaceCommand(command="pause"),
    "resume": c.PaceCommand(command="resume"),
    "step": c.PaceCommand(command="step"),
    "skip": c.PaceCommand(command="skip"),
    "stop": c.PaceCommand(command="stop"),
    "retry": c.PaceCommand(command="retry"),
    "wait": c.PaceCommand(command="wait"),
    "set_pace": c.SetPace(seconds=1),
    "replace": m.Replace(seat=2, bot="random"),
    "reissue": m.Reissue(seat=2),
    "takeback": m.AskTakeback(),
    "sit": m.Sit(name="Zoe"),
    "stand": m.Stand(),
    "set_up": m.SetUp(has_chat=False),
    "start": m.Start(),
    "rematch": m.Rematch(),
}


def test_the_page_lists_every_power() -> None:
    assert [message for message, _, _ in rows()] == list(MESSAGES)


def running(server: FakeServer) -> tuple[FakeClient, FakeClient, FakeClient]:
    """Return three people in a game, each of whom can ask for a takeback."""
    anna = server.create("gargon", seats=3, bots=["", "", ""])
    people = anna, server.seated(anna), server.seated(anna, "Chris")
    anna.tell(m.Start())
    while not all(person.table_message.can_take_back for person in people):
        next(person for person in people if person.table_message.view.choices).act()
    return people


def recorded(server: FakeServer, client: FakeClient) -> list[object]:
    """Return the words of all lines about the table in the record."""
    return [word for line in notes(server, client) for word in (*line, *line.values())]


@pytest.mark.parametrize("name", MESSAGES)
@pytest.mark.parametrize("role", ["owner", "player", "visitor"])
def test_a_power_is_used_only_by_whom_the_page_names(
    server: FakeServer, name: str, role: str
) -> None:
    """All others agree to what they are asked."""
    allowed, noted = next((who, note) for message, who, note in rows() if message == name)
    anna, bob, chris = running(server)
    client = {"owner": anna, "player": bob, "visitor": server.visit(anna)}[role]
    if name == "resume":
        anna.tell(c.PaceCommand(command="pause"))
    if name == "sit":
        chris.tell(m.Stand())
    before, refused = recorded(server, anna), client.count(t.Refused)
    client.tell(MESSAGES[name])
    is_refused = client.count(t.Refused) > refused
    assert is_refused is (role not in allowed.partition(";")[0])
    for person in (anna, bob, chris):
        if (takeback := anna.state.takeback) is not None and person.viewer in takeback.missing:
            person.tell(m.AnswerTakeback(agrees=True))
        if (newcomer := anna.state.newcomer) is not None and person.viewer in newcomer.missing:
            person.tell(m.AnswerNewcomer(name="Zoe", agrees=True))
    is_recorded = len(recorded(server, anna)) > len(before)
    assert is_recorded is (not is_refused and re.fullmatch("`[a-z]+`", noted) is not None)
    if is_recorded:
        assert noted.strip("`") in recorded(server, anna)[len(before) :]


@pytest.mark.parametrize(
    ("request_", "note"), [("step", "hurried"), ("skip", "hurried"), ("stop", "stopped")]
)
def test_hurrying_a_bot_that_thinks_stands_in_the_record(
    server: FakeServer, request_: c.PaceRequest, note: str
) -> None:
    anna = server.create("gargon", seats=3, bots=["", "", NETWORK])
    people = anna, server.seated(anna)
    anna.tell(m.Start())
    while anna.table_message.view.to_act != 2:
        next(person for person in people if person.table_message.view.choices).act()
    assert anna.table_message.status.thinking is not None
    anna.tell(c.PaceCommand(command=request_))
    assert [line["note"] for line in notes(server, anna)] == [note]
    name = anna.state.seats[0].name
    assert any(line.text.startswith(name) and line.kind == "seating" for line in people[1].log)
