"""Bot programs with invalid, late, too long or missing answers; in play and matches."""

import sys
from pathlib import Path
from random import Random
from textwrap import dedent

from tests.attack.cases import Case, Make, fuzz
from tests.attack.doors.samples import made
from tests.attack.mutations import ESCAPES, PIECES
from tests.attack.running import Runner

PROGRAM = """\
import json, os, signal, subprocess, sys, time
out = sys.stdout.buffer
sys.excepthook = lambda kind, error, trace: print(error, file=sys.stderr)

def write(data):
    out.write(data)
    out.flush()

def answer(number, message):
    if number == {odd_turn}:
        {odd}
    else:
        write(json.dumps({{"action": message["legal"][0]["action"]}}).encode() + b"\\n")

turns = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        {hello}
    elif message["type"] == "turn":
        answer(turns, message)
        turns += 1
"""
HELLO = """write(b'{"name": "trial", "protocol": 1}\\n')"""
ANSWERS = (
    *('{"action": -1}', '{"action": 10000}', '{"action": 1e3}', '{"action": true}', "{}", "[]"),
    *('{"action": null}', '{"action": [0]}', '{"action": {"a": 0}}', '{"action": "lay R99"}', "0"),
    *('{"action": 9999999999999999999999}', '{"action": NaN}', '{"action": 0.0}', "null", "{", ""),
    *('{"error": "no idea"}', '{"error": 5}', '{"error": null}', '{"action": 0, "error": "x"}'),
    *('{"action": 0}\\n{"action": 0}', '{"action": 0, "action": 1}', '{"actions": 0}', "action"),
    *('{"name": "trial", "protocol": 1}', '{"action": ' + "9" * 5000 + "}", "[" * 5000),
)
HELLOS = (
    *('{"name": "trial"}', '{"protocol": 1}', '{"name": 5, "protocol": 1}', '{"protocol": "1"}'),
    *('{"name": "trial", "protocol": 2}', '{"name": "trial", "protocol": true}', "[]", "null"),
    *('{"name": "trial", "protocol": 1, "games": 5}', '{"name": "", "protocol": 1}', ""),
    *('{"name": "trial", "protocol": 1, "games": ["bridge"]}', '{"action": 0}'),
)
DEEDS = (
    "sys.exit(0)",
    "sys.exit(7)",
    "os._exit(3)",
    "os.kill(os.getpid(), signal.SIGKILL)",
    "os.close(1)",
    "out.close(); time.sleep(30)",
    "sys.stdin.close(); os.close(0)",
    "time.sleep(30)",
    "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(30)",
    "raise ValueError('\\x1b[2J\\u202e')",
    "sys.stderr.write('\\x1b[2J' * 20000); sys.stderr.flush(); sys.exit(1)",
    "[write(b'x' * 65536) for _ in range(64)]",
    "write(b'{\"action\": 0')",
    "write(b'\\n')",
    "subprocess.Popen(['sleep', '30']); sys.exit(1)",
    "os.fork(); time.sleep(30)",
    "os.setsid() if not os.fork() else None; sys.exit(2)",
    "os.kill(os.getppid(), signal.SIGCONT)",
    "open('owned', 'w').close(); sys.exit(1)",
)
FILE = "bot.py"
PLAYED = frozenset({0, 1, 2, 3})
MATCHED = frozenset({0, 3, 4})
MATCH = dedent("""
    cardhub_match: 1
    name: trial
    seed: 7
    bots:
      - {{id: a, use: random}}
      - {{id: b, use: "{bot}"}}
    games: [{{game: {game}}}]
    schedule: {{blocks: 2}}
    faults: {{max: 1}}
    rating: {{bootstrap: 100}}
""")


def prepare(runner: Runner, folder: Path) -> Make:
    """Return a factory of cases with programs that violate the protocol."""
    valid = PROGRAM.format(hello=HELLO, odd="pass", odd_turn=-1).encode()
    seat = f"Anna=cmd:{sys.executable} -I -S {FILE}"
    words = ("play", "kuhn", "--seat", seat, "--seat", "Bob=random", "--record", "game.jsonl")
    made(runner, folder, words, files={FILE: valid})

    def make(rng: Random) -> Case:
        game = rng.choice(("kuhn", "leduc", "pig"))
        bot = f"cmd:seconds=0.3 {sys.executable} -I -S {FILE}"
        files = {FILE: _program(rng).encode()}
        if rng.random() < 0.3:
            files["cup.yaml"] = MATCH.format(bot=bot, game=game).encode()
            words: tuple[str, ...] = ("match", "cup.yaml", "--workers", "1", "--quiet")
            return Case(words, MATCHED, files)
        seats = ("--seat", "Anna=random", "--seat", f"Bob={bot}")
        words = ("play", game, *seats, "--seed", str(rng.randrange(100)))
        return Case(words, PLAYED, files)

    return make


def _program(rng: Random) -> str:
    """Return the source of a program that does one odd thing, often at its first turn."""
    hello, odd = HELLO, _odd(ANSWERS, rng)
    if rng.random() < 0.2:
        hello = _odd(HELLOS, rng)
    return PROGRAM.format(hello=hello, odd=odd, odd_turn=rng.choice((0, 0, 0, 1, 3)))


def _odd(answers: tuple[str, ...], rng: Random) -> str:
    """Return a line of Python that misbehaves instead of answering."""
    how = rng.randrange(5)
    if how == 0:
        return rng.choice(DEEDS)
    said = rng.choice(answers).replace("\\n", "\n").encode()
    if how == 1:
        at = rng.randrange(len(said) + 1)
        said = said[:at] + rng.choice(PIECES[:-4]) + said[at:]
    elif how == 2:
        said = b'{"error": "%s"}' % rng.choice(ESCAPES).encode().replace(b"\x00", b"\\u0000")
    return f"write({said!r} + b'\\n')"


attack = fuzz("programs", prepare)
