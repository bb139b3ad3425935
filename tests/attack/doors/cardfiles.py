"""Damaged card files of a plugin's game, which is listed, explained and played."""

from pathlib import Path
from random import Random
from textwrap import dedent

from tests.attack.cases import Case, Make, fuzz
from tests.attack.doors.samples import made
from tests.attack.mutations import mutate_card_file
from tests.attack.running import Runner

GAME = dedent('''
    """Draw a straw: whoever has the longest wins."""

    from pathlib import Path

    from cardhub import OVER, Actions, Area, Display, Game, Scene, Seats, State
    from cardhub import load_cards, per_seat


    class Table(State):
        straw = per_seat(faces="owner")


    class StrawsDisplay(Display[Table]):
        """The straws of all players."""

        def scene(self, state, viewer):
            areas = [Area("straw", pile, seat) for seat, pile in enumerate(state.straw)]
            return Scene("show your straw", areas)


    class Straws(Game[Table]):
        """Draw a straw."""

        name, title, seats = "straws", "Drawing straws", Seats(2, 4)
        cards = load_cards(Path(__file__).with_name("straws.yaml"), length=int)
        actions, state_type, display_type = Actions("show"), Table, StrawsDisplay

        def deal(self, state):
            for seat in range(state.seats):
                state.put(seat, state.straw, seat)

        def legal(self, state):
            return [0]

        def apply(self, state, action):
            state.reveal(state.straw[state.seat])
            state.seat = state.seat + 1 if state.seat + 1 < state.seats else OVER

        def scores(self, state):
            return [state.face[straw[0]] for straw in state.straw]
''').encode()
CARDS = dedent("""
    # Straws of several lengths.
    decks: [main]
    backs:
      straw: {letter: "S", title: a straw, unknown: "?", colour: grey}
      reed: {letter: "R", title: a reed, unknown: "R?", colour: yellow}
    cards:
      - {name: stump, title: The stump, back: straw, length: 1, colour: red}
      - {name: short, title: A short straw, back: straw, copies: 2, text: A stump., length: 2}
      - name: middling
        title: "A middling straw"
        back: straw
        length: 3
      - {name: long, title: 'A long straw', back: reed, deck: main, length: 4}
""").encode()
CODES = frozenset({0, 1, 2})


def prepare(runner: Runner, folder: Path) -> Make:
    """Return a factory of cases with damaged card files."""
    valid = {"plugins/straws.py": GAME, "plugins/straws.yaml": CARDS}
    made(runner, folder, ("--plugins-dir", "plugins", "rules", "straws", "--cards"), files=valid)

    def make(rng: Random) -> Case:
        files = {"plugins/straws.py": GAME, "plugins/straws.yaml": mutate_card_file(CARDS, rng)}
        play = ("play", "straws", "--seat", "Anna=human", "--seat", "Bob=random", "--seed", "1")
        words = rng.choice(
            (
                ("rules", "straws", "--cards"),
                ("rules", "straws"),
                ("games",),
                (*play, "--record", "game.jsonl"),
                ("check", "straws", "--games", "1"),
            )
        )
        codes = frozenset({0}) if words == ("games",) else CODES
        given = ("--plugins-dir", "plugins", *words)
        return Case(given, codes, files, b"1\n1\n", silent=frozenset({1}) & _silent(words))

    return make


def _silent(words: tuple[str, ...]) -> frozenset[int]:
    """Return the exit codes explained on stdout: the findings of a check are its result."""
    return frozenset({1}) if words[0] == "check" else frozenset()


attack = fuzz("cardfiles", prepare)
