"""Damaged match files, played with one worker."""

from functools import cache
from pathlib import Path
from random import Random
from textwrap import dedent

from tests.attack.cases import Case, Make, fuzz
from tests.attack.doors.samples import made
from tests.attack.mutations import mutate_card_file
from tests.attack.running import Runner
from tests.lab.match.match_files import KUHN

FILES = tuple(
    dedent(text).encode()
    for text in (
        KUHN.replace("blocks: 10", "blocks: 3") + "    rating: {bootstrap: 100}\n    workers: 1\n",
        """
        cardhub_match: 1
        name: cup
        seed: 20250101
        bots:
          - {id: dice, use: random}
          - {id: rule, use: "ismcts:iterations=5", plays: [small]}
          - {id: third, use: "pimc:5"}
        games:
          - {game: leduc, id: small, seating: full, score: win}
          - {game: pig, players: 2, rules: {target: 20}, seating: rotation}
        schedule: {mode: gauntlet, blocks: 2, challengers: [dice]}
        budget: {guard_seconds: 10, bank_seconds: none, most_steps: 200}
        faults: {two_player: loss, multi_player: substitute, substitute: random, max: 3}
        rating: {anchor: {dice: 0}, bootstrap: 100, level: 0.9, overall: [mean, nash, kemeny]}
        """,
        """
        cardhub_match: 1
        name: test
        seed: 3
        bots: [{id: a, use: random}, {id: b, use: random}]
        games: [{game: kuhn, players: 2, seating: balanced}]
        schedule: {blocks: 4}
        stop: {sprt: {a: a, b: b, nelo: [0, 20], alpha: 0.1, beta: 0.1}}
        rating: {bootstrap: 100}
        out: here
        """,
        """
        cardhub_match: 1
        name: race
        seed: 3
        bots: [{id: a, use: random}, {id: b, use: random}, {id: c, use: random}]
        games: [{game: kuhn}]
        schedule: {mode: racing, blocks: 4, batch: 2, level: 0.9, margin: 0.05}
        rating: {bootstrap: 100, missing: loss}
        """,
    )
)
PLAYED = frozenset({0, 3, 4, 5})
# Exit codes 1 and 2 are verdicts of a test; they need no message.
JUDGED = PLAYED | {1, 2}


def prepare(runner: Runner, folder: Path) -> Make:
    """Return a factory of cases with damaged match files."""

    @cache
    def valid(number: int) -> bytes:
        file = f"{number}.yaml"
        made(runner, folder, ("match", file, "--workers", "1"), files={file: FILES[number]})
        return FILES[number]

    def make(rng: Random) -> Case:
        data = mutate_card_file(valid(rng.randrange(len(FILES))), rng)
        shown = rng.choice(((), ("--json",), ("--quiet",)))
        words = ("match", "cup.yaml", "--workers", "1", *shown)
        codes = JUDGED if b"sprt" in data else PLAYED
        silent = frozenset({1, 2}) & codes
        return Case(words, codes, {"cup.yaml": data}, silent=silent, patience=6, stops=True)

    return make


attack = fuzz("matchfiles", prepare)
