"""A connection that stays open but silent, as after a network has failed or a laptop was closed."""

import re
from typing import Any

from playwright.sync_api import expect
from tests.browser.online.people import Visitors, join, make_table, play_one, start


def test_forty_seconds_of_silence_are_a_lost_connection(people: Visitors) -> None:
    """The page connects again, and then shows what was done meanwhile."""
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
