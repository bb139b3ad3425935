"""Plugins in a folder with every kind of fault: at import, in hooks, in return values."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from textwrap import dedent

from tests.attack.cases import Case, Make, fuzz
from tests.attack.mutations import ESCAPES, STRINGS, mutate_bytes
from tests.attack.running import Outcome, Runner

PRELUDE = dedent('''
    import sys
    from cardhub import *
    from cardhub import BotEntry, Exporter, Game, GameCollection, Theme, hookimpl

    class Worst(BaseException):
        def __str__(self):
            raise RecursionError("no words")
        __repr__ = __str__

    class Odd:
        """Raises whatever is done with it."""
        def fail(self, *args, **kwargs):
            raise {error}
        {method} = fail

    class First:
        def __init__(self, rng, **options):
            self.rng = rng
        def choose(self, observation, /):
            {choose}
''')
ERRORS = (
    *("ValueError('odd')", "KeyboardInterrupt", "SystemExit(0)", "SystemExit('bye')", "Worst()"),
    *("GeneratorExit()", "BaseException('base')", "MemoryError()", "RecursionError('deep')"),
    *(
        "OSError(28, 'full')",
        "BrokenPipeError(32, 'pipe')",
        "StopIteration()",
        "Exception('\\x1b[2J')",
    ),
    *("UnicodeDecodeError('utf-8', b'x', 0, 1, 'odd')", "ImportError('\\u202e')", "EOFError()"),
    *("SystemExit(7)", "SystemExit(None)", "ExceptionGroup('two', [ValueError(), OSError()])"),
)
METHODS = (
    *("__str__", "__repr__", "__index__", "__eq__", "__hash__", "__len__", "__iter__", "__bool__"),
    *("__call__", "__getattr__", "__contains__", "__lt__", "__format__", "__getitem__", "__del__"),
)
HOOKS = (
    "register_games",
    "register_collections",
    "register_bots",
    "register_themes",
    "register_exporters",
)
VALUES = (
    *("Odd()", "[Odd()]", "None", "5", "'text'", "[None]", "[[]]", "{}", "[Odd]", "iter([Odd()])"),
    *("BotEntry('timid', 'takes the first', First)", "[BotEntry('timid', 'first', First)]"),
    *("[BotEntry({text}, 'first', First)]", "[BotEntry('timid', {text}, First)]"),
    *("[BotEntry(Odd(), Odd(), Odd())]", "[BotEntry('timid', 'first', Odd())]"),
    *("[BotEntry('timid', 'first', First, games={text})]", "[BotEntry('timid', 'first', 5, 5)]"),
    *("[BotEntry('timid', 'first', First, options={{text}: Odd()})]",),
    *("[Theme({text}, {text}, {text})]", "[Theme('dusk', 'dark', '#8fa3c7', cards=Odd())]"),
    *("[Exporter('tally', {text}, lambda game: Odd())]", "[Exporter({text}, 'x', Odd())]"),
    *("[Exporter('tally', 'counts', lambda game: {text})]",),
    *("[GameCollection('straws', {text}, Odd())]", "[GameCollection({text}, {text}, len)]"),
    *("(BotEntry('timid', 'first', First) for _ in range(10 ** 4))", "[type('X', (Game,), {})()]"),
)
COMMANDS = dedent("""
    @hookimpl
    def register_commands(cli):
        import click
        @cli.command({text})
        def count():
            raise {error}
        {statement}
""")
STATEMENTS = (
    *("raise {error}", "cli.add_command(Odd())", "cli.add_command(5)", "cli.commands.clear()"),
    *("cli.add_command(count, name={text})", "cli.name = {text}", "del cli", "cli.help = Odd()"),
)
CHOICES = (
    *("return observation.legal()[0]", "return Odd()", "raise {error}", "return 10 ** 30"),
    *("return -1", "return {text}", "return None", "return True", "return 1.0"),
)
LISTINGS = (
    ("plugins",),
    ("plugins", "--json"),
    ("games",),
    ("games", "--json"),
    ("bot", "list"),
    ("bot", "list", "--json"),
    ("themes",),
    ("export", "--list"),
    ("--help",),
)
NAMED = (
    ("bot", "list", "kuhn"),
    ("play", "kuhn", "--seat", "Anna=timid", "--seat", "Bob=random", "--seed", "1"),
    ("play", "odd", "--seat", "Anna=random", "--seed", "1"),
    ("play", "straws:3", "--seat", "Anna=random", "--seed", "1"),
    ("rules", "odd"),
    ("rules", "straws:3"),
    ("check", "odd", "--games", "1"),
    ("bot", "check", "timid", "--game", "kuhn", "--positions", "3"),
    ("count",),
    ("export", "tally", "game.jsonl"),
)
RECORD = b"""\
{"cardhub_record": 1, "game": "kuhn", "version": "1", "options": {}, "players": \
[{"name": "Anna", "kind": "random"}, {"name": "Bob", "kind": "random"}], "seed": 3, \
"deal": ["J", "Q", "K"]}
{"seat": 0, "action": "check"}
{"seat": 1, "action": "check"}
"""
CODES = frozenset({0, 1, 2, 3})


def prepare(_runner: Runner, _folder: Path) -> Make:
    """Return a factory of cases with broken plugins."""

    def make(rng: Random) -> Case:
        source = _source(rng).encode("utf-8", "surrogatepass")
        if rng.random() < 0.1:
            source = mutate_bytes(source, rng)
        name = rng.choice(("odd", "odd", "odd", "odd thing", "-odd", "kuhn", "\u202eodd", "o\x1bd"))
        files = {f"plugins/{name}.py": source, "game.jsonl": RECORD}
        is_listing = rng.random() < 0.6
        words = rng.choice(LISTINGS if is_listing else NAMED)
        check = lists_the_rest if words in (("games",), ("plugins",)) else lists_anything
        codes = frozenset({0}) if is_listing else CODES
        silent = frozenset({1}) if "check" in words else frozenset[int]()
        given = ("--plugins-dir", "plugins", *words)
        return Case(given, codes, files, silent=silent, check=check)

    return make


def lists_the_rest(_folder: Path, outcome: Outcome) -> Iterator[str]:
    """Find a listing without the games that are not broken."""
    if b"gargon" not in outcome.out:
        yield "the listing lacks an installed game"


def lists_anything(_folder: Path, outcome: Outcome) -> Iterator[str]:
    """Find a command that succeeded without output."""
    if outcome.code == 0 and not outcome.out:
        yield "exit code 0, but nothing was printed"


def _source(rng: Random) -> str:
    """Return the source of a plugin with one fault."""
    parts = [_filled(PRELUDE, rng)]
    for hook in rng.sample(HOOKS, rng.choice((0, 1, 1, 2, 5))):
        body = "raise {error}" if rng.random() < 0.25 else f"return {rng.choice(VALUES)}"
        parts.append(f"@hookimpl\ndef {hook}():\n    {_filled(body, rng)}\n")
    if rng.random() < 0.3:
        parts.append(_filled(COMMANDS, rng))
    if rng.random() < 0.2:
        parts.append(_filled("raise {error}\n", rng))
    return "\n".join(parts)


def _filled(template: str, rng: Random) -> str:
    """Return a template with an odd value in each of its gaps."""
    gaps = {
        "choose": rng.choice(CHOICES),
        "statement": rng.choice(STATEMENTS),
        "method": rng.choice(METHODS),
        "error": rng.choice(ERRORS),
        "text": ascii(rng.choice((*STRINGS, *ESCAPES, "count", "play", "timid", "odd"))),
    }
    for name, filling in gaps.items():  # in this order: the first ones have gaps themselves
        template = template.replace("{" + name + "}", filling)
    return template


attack = fuzz("plugins", prepare)
