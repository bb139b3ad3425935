"""The main loop of a search's worker process."""

import gc
import os
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from random import Random
from sys import setswitchinterval
from threading import Thread
from typing import Any, NoReturn, TypeAlias

from cardhub.base.errors import BotExceptionError
from cardhub.base.errors.quoting import describe_exception
from cardhub.bots.processes.python_process import Channel, Hurry, Ready, build_failed
from cardhub.bots.search.search_bot import SearchBot
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.bots.search.workers.tree_exchange import (
    ORDER_DECODER,
    NewSearcher,
    SearchOrder,
    TreeChanges,
    TreeExchange,
    TreeUpdate,
    WorkerOrder,
    WorkerReply,
    in_rounds,
)
from cardhub.model.game.game import Game
from cardhub.model.hidden.serialization import deserialize

Searcher: TypeAlias = tuple[Game[Any], SearchBot]
# A function that returns the game of a name, and a new bot for it by its spec.
MakeSearcher: TypeAlias = Callable[[str, str, Random], Searcher]


# Python's thread switch interval in seconds: the receiving thread must not wait longer.
SWITCH_INTERVAL = 0.0005


class WorkerSearch:
    """One search of a worker, from an order to the reply."""

    def __init__(self, order: SearchOrder, send: Callable[[WorkerReply], None]) -> None:
        self._order = order
        self._send = send
        self._budget = SearchBudget(order.iterations, order.milliseconds)
        self._use = self._budget.begin()
        self._updates: SimpleQueue[TreeChanges | None] = SimpleQueue()

    def add_changes(self, changes: TreeChanges) -> None:
        """Store the bot's changes for the next exchange; any thread may call this."""
        self._updates.put(changes)

    def stop(self) -> None:
        """Stop the search; any thread may call this."""
        self._use.stop()
        self._updates.put(None)

    def reply(self, make: Callable[[], Searcher]) -> WorkerReply:
        """Search, and return the last reply."""
        try:
            return self._run(*make())
        except BaseException as error:  # noqa: BLE001  # a game's code may raise any exception
            message = f"a worker process of the search failed: {describe_exception(error)}"
            return build_failed(
                self._order.number, BotExceptionError.fault, message, traceback.format_exc()
            )

    def _run(self, game: Game[Any], bot: SearchBot) -> TreeUpdate:
        order = self._order
        observation = deserialize(game, order.packed)
        tree = bot.tree_for(observation, order.actions)
        tree.reset(observation)  # the order contains the bot's complete tree
        exchange = TreeExchange(tree)
        exchange.add(order.tree)
        swap = partial(self._swap, exchange)
        iterations = in_rounds(self._use.spend(), tree, self._budget, swap)
        bot.grow(tree, observation, order.actions, iterations)
        return TreeUpdate(order.number, exchange.changes(), is_last=True)

    def _swap(self, exchange: TreeExchange) -> None:
        self._send(TreeUpdate(self._order.number, exchange.changes()))
        # With a number of iterations, wait for the bot's changes, to exchange the same ones in
        # every run.
        is_waiting = not self._order.milliseconds
        with suppress(Empty):
            while (changes := self._updates.get(is_waiting)) is not None:
                exchange.add(changes)
                if is_waiting:
                    break


class SearchLoop:
    """A loop that searches in the main thread, while a second thread receives messages."""

    def __init__(self, make: MakeSearcher) -> None:
        self._make = make
        self._channel = Channel(ORDER_DECODER)
        self._orders: SimpleQueue[NewSearcher | WorkerSearch] = SimpleQueue()
        self._number = 0
        self._search: WorkerSearch | None = None
        self._new: NewSearcher | None = None
        self._searcher: Searcher | None = None

    def run(self) -> NoReturn:
        """Answer orders; the process exits at the end of its input."""
        Thread(target=self._listen, daemon=True).start()
        setswitchinterval(SWITCH_INTERVAL)
        gc.freeze()  # exclude the permanent objects from collections
        self._channel.send(Ready(0))
        while True:
            order = self._orders.get()
            if isinstance(order, NewSearcher):
                self._new, self._searcher = order, None
            else:
                self._channel.send(order.reply(self._get_searcher))

    def _get_searcher(self) -> Searcher:
        # Created when it is first needed, because an error is sent as the reply to an order.
        if self._searcher is None:
            assert self._new is not None  # NewSearcher precedes all orders
            new = self._new
            self._searcher = self._make(new.game, new.spec, Random(new.seed))
        return self._searcher

    def _listen(self) -> None:
        with suppress(Exception):  # a broken pipe also ends the input
            while (order := self._channel.receive()) is not None:
                self._on_order(order)
        os._exit(0)  # the main thread may be searching

    def _on_order(self, order: WorkerOrder) -> None:
        if isinstance(order, NewSearcher):
            self._orders.put(order)
        elif isinstance(order, SearchOrder):
            if self._search is not None:
                self._search.stop()  # the new order supersedes it
            self._number = order.number
            self._search = WorkerSearch(order, self._channel.send)
            self._orders.put(self._search)
        elif order.number == self._number and self._search is not None:
            if isinstance(order, Hurry):
                self._search.stop()
            else:
                self._search.add_changes(order.changes)
