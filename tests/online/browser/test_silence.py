"""A connection that stays open but silent, for example after a laptop was closed."""

import re
from typing import Any

from playwright.sync_api import expect
from tests.online.browser.visitors import LEGAL, Visitors, join, make_table, play_one, start


def test_forty_seconds_of_silence_are_a_lost_connection(people: Visitors) -> None:
    """The page reconnects and shows the actions that it missed."""
    anna = make_table(people, "kuhn")
    bob = join(people, anna)
    start(anna, bob)
    stalled: list[bool] = []

    def relay(socket: Any) -> None:
        server = socket.connect_to_server()
        is_first = not stalled
        server.on_message(lambda text: (is_first and stalled) or socket.send(text))

    bob.route_web_socket(re.compile("/ws/"), relay)
    bob.clock.install()
    bob.reload()
    bob.locator(".ch-table").wait_for()
    stalled.append(True)
    play_one(anna)
    expect(bob).to_have_title("Kuhn poker · cardhub")
    bob.clock.fast_forward(41_000)
    expect(bob).to_have_title("● Your turn · Kuhn poker")


def test_a_choice_whose_answer_is_lost_counts_once(people: Visitors) -> None:
    """The server applied the action; the page reconnects, shows it and does not send it again."""
    anna = make_table(people, "kuhn")
    bob = join(people, anna)
    start(anna, bob)
    routes: list[Any] = []
    acts: list[str | bytes] = []

    def relay(socket: Any) -> None:
        server, is_first = socket.connect_to_server(), not routes
        routes.append(socket)

        def pass_on(text: str | bytes) -> None:
            acts.extend([text] if '"act"' in str(text) else [])
            server.send(text)

        socket.on_message(pass_on)
        server.on_message(lambda text: (is_first and acts) or socket.send(text))

    anna.route_web_socket(re.compile("/ws/"), relay)
    anna.reload()
    anna.locator(LEGAL).first.click()
    expect(bob).to_have_title("● Your turn · Kuhn poker")
    anna.locator(
        LEGAL
    ).first.click()  # the view is still the old one, and its choice was sent already
    routes[0].close()
    expect(anna).to_have_title("Kuhn poker · cardhub")
    expect(anna.locator(".ch-log-line")).to_have_count(1)
    assert len(acts) == 1


def test_two_clicks_on_undo_take_one_action_back(people: Visitors) -> None:
    """The second click comes before the answer to the first click."""
    anna = make_table(people, "gargon")
    start(anna)
    anna.locator(LEGAL).first.click()
    anna.locator(".ch-undo").wait_for()
    sent = anna.evaluate("""() => {
        let count = 0;
        const send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (text) {
            count += text.includes('"undo"');
            send.call(this, text);
        };
        const undo = document.querySelector(".ch-undo");
        undo.click();
        undo.click();
        return count;
    }""")
    assert sent == 1
    expect(anna.locator(".ch-undo")).to_have_count(0)
