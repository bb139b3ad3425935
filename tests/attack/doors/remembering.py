"""Bots that want to remember the deal of an earlier game: programs and Python bots.

Both games of a block have the same deal. A bot notes each game by every means of its case; if a
note of an earlier game reaches it, its first action is another one.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from textwrap import dedent, indent

from tests.attack.cases import Case, Make, fuzz
from tests.attack.running import Outcome, Runner

from cardhub.base.errors import SandboxError
from cardhub.bots.processes.sandbox import check_sandbox

# Ways to keep a note: code of `keep(note)`, and of `has_note()`. TOKEN differs from case to case.
PRIVATE = {
    "memory": ("NOTES.append(note)", "return bool(NOTES)"),
    "module": ("sys.modules['notes_TOKEN'] = note", "return 'notes_TOKEN' in sys.modules"),
    "builtin": ("builtins.note_TOKEN = note", "return hasattr(builtins, 'note_TOKEN')"),
    "class": ("random.Random.note = note", "return hasattr(random.Random, 'note')"),
    "environment": ("os.environ['NOTE'] = note", "return 'NOTE' in os.environ"),
    "folder": ("open('note', 'w').close()", "return os.path.exists('note')"),
    "hidden folder": ("os.makedirs('.a/b')", "return os.path.exists('.a')"),
    "home": (
        "open(os.path.expanduser('~/.note'), 'w').close()",
        "return os.path.exists(os.path.expanduser('~/.note'))",
    ),
    "temporary": (
        "open(os.path.join(tempfile.gettempdir(), 'note'), 'w').close()",
        "return os.path.exists(os.path.join(tempfile.gettempdir(), 'note'))",
    ),
    "thread": (
        "threading.Thread(target=time.sleep, args=(0.5,), name='note').start()",
        "return any(thread.name == 'note' for thread in threading.enumerate())",
    ),
}
# These need a sandbox.
SHARED = {
    **{
        place: (
            f"open('{place}/note-TOKEN', 'w').close()",
            f"return os.path.exists('{place}/note-TOKEN')",
        )
        for place in ("/tmp", "/dev/shm", "/var/tmp", "/run")
    },
    "beside the source": (
        "open(os.path.join(os.path.dirname(os.path.abspath(HERE)), 'note'), 'w').close()",
        "return os.path.exists(os.path.join(os.path.dirname(os.path.abspath(HERE)), 'note'))",
    ),
    "in the source": (
        "open(HERE, 'a').write('#TOKEN')",
        "return open(HERE).read().endswith('#TOKEN')",
    ),
    "child with a socket": (
        "leave(listen(socket.AF_UNIX, '\\0note-TOKEN'))",
        """
        with socket.socket(socket.AF_UNIX) as line:
            return line.connect_ex('\\0note-TOKEN') == 0
    """,
    ),
    "child with a port": (
        "leave(listen(socket.AF_INET, ('127.0.0.1', PORT)))",
        """
        with socket.socket() as line:
            return line.connect_ex(('127.0.0.1', PORT)) == 0
    """,
    ),
    "shared memory": (
        "shared_memory.SharedMemory('note-TOKEN', create=True, size=8)",
        "return bool(shared_memory.SharedMemory('note-TOKEN'))",
    ),
    "memory of the system": (
        "ctypes.CDLL(None).shmget(PORT, 8, 0o1600)",
        "return ctypes.CDLL(None).shmget(PORT, 8, 0) != -1",
    ),
    "memory shared by forks": ("SHARED[0] = 1", "return SHARED[0] == 1"),
    "parent": (
        "os.kill(os.getppid(), signal.SIGURG), os.setpriority(os.PRIO_PROCESS, os.getppid(), 7)",
        "return os.getpriority(os.PRIO_PROCESS, os.getppid()) == 7",
    ),
}
NOTES = """
    import builtins, ctypes, json, mmap, os, random, signal, socket, sys, tempfile, threading, time
    from contextlib import suppress
    from multiprocessing import shared_memory

    HERE = __file__
    NOTES = []
    SHARED = mmap.mmap(-1, 8)

    def listen(family, address):
        server = socket.socket(family)
        server.bind(address)
        server.listen()
        return server

    def leave(server):
        if not os.fork():
            os.setsid()
            server.settimeout(10)
            with suppress(OSError):
                while True:
                    server.accept()
            os._exit(0)

    def keep(note):
        KEEP

    def has_note():
        HAS

    def first_action(legal):
        noted = False
        with suppress(Exception):
            noted = has_note()
        with suppress(Exception):
            keep("noted")
        return legal[-1] if noted else legal[0]
"""
PROGRAM = """
    turns = 0
    for text in sys.stdin:
        message = json.loads(text)
        if message["type"] == "hello":
            print(json.dumps({"name": "elephant", "protocol": 1}), flush=True)
        elif message["type"] == "game":
            turns = 0
        elif message["type"] == "turn":
            legal = [entry["action"] for entry in message["legal"]]
            turns += 1
            action = first_action(legal) if turns == 1 else legal[0]
            print(json.dumps({"action": action}), flush=True)
"""
PLUGIN = """
    from cardhub import BotEntry, hookimpl
    from cardhub.bots.random_bot import RandomBot

    class Elephant(RandomBot):
        has_begun = False

        def choose(self, observation, /):
            legal = list(observation.legal())
            if self.has_begun:
                return legal[0]
            self.has_begun = True
            return first_action(legal)

    @hookimpl
    def register_bots():
        return [BotEntry("elephant", "remembers deals", Elephant)]
"""
MATCH = """
    cardhub_match: 1
    name: trial
    seed: 7
    RULE
    bots:
      - {id: elephant, use: "BOT"}
      - {id: b, use: random}
    games: [{game: kuhn}]
    schedule: {blocks: 1}
    rating: {bootstrap: 100}
"""
COMMAND = f"cmd:{sys.executable} -I -S program.py"


def has_sandbox() -> bool:
    """Return whether this system has a sandbox."""
    try:
        check_sandbox()
    except SandboxError:
        return False
    return True


def prepare(_runner: Runner, _folder: Path) -> Make:
    """Return a factory of cases with bots that remember games in some ways."""
    can_share = has_sandbox()

    def make(rng: Random) -> Case:
        is_sandboxed = can_share and rng.random() < 0.6
        ways = PRIVATE | SHARED if is_sandboxed else PRIVATE
        way, is_program = rng.choice(list(ways)), rng.random() < 0.5
        rule = f"sandbox: {'yes' if is_sandboxed else 'no'}"
        return build_case(way, rule, rng, is_program=is_program)

    return make


def build_case(way: str, rule: str, rng: Random, *, is_program: bool) -> Case:
    """Return a case of a program, or a Python bot, with one way to keep a note."""
    token, port = f"{rng.randrange(1 << 40):x}", str(rng.randrange(20_000, 30_000))
    notes = dedent(NOTES)
    for name, code in zip(("KEEP", "HAS"), (PRIVATE | SHARED)[way], strict=True):
        code = code.replace("TOKEN", token).replace("PORT", port)
        notes = notes.replace(name, indent(dedent(code).strip(), "    ").strip(), 1)
    name = "program.py" if is_program else "plugins/elephant.py"
    source = notes + dedent(PROGRAM if is_program else PLUGIN)
    match = dedent(MATCH).replace("BOT", COMMAND if is_program else "elephant")
    files = {
        name: source.encode(),
        "cup.yaml": match.replace("RULE", rule).encode(),
        "plugins/.keep": b"",
    }
    words = ("--plugins-dir", "plugins", "match", "cup.yaml", "--workers", "1", "--quiet")
    return Case(words, frozenset({0}), files, check=_forgotten)


def _forgotten(folder: Path, outcome: Outcome) -> Iterator[str]:
    """Yield a problem if a bot knew of an earlier game, or was at fault."""
    log = folder / "runs" / "trial" / "games.jsonl"
    if outcome.code != 0 or not log.exists():
        return
    games = [json.loads(line) for line in log.read_text("utf-8").splitlines()[1:]]
    if len(games) != 2:
        yield f"{len(games)} games instead of 2"
    for game in games:
        if game["faults"]:
            yield "a bot that notes games is at fault"
        seat = game["seats"].index("elephant")
        first = next((move for player, move in game["moves"] if player == seat), None)
        if first not in (None, "check", "fold"):
            yield "a bot knew of an earlier game"


attack = fuzz("remembering", prepare)
