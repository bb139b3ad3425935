"""The main loop of a worker process of a search."""

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

from cardhub.base.errors.quoting import describe_exception
from cardhub.bots.processes.child_process import frame, take_pipes, write_all
from cardhub.bots.search.search_bot import SearchBot
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.bots.search.workers.search_messages import (
    NewSearcher,
    Searched,
    SearchFailed,
    SearchOrder,
    StopSearch,
    TreeUpdate,
    WorkerOrder,
    WorkerReady,
    WorkerReply,
    read_worker_order,
)
from cardhub.bots.search.workers.tree_exchange import TreeChanges, TreeExchange, in_rounds
from cardhub.model.game.game import Game
from cardhub.model.hidden.serialization import deserialize

Searcher: TypeAlias = tuple[Game[Any], SearchBot]
# Returns a game by its name, and a new bot for it by its spec.
MakeSearcher: TypeAlias = Callable[[str, str, Random], Searcher]


# Seconds until the thread that receives messages gets its turn.
SWITCH_INTERVAL = 0.0005


class WorkerSearch:
    """One search of a worker, from an order to the reply."""

    def __init__(self, order: SearchOrder, send: Callable[[WorkerReply], None]) -> None:
        self._order = order
        self._send = send
        self._budget = SearchBudget(order.iterations, order.milliseconds)
        self._use = self._budget.begin()
        self._updates: SimpleQueue[TreeChanges | None] = SimpleQueue()

    def heard(self, changes: TreeChanges) -> None:
        """Keep what the bot has found for the next exchange; called from any thread."""
        self._updates.put(changes)

    def stop(self) -> None:
        """Stop the search; called from any thread."""
        self._use.stop()
        self._updates.put(None)

    def reply(self, make: Callable[[], Searcher]) -> WorkerReply:
        """Search, and return the last reply."""
        try:
            return self._searched(*make())
        except BaseException as error:  # noqa: BLE001  # of a game's code, which may raise any
            message = f"a worker process of the search failed: {describe_exception(error)}"
            return SearchFailed(self._order.number, message, traceback.format_exc())

    def _searched(self, game: Game[Any], bot: SearchBot) -> Searched:
        order = self._order
        observation = deserialize(game, order.packed)
        tree = bot.tree_for(observation, order.actions)
        tree.reset(observation)  # the bot sends its own one, in which all is
        exchange = TreeExchange(tree)
        exchange.add(order.tree)
        swap = partial(self._swap, exchange)
        iterations = in_rounds(self._use.spend(), tree, self._budget, swap)
        bot.grow(tree, observation, order.actions, iterations)
        return Searched(order.number, exchange.changes())

    def _swap(self, exchange: TreeExchange) -> None:
        self._send(TreeUpdate(self._order.number, exchange.changes()))
        # With a number of iterations, the same ones are exchanged each time.
        is_waiting = not self._order.milliseconds
        with suppress(Empty):
            while (changes := self._updates.get(is_waiting)) is not None:
                exchange.add(changes)
                if is_waiting:
                    break


class SearchLoop:
    """Searches in the main thread, while a second thread receives messages."""

    def __init__(self, make: MakeSearcher) -> None:
        self._make = make
        self._input, self._output = take_pipes()
        self._orders: SimpleQueue[NewSearcher | WorkerSearch] = SimpleQueue()
        self._number = 0
        self._search: WorkerSearch | None = None
        self._new: NewSearcher | None = None
        self._searcher: Searcher | None = None

    def run(self) -> NoReturn:
        """Answer orders; the process exits at the end of its input."""
        Thread(target=self._listen, daemon=True).start()
        setswitchinterval(SWITCH_INTERVAL)
        gc.freeze()  # collections need not look at what stays
        self._send(WorkerReady())
        while True:
            order = self._orders.get()
            if isinstance(order, NewSearcher):
                self._new, self._searcher = order, None
            else:
                self._send(order.reply(self._made))

    def _made(self) -> Searcher:
        # Not before it is asked, so that an error has an order to be the reply to.
        if self._searcher is None:
            assert self._new is not None  # it comes before all orders
            new = self._new
            self._searcher = self._make(new.game, new.spec, Random(new.seed))
        return self._searcher

    def _send(self, reply: WorkerReply) -> None:
        write_all(self._output, frame(reply))

    def _listen(self) -> None:
        with suppress(Exception):  # a broken pipe ends the input, too
            while (order := read_worker_order(partial(os.read, self._input))) is not None:
                self._hear(order)
        os._exit(0)  # the main thread may be searching

    def _hear(self, order: WorkerOrder) -> None:
        if isinstance(order, NewSearcher):
            self._orders.put(order)
        elif isinstance(order, SearchOrder):
            if self._search is not None:
                self._search.stop()  # the order before is superseded
            self._number = order.number
            self._search = WorkerSearch(order, self._send)
            self._orders.put(self._search)
        elif order.number == self._number and self._search is not None:
            if isinstance(order, StopSearch):
                self._search.stop()
            else:
                self._search.heard(order.changes)
