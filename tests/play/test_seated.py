"""Bots sit down, are asked and are closed when their game is over or left."""

from random import Random
from typing import Any

import pytest
from tests.kit.scripted_bot import ScriptedBot

from cardhub.base.errors import (
    BotExceptionError,
    BotIllegalError,
    BotTimeoutError,
    IllegalActionError,
    PluginError,
)
from cardhub.bots import Bot
from cardhub.model.hidden.observation import Observation
from cardhub.play.advice import public_fault
from cardhub.play.seating import Player
from cardhub.play.setup import ask_to_act, closing, let_bot_act, seated, set_up
from cardhub.plugins.registry import find_plugins
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon

from .conftest import finish


class Holder(ScriptedBot):
    """Records that it was closed."""

    def __init__(self, *answers: object, failure: Exception | None = None) -> None:
        super().__init__(*answers)
        self._failure = failure
        self.closed = 0

    def close(self) -> None:
        """Count the call, or fail after it."""
        self.closed += 1
        if self._failure:
            raise self._failure


def table(*kinds: str) -> Any:
    """Return a game of Gargon between players of these kinds."""
    players = [Player(name, kind) for name, kind in zip("ABC", kinds, strict=True)]
    referee = set_up(Gargon(), players, {}, 1)
    referee.proceed()
    return referee


def test_every_seat_that_is_not_a_persons_gets_a_bot() -> None:
    with seated(find_plugins(), table("human", "random", "rule")) as bots:
        assert {seat: type(bot).__name__ for seat, bot in bots.items()} == {
            1: "RandomBot",
            2: "RuleOfThumb",
        }


def test_bots_are_closed_once_the_game_is_left() -> None:
    bots: dict[int, Bot] = {0: Holder(), 1: Holder()}
    with closing(bots):
        assert [vars(bot)["closed"] for bot in bots.values()] == [0, 0]
    assert [vars(bot)["closed"] for bot in bots.values()] == [1, 1]


def test_bots_are_closed_when_the_game_breaks_off() -> None:
    """The exception of the block is raised, not the exception of closing."""
    bots: dict[int, Bot] = {0: Holder(failure=ValueError("shut")), 1: Holder()}
    with pytest.raises(KeyboardInterrupt), closing(bots):
        raise KeyboardInterrupt
    assert vars(bots[1])["closed"] == 1


def test_bots_made_before_one_that_cannot_be_are_closed() -> None:
    """No other code has a reference to them."""
    registry, made = find_plugins(), list[Holder]()

    def make(spec: str, game: str, rng: Random) -> Bot:
        if made:
            raise PluginError("no more")
        made.append(Holder())
        return made[0]

    registry.make_bot = make  # type: ignore[method-assign]  # a registry with strange bots
    with (
        pytest.raises(PluginError, match="no more"),
        seated(registry, table("random", "random", "rule")),
    ):
        raise AssertionError
    assert made[0].closed == 1


def test_a_bot_that_cannot_be_closed_is_at_fault() -> None:
    """The others are closed all the same."""
    bots: dict[int, Bot] = {0: Holder(failure=ValueError("shut")), 1: Holder()}
    failed = pytest.raises(
        BotExceptionError, match="Holder cannot be closed: it raised an exception"
    )
    with failed, closing(bots):
        pass
    assert vars(bots[1])["closed"] == 1


def test_a_bot_without_a_method_for_it_need_not_be_closed() -> None:
    """Most bots hold no resources; the others are closed all the same."""

    class Plain:
        def choose(self, observation: Observation[Any], /) -> int:
            return 0

    bots: dict[int, Bot] = {0: Plain(), 1: Holder()}
    with closing(bots):
        pass
    assert vars(bots[1])["closed"] == 1


def test_an_exception_of_a_bot_is_a_fault_with_its_traceback() -> None:
    """The message is for its author; players see only whose bot it is."""
    referee = table("random", "random", "random")
    with pytest.raises(BotExceptionError, match="ValueError: hm") as caught:
        let_bot_act(referee, Holder(ValueError("hm")))
    assert (
        public_fault(referee.players[0], caught.value) == "the bot A (random) raised an exception"
    )
    with pytest.raises(BotExceptionError) as caught:
        ask_to_act(table("random", "random", "random"), Holder(ValueError("hm")))
    assert "in choose" in caught.value.details


def test_an_illegal_answer_is_a_fault_with_the_answer() -> None:
    referee = table("random", "random", "random")
    with pytest.raises(BotIllegalError, match=r"action -7 is not legal\. Legal: lay ") as caught:
        let_bot_act(referee, Holder(-7))
    assert caught.value.answer == -7
    text = public_fault(referee.players[0], caught.value)
    assert text == "the bot A (random) answered with an illegal action"
    assert referee.observe(0).history == ()


def test_a_fault_that_a_bot_raises_itself_keeps_its_kind() -> None:
    fault = BotTimeoutError("no answer", details="ticking")
    with pytest.raises(BotTimeoutError, match="no answer") as caught:
        let_bot_act(table("random", "random", "random"), Holder(fault))
    assert caught.value.details == "ticking"


def test_asking_a_bot_does_not_change_the_state() -> None:
    referee = table("random", "random", "random")
    legal = referee.observe(0).legal()
    assert ask_to_act(referee, Holder(legal[1])) == legal[1]
    assert referee.observe(0).history == ()


def test_no_bot_is_asked_after_the_end_or_instead_of_chance() -> None:
    """It would get an all-seeing observation, because the number is not a seat."""
    bot = ScriptedBot(AssertionError("asked"), AssertionError("asked"))
    players = [Player("A", "random"), Player("B", "random")]
    referee = set_up(Gamon(), players, {"first_attacker": "random"}, 1)
    with pytest.raises(IllegalActionError, match="chance is to act"):
        let_bot_act(referee, bot)
    referee.proceed()
    finish(referee)
    with pytest.raises(IllegalActionError, match="the game is over"):
        let_bot_act(referee, bot)
