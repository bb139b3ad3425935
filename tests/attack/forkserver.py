"""A process that imports cardhub once and then runs every command in a fork of itself.

A command is a separate process with its own streams, folder and exit code, but takes a few
milliseconds instead of half a second. Requests and replies are lines of JSON.
"""

import atexit
import faulthandler
import gc
import importlib
import json
import os
import pkgutil
import resource
import signal
import sys
import time
import traceback
from contextlib import suppress
from multiprocessing import util as multiprocessing_util
from typing import Any, NoReturn

from tests.attack.running import GRACE

import cardhub
from cardhub.base.errors import MissingLibraryError
from cardhub.cli.main import main
from cardhub.lab.report import rendering
from cardhub.plugins import discovery

# More than any command needs; a command that allocates more fails, not the machine.
MEMORY, FILE_SIZE = 6 << 30, 256 << 20
NOT_PRELOADED = ("cardhub.tui", "cardhub.learning.adapters", "cardhub.testing", "cardhub.__main__")
GAMES = ("cardhub_gargon", "cardhub_gamon", "cardhub_garner", "kuhn", "leduc", "pig", "hearts")


def preload() -> None:
    """Import the modules of all commands before the first fork."""
    for module in pkgutil.walk_packages(cardhub.__path__, "cardhub."):
        if not module.name.startswith(NOT_PRELOADED):
            with suppress(MissingLibraryError):  # a module of an extra that is not installed
                importlib.import_module(module.name)
    for name in GAMES:
        importlib.import_module(name)
    rendering._template()  # compiling templates takes longer than a small match
    pages = rendering.environment(is_html=True)
    for name in pages.list_templates(filter_func=lambda name: name.endswith(".html.jinja")):
        pages.get_template(name)
    discovery.declare_plugins(())  # the forks have its cache of what is installed
    gc.freeze()  # forks would otherwise copy every page that the collector looks at


def serve() -> None:
    """Run commands until the requests end."""
    preload()
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if not child:
            run(request)
        print(json.dumps(wait(child, request["patience"], request["stops"])), file=replies)


def run(request: dict[str, Any]) -> NoReturn:
    """Run one command in this process in the same way as its entry point, and end it."""
    code = 1
    try:
        enter(request)
        main()
    except SystemExit as left:
        code = exit_code(left)
    except BaseException:  # noqa: BLE001  # what Python itself does with an uncaught exception
        traceback.print_exc()
    finally:
        leave(code)


def enter(request: dict[str, Any]) -> None:
    """Take on the folder, environment, streams and arguments of a command."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_SIZE, FILE_SIZE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    atexit._clear()  # a command must not run the handlers of the server
    atexit.register(vars(multiprocessing_util)["_exit_function"])
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    modes = (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY)
    for number, (name, mode) in enumerate(zip(request["streams"], modes, strict=True)):
        opened = os.open(name, mode)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115  # open to the end
        for number, mode, errors in ((0, "r", "strict"), (1, "w", "strict"), (2, "w", "replace"))
    )
    faulthandler.register(signal.SIGUSR1, sys.stderr)
    sys.argv = ["cardhub", *request["words"]]


def exit_code(left: SystemExit) -> int:
    """Return the exit code that Python gives for an exception."""
    if left.code is None or isinstance(left.code, int):
        return (left.code or 0) & 0xFF
    print(left.code, file=sys.stderr)
    return 1


def leave(code: int) -> NoReturn:
    """End this process in the same way as Python, without ending the server it was forked from."""
    try:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        atexit._run_exitfuncs()
    except BaseException:  # noqa: BLE001  # printed as Python prints it
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def wait(child: int, patience: float, stops: bool) -> dict[str, Any]:
    """Return how a command ended; one that runs too long is stopped, then killed.

    A command that `stops` may run for ever, but has to end when it is terminated.
    """
    code = ended_within(child, patience)
    stopped, killed = code is None, False
    if code is None:
        os.kill(child, signal.SIGTERM if stops else signal.SIGUSR1)
        code = ended_within(child, GRACE if stops else 0.2)
    if code is None:
        killed = True
        os.kill(child, signal.SIGKILL)
        code = ended_within(child, 60)
    with suppress(ProcessLookupError):  # whatever it has left behind
        os.killpg(child, signal.SIGKILL)
    return {"code": code, "stopped": stopped, "killed": killed}


def ended_within(child: int, seconds: float) -> int | None:
    """Return the exit code of a child, below 0 for a signal; None if it still runs by then."""
    until, pause = time.monotonic() + seconds, 0.001
    while True:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > until:
            return None
        time.sleep(pause)
        pause = min(pause * 1.5, 0.02)


if __name__ == "__main__":
    serve()
