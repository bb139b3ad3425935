"""`cardhub join` on the screen: the waiting room, the table, chat, takebacks, the end."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.kit.table_server import LiveServer, live_server
from tests.tui.online.conftest import Joined, Terminals

from cardhub.base.errors import RemoteError
from cardhub.bots.random_bot import RandomBot
from cardhub.online.remote.remote_client import TRYING_AGAIN
from cardhub.online.remote.table_address import parse_address
from cardhub.online.wire.client_messages import AnswerTakeback, AskTakeback, Replace
from cardhub.play import review
from cardhub.play.table_model import TableModel
from cardhub.plugins.registry import PluginRegistry
from cardhub.tui.online.online_result import OnlineResult
from cardhub.tui.online.waiting_room import WaitingRoom


async def test_a_seat_is_taken_by_a_key_and_the_owner_starts(
    server: LiveServer, terminals: Terminals
) -> None:
    """All see who is there; then comes the table of each."""
    address = server.create("gamon", bots=["", ""])
    async with terminals.join(address, size=(60, 20)) as olga:
        await olga.until_shown("seat 1", "Olga", "you own this table", address.page[:40])
        async with terminals.join(parse_address(address.page)) as guest:
            await guest.until_shown("Olga", "free")
            await guest.press("down", "enter")
            await guest.until_shown("your name: ")
            await guest.press("ctrl+u", *"Bert", "enter")
            await olga.until_shown("Bert")
            await guest.press("s")
            await guest.until_shown("Only the owner of the table can start.")
            await olga.press("s")
            await olga.until_shown("Olga (you)", "Bert")
            await guest.until_shown("Bert (you)", "Olga")


async def test_the_owner_sets_the_table_up(server: LiveServer, terminals: Terminals) -> None:
    """Bots by level, the number of seats, options by arrows or typed."""
    address = server.create("gargon", seats=3, bots=["", "", ""])
    async with terminals.join(address) as olga:
        await olga.until_shown("free")
        await olga.press("down", "right")
        await olga.until_shown("bot beginner")
        await olga.until_shown("Wisp: lays whatever creature is near")
        await olga.press("down", "down", "right")
        await olga.until_shown("4 of 3 to 5")
        await olga.press("tab", "tab", "right")
        await olga.until(lambda: option(olga, "open_winnings") is True)
        await olga.press("down", "down", "enter", "ctrl+u", "2", "enter")
        await olga.until(lambda: option(olga, "start") == 2)


async def test_the_owner_switches_the_chat_and_sets_a_clock(
    server: LiveServer, terminals: Terminals
) -> None:
    address = server.create("kuhn", bots=["", ""])
    async with terminals.join(address) as olga:
        await olga.until_shown("on another device", "chat", "webhook")
        room = next(screen for screen in olga.app.screen_stack if isinstance(screen, WaitingRoom))
        room.point("setting:chat")
        await olga.press("right")
        await olga.until(lambda: olga.client.state and not olga.client.state.has_chat)
        room.point("setting:clock")
        await olga.press("enter", *"5+10", "enter")
        await olga.until(lambda: olga.client.state and olga.client.state.clock == "5+10")
        room.point("link")
        await olga.press("enter")
        await olga.until_shown("#seat=")


def option(joined: Joined, name: str) -> object:
    """Return the value of an option at a table."""
    state = joined.client.state
    assert state is not None
    return next(option.value for option in state.options if option.name == name)


async def test_actions_details_and_undo_are_those_of_a_local_table(
    server: LiveServer, terminals: Terminals
) -> None:
    """Enter acts, the detail shows the consequence, `u` takes back."""
    address = server.create("gargon", seats=3, bots=["", "easy", "easy"])
    async with terminals.join(address) as olga:
        await olga.until_shown("you own this table")
        await olga.press("s")
        await olga.until_shown("YOUR TURN", "Enter: lay")
        before = olga.table.session.view()
        await olga.press("enter")
        await olga.until(lambda: olga.table.session.view().revision > before.revision)
        if olga.table.session.view().can_undo:
            await olga.press("u")
            await olga.until(lambda: olga.table.session.view().choices == before.choices)
        await olga.press("w")
        await olga.until(lambda: olga.table.table.texts.detail)
        await olga.press("question_mark")
        await olga.until_shown("Rules")


async def test_a_refusal_stays_readable_when_the_table_opens_right_after_it(
    server: LiveServer, terminals: Terminals
) -> None:
    address = server.create("gamon", bots=["", "easy"])
    async with terminals.join(address) as olga:
        await olga.until_shown("you own this table")
        await olga.press("s")
        await olga.until_shown("YOUR TURN")
        async with terminals.join(parse_address(address.page), "Bert") as bert:
            await bert.until_shown("Olga's turn", "No seat is free")
            await bert.pilot.pause()
            assert "No seat is free" in bert.text


async def test_a_late_description_does_not_replace_a_notice(
    server: LiveServer, terminals: Terminals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server answers what a card is after it has refused a seat."""
    address = server.create("gamon", bots=["", "easy"])
    late: list[Callable[[str], object]] = []
    async with terminals.join(address) as olga:
        await olga.until_shown("you own this table")
        await olga.press("s")
        await olga.until_shown("YOUR TURN")
        monkeypatch.setattr(
            olga.table.session, "explain", lambda spot, on_text: late.append(on_text)
        )
        await olga.press("right")
        await olga.until(lambda: late)
        olga.app.client.on_notice("no seat is free")
        late[-1]("A Navy card\nOne of 29 cards not seen yet")
        await olga.until_shown("No seat is free")
        await olga.pilot.pause()
        assert "One of 29" not in olga.text


async def test_turns_with_one_choice_are_those_of_the_server(
    server: LiveServer, terminals: Terminals
) -> None:
    """Another device of the same person may have switched them on."""
    address = server.create("gamon", bots=["", "easy"])
    async with terminals.join(address) as olga, terminals.join(address) as phone:
        await olga.until_shown("you own this table")
        await olga.press("s")
        await olga.until_shown("YOUR TURN")
        await phone.until_shown("YOUR TURN")
        await phone.press("F")
        await olga.until(lambda: olga.table.session.table.is_forced)
        await olga.press("F")
        await olga.until_shown("Turns with only one choice now wait for you.")
        await phone.until(lambda: not phone.table.session.table.is_forced)


async def test_chat_is_marked_until_it_is_read(server: LiveServer, terminals: Terminals) -> None:
    address = server.create("gamon", bots=["", ""])
    async with terminals.join_two(address) as (olga, bert):
        await bert.until_shown("you")
        await bert.press("c", *"hello", "enter")
        await olga.until_shown("chat (1 new)", "Bert: hello")
        await olga.press("c")
        await olga.until_shown("Bert: hello", "write")
        await olga.press("escape", "s")
        await olga.until_shown("Olga (you)")
        await bert.press("escape")
        await bert.until_shown("Bert (you)")
        await bert.press("c", "x", "enter")
        await olga.until_shown("chat (1 new)")
        await olga.press("c")
        await olga.until_shown("Bert: x")
        await olga.press("escape")
        await olga.until(lambda: "new)" not in olga.text)


async def test_a_takeback_is_asked_for_and_agreed_to(
    server: LiveServer, terminals: Terminals
) -> None:
    """Where another player has acted since, the others decide about each request."""
    address = server.create("kuhn", bots=["", ""])
    async with terminals.join_two(address) as (olga, bert):
        await olga.press("s")
        await olga.until_shown("YOUR TURN")
        await olga.press("1")
        await bert.until_shown("YOUR TURN")
        await bert.press("2")
        await olga.until_shown("YOUR TURN")
        await olga.press("u")
        await olga.until_asked("Take your last action back?")
        await olga.press("enter")
        await bert.until_asked("Olga asks to take back their last action")
        await bert.press("enter")
        await olga.until(lambda: len(olga.table.session.view().choices) == 2)
        await bert.until(lambda: not bert.table.session.view().choices)
        await olga.until_shown("YOUR TURN")
        # A question about a request that has ended gives way to the next one.
        await olga.press("1")
        await bert.until_shown("YOUR TURN")
        await bert.press("2")
        await olga.until_shown("YOUR TURN")
        olga.client.send(AskTakeback())
        await bert.until_shown("Olga asks to take back their last action")
        bert.client.send(AnswerTakeback(agrees=False, request=2))
        await bert.until(lambda: "Olga asks" not in bert.text)
        olga.client.send(AskTakeback())
        await bert.until_shown("Olga asks to take back their last action")
        assert bert.client.state is not None
        assert bert.client.state.takeback is not None
        assert bert.client.state.takeback.request == 3
        await bert.press("enter")
        await olga.until(lambda: len(olga.table.session.view().choices) == 2)


@pytest.mark.parametrize("is_admitted", [True, False])
async def test_a_visitor_sits_down_in_a_running_game_if_the_others_agree(
    server: LiveServer, terminals: Terminals, *, is_admitted: bool
) -> None:
    """Enter refuses, because it may have been pressed for the table."""
    address = server.create("kuhn", bots=["", ""])
    async with terminals.join(address) as olga:
        await olga.until_shown("you own this table")
        await olga.press("s")
        await olga.until_shown("YOUR TURN")
        async with terminals.join(parse_address(address.page), "Zoe") as zoe:
            await olga.until_asked("Let a visitor sit down?", "Zoe, a visitor, asks to take seat 2")
            # An answer that comes before her table would not stay on it.
            await zoe.until_shown("turn", "Olga · staked")
            assert not zoe.client.is_seated
            await olga.press(*["tab"] * is_admitted, "enter")
            if is_admitted:
                await zoe.until_shown("Zoe (you)")
                await olga.until_shown("Zoe takes ")
            else:
                await zoe.until_shown("You do not get the seat")
                assert not zoe.client.is_seated


def is_at_result(joined: Joined) -> bool:
    """Return whether a terminal shows the result."""
    return isinstance(joined.app.screen, OnlineResult)


async def test_the_end_has_a_result_a_page_and_a_rematch(
    server: LiveServer, terminals: Terminals, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The rematch begins once both wish for it."""
    monkeypatch.chdir(tmp_path)
    address = server.create("kuhn", bots=["", ""])
    async with terminals.join_two(address) as (olga, bert):
        await olga.press("s")
        await olga.until_shown("YOUR TURN")
        await olga.press("1")
        await bert.until_shown("YOUR TURN")
        await bert.press("1")
        for guest in (olga, bert):
            await guest.until(partial(is_at_result, guest))
        await olga.until_shown("rematch", "replay page")
        await olga.press("p")
        await olga.until(lambda: list(tmp_path.glob("replay-*.html")))
        await olga.press("enter")
        await bert.until_shown("Olga wants to play again. Waiting for Bert.")
        await bert.press("enter")
        for guest in (olga, bert):
            await guest.until_shown("Olga", "Bert")
        await olga.until(lambda: not is_at_result(olga) and not is_at_result(bert))
        assert (olga.client.viewer, bert.client.viewer) == (1, 0)


async def test_a_spectator_sees_the_table_without_actions(
    server: LiveServer, terminals: Terminals
) -> None:
    address = server.create("gamon", bots=["", "easy"])
    async with (
        terminals.join(address) as olga,
        terminals.join(parse_address(address.page)) as guest,
    ):
        await guest.until_shown("Olga")
        await olga.until_shown("you own this table")
        await olga.press("s")
        await guest.until_shown("Olga", "turns")
        assert guest.table.session.view().viewer == 2
        await guest.press("t")
        await guest.until_shown("1 watching")
        await guest.press("escape", "q")
        await guest.until(lambda: guest.app.return_code is not None)


async def test_a_lost_connection_is_told_and_comes_back(
    terminals: Terminals, tmp_path: Path
) -> None:
    """The table stays on the screen until then."""
    with live_server(tmp_path / "tables") as server:
        address = server.create("gamon", bots=["", "easy"])
        async with terminals.join(address) as olga:
            await olga.until_shown("you own this table")
            await olga.press("s")
            await olga.until_shown("YOUR TURN")
            server.stop()
            await olga.until_shown(TRYING_AGAIN, "Olga (you)")
            server.start()
            await olga.until_shown("YOUR TURN")
            await olga.until(lambda: TRYING_AGAIN not in olga.text)
            await olga.until_shown("The round is for 1 coin")
            revision = olga.table.session.view().revision
            await olga.press("1")
            await olga.until(lambda: olga.table.session.view().revision > revision)


async def test_a_table_that_is_not_there_ends_the_app(
    server: LiveServer, terminals: Terminals
) -> None:
    async with terminals.join(parse_address(f"{server.origin}/t/nosuch")) as guest:
        await guest.until(lambda: guest.app.return_code is not None)
        assert isinstance(guest.app.return_value, RemoteError)
        assert guest.app.return_code == 1


async def test_the_owner_decides_about_a_failing_bot(
    server: LiveServer, terminals: Terminals, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = server.create("gamon", bots=["", "random"])
    async with (
        terminals.join(address) as olga,
        terminals.join(parse_address(address.page)) as guest,
    ):
        await olga.until_shown("you own this table")
        await olga.press("s")
        await olga.until_shown("YOUR TURN")
        await guest.until_shown("turns")

        def fails(bot: RandomBot, observation: object) -> int:
            raise ZeroDivisionError("planted")

        monkeypatch.setattr(RandomBot, "choose", fails)
        while "failed" not in olga.text:
            await olga.press("1")
            # The dialog may come at any time, and covers the table.
            await olga.until(lambda: "YOUR TURN" in olga.text or "failed" in olga.text)
        await guest.until_shown("The owner of the table decides how to continue.")
        assert "Ask the bot again" not in guest.text
        await olga.until_asked("failed")
        await olga.press("tab", "enter")
        await olga.until(lambda: not olga.table.session.status().fault)
        state = olga.client.state
        assert state is not None
        assert state.seats[1].bot == "easy"


async def test_a_bot_plays_for_a_person_until_they_come_back(
    server: LiveServer, terminals: Terminals
) -> None:
    """The key is `b`; until then a notice says that a bot plays."""
    address = server.create("gamon", bots=["", ""])
    async with terminals.join_two(address) as (olga, bert):
        await olga.press("s")
        await olga.until_shown("Olga (you)")
        await bert.until_shown("Bert (you)")
        olga.client.send(Replace(seat=1, bot="easy"))
        await bert.until_shown("A bot is playing for you. Press b to play yourself.")
        await bert.press("b")
        await bert.until(lambda: "A bot is playing for you" not in bert.text)
        state = bert.client.state
        assert state is not None
        assert (state.seats[1].name, state.seats[1].replaced_person) == ("Bert", "")


def take_first_choice(model: TableModel) -> None:
    """Act as a person who sees the model's view."""
    view = model.view()
    model.act(view.choices[0].action, view.revision, print)


async def test_a_costly_move_is_taken_again_and_played_on_from_the_result(
    server: LiveServer, terminals: Terminals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PluginRegistry, "default_hint", lambda *_: "ismcts:iterations=8")
    monkeypatch.setattr(review, "sure_loss", lambda *_: 1.0)  # every decision cost something
    address = server.create("four_piles", seats=2, bots=["", "random"])
    async with terminals.join(address) as olga:
        await olga.until_shown("you own this table")
        await olga.press("s")
        await olga.until_shown("YOUR TURN")
        model = olga.client.model
        assert model is not None
        while not model.view().is_over:
            if model.view().choices:
                take_first_choice(model)
            await olga.pilot.pause()
        await olga.until(partial(is_at_result, olga))
        await olga.press("a")
        await olga.until_shown("go there")
        await olga.press("1")
        await olga.until_shown("In the game you chose", "Choose again.")
        await olga.press("enter")
        practice = olga.client.practice.model
        assert practice is not None
        take_first_choice(practice)
        await olga.until_shown("Your new choice", "You chose ")
        await olga.press("enter", "q")
        await olga.until(partial(is_at_result, olga))
        await olga.until(lambda: olga.client.practice.model is None)
