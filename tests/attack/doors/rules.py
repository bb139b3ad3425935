"""Bots that change the rules: in memory and on disk, at an import, at a turn or at the end.

The log must have no score that does not follow from the moves: a referee that bots cannot reach
plays on, a referee that they have changed ends the match with an error.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from textwrap import dedent

from tests.attack.cases import Case, Make, fuzz
from tests.attack.doors.remembering import has_sandbox
from tests.attack.running import Outcome, Runner
from tests.kit.paths import ROOT

# Ways to change the rules of the module `rules`, with the game `game` of the class `kind`.
IN_MEMORY = (
    "kind.scores = lambda self, state: [77, -77]",
    "kind.scores.__code__ = (lambda self, state: [77, -77]).__code__",
    "game.scores = lambda state: [77, -77]",
    "game.__class__ = type('Other', (kind,), {'scores': lambda self, state: [77, -77]})",
    "kind.__bases__ = (type('Other', kind.__bases__, {}),)",
    "kind.apply = lambda self, state, action: setattr(state, 'seat', -2)",
    "kind.legal = lambda self, state: [0]",
    "kind.legal, kind.scores = kind.scores, kind.legal",
    "rules.strength = lambda state, seat: 77 - seat",
    "rules.owed = lambda state: 0",
    "rules.SIZE[:] = [70, 70]",
    "rules.LEGAL[0] = [0]",
    "rules.RANK = [77] * 99",
    "rules.min = max",
    "rules.FOLD = 77",
    "kind.goal = None",
    "kind.scores.__defaults__ = (None,)",
    "builtins.min = max",
    "random.shuffle = lambda *arguments: None",
    "Referee.scores = lambda self: [77, -77]",
    "Referee.apply = lambda self, action: None",
    "playing.final_places = lambda *arguments, **options: [1, 2]",
    "playing.moves_of = lambda referee: ()",
    "gc.collect(); [setattr(thing, 'scores', None) for thing in gc.get_objects()"
    " if isinstance(thing, type) and thing.__name__ == 'Leduc']",
)
# These break the process in which they are done, so the bots must have another one.
BREAKING = (
    "builtins.isinstance = lambda *arguments: True",
    "sys.modules[rules.__name__] = None",
    "sys.modules['cardhub.play.referee'] = None",
    "os.environ['PYTHONPATH'] = '/nowhere'; sys.path[:] = []",
)
ON_DISK = (
    "open(rules.__file__, 'a').write('\\nSIZE = [70, 70]\\n')",
    "open(rules.__file__, 'w').write('')",
    "os.remove(rules.__file__)",
    "open(os.path.join(os.path.dirname(rules.__file__), 'cards.yaml'), 'w').write('')",
    "open(os.path.join(os.path.dirname(rules.__file__), 'other.py'), 'w').write('X = 1')",
)
MOMENTS = ("import", "make", "choose", "thread", "close", "exit")
PLUGIN = """
    import atexit, builtins, gc, os, random, sys, threading
    from contextlib import suppress
    from pathlib import Path
    from cardhub import BotEntry, hookimpl
    from cardhub.bots.random_bot import RandomBot

    def change(moment):
        if moment != "MOMENT":
            return
        import cardhub.lab.match.run.playing as playing
        from cardhub.play.referee import Referee
        rules = sys.modules.get("cardhub_plugins_dir_pocket.game")
        kind = rules.Leduc if rules else None
        games = [thing for thing in gc.get_objects() if kind and type(thing) is kind]
        for game in games[:1] if "game" in CODE else [None]:
            exec(CODE)

    CODE = WAY

    class Crook(RandomBot):
        def __init__(self, rng):
            super().__init__(rng)
            with suppress(Exception):
                change("make")

        def choose(self, observation, /):
            with suppress(Exception):
                change("choose")
            if "MOMENT" == "thread":
                thread = threading.Thread(target=self.change_in_thread)
                thread.start()
                thread.join()
            return super().choose(observation)

        def change_in_thread(self):
            with suppress(Exception):
                change("thread")

        def close(self):
            with suppress(Exception):
                change("close")

    def at_exit():
        with suppress(Exception):
            change("exit")

    atexit.register(at_exit)
    with suppress(Exception):
        if "MOMENT" == "import":
            from cardhub.plugins.registry import find_plugins
            find_plugins([Path(__file__).parent]).game("pocket")
        change("import")

    @hookimpl
    def register_bots():
        return [BotEntry("crook", "changes the rules", Crook)]
"""
MATCH = """
    cardhub_match: 1
    name: trial
    seed: 7
    isolate: ISOLATE
    sandbox: SANDBOX
    bots:
      - {id: a, use: crook}
      - {id: b, use: random}
    games: [{game: pocket}]
    schedule: {blocks: 1}
    rating: {bootstrap: 100}
"""
# The most that can be won in Leduc poker.
MOST = 13


def prepare(_runner: Runner, _folder: Path) -> Make:
    """Return a factory of cases with a plugin whose bot changes the rules of another plugin."""
    leduc = ROOT / "examples" / "leduc" / "leduc"
    game = {name: (leduc / name).read_bytes() for name in ("game.py", "cards.yaml", "rules.md")}
    game["game.py"] = game["game.py"].replace(b'"leduc"', b'"pocket"')
    files = {f"plugins/pocket/{name}": data for name, data in game.items()}
    files["plugins/pocket/__init__.py"] = b"from .game import Leduc\n"
    modes = ["auto", "no", *(["sandbox"] if has_sandbox() else [])]

    def make(rng: Random) -> Case:
        mode = rng.choice(modes)
        is_on_disk = rng.random() < 0.2
        way = rng.choice(ON_DISK if is_on_disk else IN_MEMORY + (() if mode == "no" else BREAKING))
        moment = rng.choice(MOMENTS)
        plugin = dedent(PLUGIN).replace("MOMENT", moment).replace("WAY", repr(way))
        match = dedent(MATCH).replace("ISOLATE", "no" if mode == "no" else "auto")
        match = match.replace("SANDBOX", "yes" if mode == "sandbox" else "no")
        content = {"plugins/crook.py": plugin.encode(), "cup.yaml": match.encode()}
        # A bot that cannot reach the rules changes nothing, so the match ends with a result.
        is_reachable = mode == "no" or (is_on_disk and mode == "auto")
        words = ("--plugins-dir", "plugins", "match", "cup.yaml", "--workers", "1", "--quiet")
        codes = frozenset({0, 1, 4} if is_reachable else {0})
        return Case(words, codes, files | content, check=_played_by_the_rules)

    return make


def _played_by_the_rules(folder: Path, outcome: Outcome) -> Iterator[str]:
    """Yield a problem if the log has an impossible score, or a result after an error."""
    run = folder / "runs" / "trial"
    if not (run / "games.jsonl").exists():
        return
    for line in (run / "games.jsonl").read_text("utf-8").splitlines()[1:]:
        first, second = json.loads(line)["scores"]
        if first + second or abs(first) > MOST:
            yield f"scores {first} and {second} are in the log"
    if outcome.code != 0 and (run / "result.json").exists():
        yield "a match that ended with an error has a result"


attack = fuzz("rules", prepare)
