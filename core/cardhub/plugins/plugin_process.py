"""Third-party plugins in processes of their own, which answer for them.

The process of a referee must not import a plugin that brings only bots: its code could change the
rules. Each such plugin is imported by one child process, in the sandbox if there is one, which
describes its bots and answers questions on their settings.
"""

import os
import weakref
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock
from typing import NoReturn, TypeAlias

from msgspec import msgpack

from cardhub.base.errors import PluginError
from cardhub.base.errors.quoting import describe_exception
from cardhub.bots.deadline import get_within
from cardhub.bots.processes.child_process import ChildProcess, FrameError
from cardhub.bots.processes.launch import Confinement, processors
from cardhub.bots.processes.python_process import (
    Channel,
    Failed,
    build_failed,
    frame_codec,
    start_python,
)
from cardhub.bots.processes.sandbox import Sandbox, python_files
from cardhub.model.table.settings import Value
from cardhub.plugins.described_bots import (
    DescribedPlugin,
    EntryAnswer,
    EntryQuestion,
    answer_question,
    describe_plugin,
    stand_in,
)
from cardhub.plugins.discovery import Declaration, declare_plugins
from cardhub.plugins.groups import PLUGINS
from cardhub.plugins.loading import Plugin, load
from cardhub.plugins.validation import validate_plugin

Reply = DescribedPlugin | EntryAnswer | Failed
PluginChild: TypeAlias = ChildProcess[EntryQuestion, Reply]

# Maximum size of a message from a plugin's process, in bytes.
LONGEST = 1 << 20
# Time limits in seconds: for an import together with the start of its process, and for an answer.
IMPORT_SECONDS = 60.0
ANSWER_SECONDS = 15.0
# Hooks whose objects are described.
DESCRIBED_HOOKS = ("register_bots", "register_collections")

REPLY_CODEC = frame_codec(msgpack.Decoder(Reply), LONGEST)
QUESTION_DECODER = msgpack.Decoder(EntryQuestion)


def serve(directories: Sequence[str], name: str, value: str) -> NoReturn:
    """Import one plugin, describe it, and answer questions until the end of the input."""
    channel = Channel(QUESTION_DECODER)
    try:
        plugin = _import_plugin(declare_plugins(map(Path, directories)), name, value)
        channel.send(describe_plugin(plugin))
    except BaseException as error:  # noqa: BLE001  # a plugin may raise anything
        channel.send(_failed(error))
        os._exit(0)
    while (question := channel.receive()) is not None:
        try:
            channel.send(answer_question(plugin, question))
        except BaseException as error:  # noqa: BLE001  # a plugin may raise anything
            channel.send(_failed(error))
    os._exit(0)


def _import_plugin(declared: Sequence[Declaration], name: str, value: str) -> Plugin:
    wanted = (PLUGINS, name, value)
    declaration = next(d for d in declared if (d.group, d.name, d.value) == wanted)
    plugin = load(declaration)
    validate_plugin(plugin, declared)
    return plugin


def _failed(error: BaseException) -> Failed:
    text = str(error) if isinstance(error, PluginError) else describe_exception(error)
    return build_failed(0, "", text, "")


class PluginProcesses:
    """The processes of third-party plugins, started when they are needed.

    `directories`: the folders of plugins. A plugin that ends its process, or that does not answer
    in time, is broken; the others are not affected.
    """

    def __init__(self, directories: Iterable[Path], sandbox: Sandbox | None = None) -> None:
        self._directories = tuple(directories)
        self._sandbox = sandbox
        self._running: dict[Declaration, _PluginProcess] = {}
        self._lock = Lock()  # several plugins are imported at a time
        weakref.finalize(self, _end_all, self._running, os.getpid())

    def describe(self, declared: Sequence[Declaration]) -> list[Plugin | PluginError]:
        """Return the plugins built from what their processes describe, or their errors."""
        number = max(1, min(processors(), len(declared)))
        with ThreadPoolExecutor(number) as threads:
            return list(threads.map(self._describe, declared))

    def close(self) -> None:
        """End all processes; they start again when they are needed."""
        _end_all(self._running, os.getpid())

    def _describe(self, declared: Declaration) -> Plugin | PluginError:
        if not any(map(declared.may_have, DESCRIBED_HOOKS)):
            return stand_in(declared, DescribedPlugin((), {}), lambda question: None)
        try:
            described = self._process(declared).described
            return stand_in(declared, described, lambda question: self._ask(declared, question))
        except PluginError as error:
            return error

    def _ask(self, declared: Declaration, question: EntryQuestion) -> Value | None:
        return self._process(declared).ask(question)

    def _process(self, declared: Declaration) -> "_PluginProcess":
        with self._lock:
            process = self._running.get(declared)
        if process is None:
            process = _PluginProcess(declared, self._directories, self._sandbox)
            with self._lock:
                self._running[declared] = process
        return process


class _PluginProcess:
    """A child process that has imported one plugin; raises PluginError."""

    def __init__(
        self, declared: Declaration, directories: Sequence[Path], sandbox: Sandbox | None
    ) -> None:
        self._declared = declared
        self._replies: SimpleQueue[Reply | str] = SimpleQueue()
        source = declared.source()
        files = (*directories, *([source] if source else []))
        readable = (*python_files(), *files) if sandbox else ()
        try:
            self._child: PluginChild = start_python(
                f"{__name__}:{serve.__name__}",
                [[os.fspath(path) for path in directories], declared.name, declared.value],
                REPLY_CODEC,
                lambda _, reply: self._replies.put(reply),
                self._on_exit,
                Confinement(sandbox=sandbox, readable=readable),
            )
        except OSError as error:
            reason = f"no process can be started for it: {error.strerror}"
            raise PluginError(f"{declared} cannot be asked: {reason}") from error
        try:
            described = self._reply("cannot be imported", IMPORT_SECONDS)
            if not isinstance(described, DescribedPlugin):
                raise self._broken("cannot be imported", "its process sent an unexpected message")
        except PluginError:
            self._child.kill()
            self._child.reap()
            raise
        self.described = described

    def ask(self, question: EntryQuestion) -> Value | None:
        """Return the answer to a question; raises PluginError."""
        self._child.send(question)
        answer = self._reply("cannot be asked for a bot", ANSWER_SECONDS)
        if not isinstance(answer, EntryAnswer):
            reason = "its process sent an unexpected message"
            raise self._broken("cannot be asked for a bot", reason)
        return answer.value

    def end(self) -> None:
        """End the process."""
        self._child.end()

    def close_input(self) -> None:
        """Close the input of the process, which then ends."""
        self._child.close_input()

    def _reply(self, failure: str, limit: float) -> DescribedPlugin | EntryAnswer:
        try:
            reply = get_within(self._replies, limit)
        except Empty:
            raise self._broken(failure, f"no answer within {limit:g} seconds") from None
        if isinstance(reply, str):
            raise self._broken(failure, reply)
        if isinstance(reply, Failed):
            # The message of a PluginError names the plugin already.
            text = reply.message
            is_whole = text.startswith(str(self._declared))
            raise PluginError(text if is_whole else f"{self._declared} {failure}: {text}")
        return reply

    def _broken(self, failure: str, reason: str) -> PluginError:
        self._child.kill()
        return PluginError(f"{self._declared} {failure}: {reason}")

    def _on_exit(self, _child: PluginChild, code: int, error: FrameError | None) -> None:
        reason = f"its process sent {error}" if error else f"its process ended with code {code}"
        self._replies.put(reason)


def _end_all(running: dict[Declaration, _PluginProcess], owner: int) -> None:
    # A fork also has the finalizer, but the processes belong to their starter.
    if os.getpid() != owner:
        return
    ending = list(running.values())
    running.clear()
    for process in ending:
        process.close_input()  # first all inputs: the processes then end in parallel
    for process in ending:
        process.end()
