"""The main loop of a worker process of a search."""

import gc
import os
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from random import Random
from threading import Thread
from typing import Any, NoReturn, TypeAlias

from cardhub.bots.processes.frames import frame, take_pipes, write_all
from cardhub.bots.search.search_bot import SearchBot
from cardhub.bots.search.search_budget import BudgetUse, SearchBudget
from cardhub.bots.search.workers.search_messages import (
    NewSearcher,
    Searched,
    SearchFailed,
    SearchOrder,
    StopSearch,
    WorkerReady,
    WorkerReply,
    read_worker_order,
)
from cardhub.errors.quoting import describe_exception
from cardhub.game.game import Game
from cardhub.hidden.serialization import deserialize

Searcher: TypeAlias = tuple[Game[Any], SearchBot]
# Returns a game by its name, and a new bot for it by its spec.
MakeSearcher: TypeAlias = Callable[[str, str, Random], Searcher]


class SearchLoop:
    """Searches in the main thread, while a second thread receives messages."""

    def __init__(self, make: MakeSearcher) -> None:
        self._make = make
        self._input, self._output = take_pipes()
        self._orders: SimpleQueue[NewSearcher | tuple[SearchOrder, BudgetUse]] = SimpleQueue()
        self._number = 0
        self._use = BudgetUse(0, 0)
        self._new: NewSearcher | None = None
        self._searcher: Searcher | None = None

    def run(self) -> NoReturn:
        """Answer orders; the process exits at the end of its input."""
        Thread(target=self._listen, daemon=True).start()
        gc.freeze()  # collections need not look at what stays
        self._send(WorkerReady())
        while True:
            order = self._orders.get()
            if isinstance(order, NewSearcher):
                self._new, self._searcher = order, None
            else:
                self._send(self._reply(*order))

    def _reply(self, order: SearchOrder, use: BudgetUse) -> WorkerReply:
        try:
            game, bot = self._made()
            rated = bot.search(deserialize(game, order.packed), order.actions, use)
            return Searched(order.number, [each[:3] for each in rated])
        except BaseException as error:  # noqa: BLE001  # of a game's code, which may raise any
            message = f"a worker process of the search failed: {describe_exception(error)}"
            return SearchFailed(order.number, message, traceback.format_exc())

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

    def _hear(self, order: NewSearcher | SearchOrder | StopSearch) -> None:
        if isinstance(order, StopSearch):
            if order.number == self._number:
                self._use.stop()
        elif isinstance(order, NewSearcher):
            self._orders.put(order)
        else:
            self._use.stop()  # the order before is superseded
            self._number = order.number
            self._use = SearchBudget(order.iterations, order.milliseconds).begin()
            self._orders.put((order, self._use))
