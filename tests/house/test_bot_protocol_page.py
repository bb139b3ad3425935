"""The page on the bot protocol is complete."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.kit.paths import ROOT

from cardhub.base.errors import BotFaultError
from cardhub.bots import CMD
from cardhub.bots.external.turn_messages import game_message, turn_message
from cardhub.model.hidden.observation import Observation
from cardhub.plugins.registry import find_plugins
from cardhub.testing.random_play import default_trial, play

PAGE = (ROOT / "docs" / "bot-protocol.md").read_text("utf-8")
ROWS = "\n".join(line for line in PAGE.splitlines() if line[:1] == "|" or "seen_by" in line)
# Names below these are chosen by games.
OWN_NAMES = {"options", "values", "fields"}


def keys(value: Any) -> Iterator[str]:
    """Yield all keys of a message that the protocol itself names."""
    if isinstance(value, list):
        for item in value:
            yield from keys(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            inner = list(item.values()) if key == "zones" and isinstance(item, dict) else item
            yield from () if key in OWN_NAMES else keys(inner)


@pytest.mark.parametrize("name", find_plugins().game_names())
def test_every_key_of_a_message_is_explained(name: str) -> None:
    game = find_plugins().game(name)
    for position in play(game, default_trial(game, game.seats.default, 1)):
        seat = position.state.seat
        if seat < 0 or position.number % 9 > 1:  # some of them, first of all the first
            continue
        seen = Observation(game, position.state, seat, position.history)
        messages = [game_message(seen, 1), turn_message(seen, None, 1)]
        assert {key for key in keys(messages) if not re.search(rf'[`"]{key}[`"]', ROWS)} == set()


def test_every_fault_is_explained() -> None:
    """The page has each fault by its word in the code."""
    words = {kind.fault for kind in BotFaultError.__subclasses__()}
    assert set(re.findall(r"^\| `(\w+)` \| ", PAGE, re.MULTILINE)) >= words


def test_every_option_is_explained() -> None:
    """The page has each option with its default."""
    for name, option in CMD.options.items():
        if name != "command":
            assert f"| `{name}` | {option.default or 'none'} |" in PAGE
