"""Bots of a served table: a slow language model keeps no other table waiting."""

from queue import SimpleQueue
from typing import Any

import pytest
from tests.kit.model_server import running_server
from tests.kit.waiting import PATIENCE, wait_until

from cardhub.bots.language.entry import USUAL, offered_spec
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import set_up
from cardhub.play.workers.bot_messages import bots_of
from cardhub.play.workers.pool.bot_pool import BotPool
from cardhub.play.workers.table_client import TableClient
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()


def dealt(bot: str) -> Referee[Any]:
    """Return a game of Kuhn poker in which one kind of bot has both seats."""
    referee = set_up(REGISTRY.game("kuhn"), [Player(name, bot) for name in NAMES[:2]], {}, seed=1)
    referee.proceed()
    return referee


def ask(client: TableClient, referee: Referee[Any]) -> SimpleQueue[Any]:
    """Ask the bot of the seat to act; return where its answer arrives."""
    answers = SimpleQueue[Any]()
    client.ask(referee.observe(referee.seat), answers.put)
    return answers


def test_a_slow_model_takes_no_worker_of_the_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its process knows the model that the host has set up, and ends with the table."""
    pool = BotPool(REGISTRY.directories, 1)
    with running_server() as models:
        models.open.clear()
        monkeypatch.setenv(USUAL, f"m,url={models.url}")
        slow, quick = dealt(offered_spec()), dealt("random")
        table = TableClient(bots_of(slow, REGISTRY), REGISTRY, pool)
        other = TableClient(bots_of(quick, REGISTRY), REGISTRY, pool)
        try:
            waiting = ask(table, slow)
            wait_until(lambda: models.requests)
            action = ask(other, quick).get(timeout=PATIENCE)
            assert action in quick.observe(quick.seat).legal()
            assert waiting.empty()
        finally:
            table.close()
            other.close()
            pool.close()
        wait_until(lambda: models.abandoned)


def test_a_dropped_turn_of_a_model_ends_its_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the next bot of the table would wait for an answer that is dropped."""
    pool = BotPool(REGISTRY.directories, 1)
    with running_server() as models:
        monkeypatch.setenv(USUAL, f"m,url={models.url}")
        referee = dealt(offered_spec())
        table = TableClient(bots_of(referee, REGISTRY), REGISTRY, pool)
        try:
            models.open.clear()
            ask(table, referee)
            wait_until(lambda: models.requests)
            table.hurry()
            wait_until(lambda: models.abandoned)
            models.open.set()
            action = ask(table, referee).get(timeout=PATIENCE)
            assert action in referee.observe(referee.seat).legal()
        finally:
            table.close()
            pool.close()
