"""A hasty bot: it plays like another bot, but takes any action in a share of its decisions."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from tests.kit.scripted_bot import ScriptedBot

from cardhub.bots.hasty_bot import HastyBot
from cardhub.model.hidden.observation import Observation
from cardhub.plugins.registry import PluginRegistry

DECISIONS = 400


class Thinker(ScriptedBot):
    """Takes the last legal action, and notes when it is interrupted or closed."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[str] = []

    def choose(self, observation: Observation[Any], /) -> int:
        """Return the last legal action."""
        return observation.legal()[-1]

    def interrupt(self) -> None:
        """Note the call."""
        self.calls.append("interrupt")

    def close(self) -> None:
        """Note the call."""
        self.calls.append("close")


@pytest.mark.parametrize(("slips", "least", "most"), [(0, 1, 1), (50, 0.7, 0.8), (100, 0.45, 0.55)])
def test_it_takes_any_action_in_a_share_of_its_decisions(
    seen: Observation[Any], slips: int, least: float, most: float
) -> None:
    """Of two legal actions, half of the slips are the action of the other bot."""
    bot = HastyBot(Random(1), slips, lambda _: Thinker())
    last = seen.legal()[-1]
    share = sum(bot.choose(seen) == last for _ in range(DECISIONS)) / DECISIONS
    assert least <= share <= most


def test_the_other_bot_has_its_own_generator(seen: Observation[Any]) -> None:
    """With any number of slips, the other bot is the same."""
    numbers: list[float] = []

    def player(rng: Random) -> ScriptedBot:
        numbers.append(rng.random())
        return Thinker()

    for slips in (0, 100):
        HastyBot(Random(1), slips, player).choose(seen)
    assert numbers[0] == numbers[1]


@pytest.mark.parametrize(
    ("player", "calls"), [(Thinker, ["interrupt", "close"]), (ScriptedBot, None)]
)
def test_the_other_bot_is_interrupted_and_closed_if_it_can_be(
    player: Callable[[], Any], calls: list[str] | None
) -> None:
    other = player()
    bot = HastyBot(Random(1), 50, lambda _: other)
    bot.interrupt()
    bot.close()
    assert getattr(other, "calls", None) == calls


def test_a_hasty_bot_plays_with_any_bot_of_the_game(registry: PluginRegistry) -> None:
    spec = "hasty:30,player=rule"
    assert registry.settings_of(spec, "gamon")["slips"] == 30
    assert [part.entry.name for part in registry.parts(spec, "gamon")] == ["hasty", "rule"]
