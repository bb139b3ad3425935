"""Match files: their values, defaults and error messages."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from textwrap import dedent

import pytest
from tests.kit.paths import ROOT
from tests.lab.match.match_files import KUHN

from cardhub.base.errors import MatchFileError
from cardhub.lab.match.blocks import Games, groups
from cardhub.lab.match.match_spec import (
    Match,
    SprtRule,
    identity_digest,
    identity_of,
    match_of,
    public_digest,
    spec_of,
)
from cardhub.lab.match.matchfile.reader import parse_match, read_match
from cardhub.plugins.bot_index import LEVELS
from cardhub.plugins.registry import PluginRegistry

File = Callable[[str], Path]
ReadMatch = Callable[..., Match]

FULL = """
    cardhub_match: 1
    name: autumn-cup
    seed: 20250101
    bots:
      - {id: dice, use: random}
      - {id: rule, use: rule}
      - {id: deep, use: "ismcts:iterations=40", plays: [gamon, five, four]}
    games:
      - {game: gargon, id: five, players: 5, rules: {zero_tie_draw: yes}, seating: rotation}
      - game: gamon
        rules: {coins: 20}
        mirror: {first_attacker: [navy, pirate]}
      - {game: gargon, id: four, players: 4, fill: [dice], score: win}
    schedule: {mode: gauntlet, challengers: [rule], blocks: 20}
    stop: {sprt: {a: rule, b: dice, game: gamon, elo: [0, 5], alpha: 0.01}}
    budget: {guard_seconds: 2.5, bank_seconds: 60, most_steps: 5000}
    faults: {two_player: substitute, multi_player: loss, substitute: rule, max: 0, share: 0.2}
    rating: {anchor: {dice: -100}, bootstrap: 500, overall: [nash], missing: loss}
    overall: {verdict: each}
    workers: 8
    out: runs/autumn
"""

WRONG = """
    cardhub_match: 2
    name: autumn cup
    seed: x
    bot: []
    bots:
      - {id: chance, use: random, play: [gargon]}
      - {id: dice, use: ismct}
      - {id: Dice, use: "ismcts:iterations=x", plays: [gamom, gamon, gamon]}
      - {id: z}
      - foo
    games:
      - {game: gargon, players: 2}
      - {game: gamon, rules: {coins: 360, coin: 3}, seating: ful}
      - {game: gamon, fill: mirror, mirror: {first_attacker: [navy, pirat], coins: 3}}
      - {game: garner, rules: 3}
      - {game: gargn}
    schedule: {mode: gauntlet, blocks: 0, batch: 3, challengers: [zz]}
    stop: {sprt: {a: rule, b: dice, game: gamonn, nelo: [20, 0], elo: [0, 3], alpha: 2}}
    budget: {guard_seconds: 0, bank_seconds: non}
    faults: {max: -3, substitute: "ismcts:milliseconds=3"}
    rating: {anchor: {dic: 0}, overall: [nas]}
    workers: 0
"""

SAID = """
1:16: cardhub_match must be '1', not '2'
2:7: name must be a name of letters, digits and - _ ', not 'autumn cup'
3:7: seed must be an integer, not 'x'
4:1: unknown key 'bot'. Did you mean 'bots'?
6:10: invalid bot id 'chance': reserved word
6:31: unknown key 'play'. Did you mean 'plays'?
7:21: unknown bot 'ismct'. Did you mean 'ismcts'? Bots for gamon: ...
8:10: duplicate id 'Dice', first on line 7
8:21: bot 'ismcts': option iterations cannot be 'x': it is a number from 1 to 10000000
8:52: a name in plays must be one of 'gargon', 'gamon', 'garner', 'gargn', not 'gamom'. Did you ...
8:66: plays: 'gamon' is listed twice
9:5: missing key 'use' (a non-empty text)
10:5: unknown bot 'foo'. Bots for gamon: ...; levels: beginner, easy, medium, hard, expert
12:29: Gargon is for 3 to 5 players, not for 2
13:12: 2 games here are called 'gamon': give each one a different id
13:34: option coins cannot be '360': it is a number from 1 to 99
13:39: unknown option 'coin'. Did you mean 'coins'? Options of gamon: ...
13:58: seating must be one of 'full', 'rotation', 'balanced', not 'ful'. Did you mean 'full'?
14:12: 2 games here are called 'gamon': give each one a different id
14:25: fill is for games with more than two players or teams
14:65: option first_attacker cannot be 'pirat': it is one of ... Did you mean 'pirate'?
14:80: expected a list of two values or more, not '3'
15:27: expected a mapping of options, not '3'
16:12: unknown game 'gargn'. Did you mean 'gargon'? Installed: ...
17:36: blocks must be an integer from 1 to 10000000, not '0'
17:39: batch is only allowed with mode racing
17:63: a name in challengers must be one of ..., not 'zz'. Did you mean 'z'?
18:18: a must be one of 'chance', 'dice', 'Dice', 'z', 'foo', not 'rule'
18:39: game must be one of ..., not 'gamonn'. Did you mean 'gamon'?
18:53: nelo: expected two ascending numbers, such as [0, 20]
18:62: elo and nelo are mutually exclusive
18:82: alpha must be a number between 0 and 1, not '2'
19:25: guard_seconds must be a number above 0 or 'none', not '0'
19:42: bank_seconds must be a number above 0 or 'none', not 'non'
20:15: max must be an integer from 0 to 999999999, not '-3'
20:31: bot 'ismcts:milliseconds=3' looks at the clock: games are not reproducible
21:19: a bot in anchor must be one of ... not 'dic'. Did you mean 'Dice'?
21:38: a name in overall must be one of 'mean', 'nash', 'kemeny', not 'nas'. Did you mean 'nash'?
22:10: workers must be an integer from 1 to 10000, not '0'
"""


@pytest.fixture
def problems(file: File, registry: PluginRegistry) -> Callable[[str], list[str]]:
    """Return a function that returns the error messages of an invalid match file."""

    def of(text: str) -> list[str]:
        with pytest.raises(MatchFileError) as caught:
            read_match(file(text), registry)
        return caught.value.problems

    return of


def test_a_file_says_all_there_is_to_a_match(match: ReadMatch) -> None:
    """Values are parsed by the game's options; missing ones have their defaults."""
    cup = match(FULL)
    assert (cup.name, cup.seed, cup.workers, cup.out) == ("autumn-cup", 20250101, 8, "runs/autumn")
    assert cup.entrant("rule").plays == ("five", "gamon", "four")
    assert cup.entrant("deep").plays == ("gamon", "five", "four")
    five, gamon, four = cup.contests
    assert (five.game, five.players, five.seating, five.fill) == ("gargon", 5, "rotation", "mirror")
    assert five.rules == {"open_winnings": False, "zero_tie_draw": True, "start": 0}
    assert gamon.rules["coins"] == 20
    assert list(gamon.variations()) == [{"first_attacker": "navy"}, {"first_attacker": "pirate"}]
    assert (four.fill, four.fillers, four.score) == ("bots", ("dice",), "win")
    assert (cup.order.mode, cup.order.challengers) == ("gauntlet", ("rule",))
    assert cup.sprt == SprtRule("rule", "dice", "gamon", "logistic", (0, 5), 0.01, 0.05)
    assert (cup.budget.guard_seconds, cup.budget.bank_seconds) == (2.5, 60)
    assert (cup.faults.two_player, cup.faults.most, cup.faults.after) == ("substitute", 0, 20)
    assert (cup.rating.anchor, cup.rating.overall) == ({"dice": -100}, ("nash",))
    assert cup.overall.verdict == "each"


def test_few_lines_are_enough(match: ReadMatch) -> None:
    """Two bots, a game and a seed."""
    cup = match(schedule="{}")
    assert (cup.order.mode, cup.order.blocks) == ("round_robin", 100)
    assert (cup.budget.guard_seconds, cup.faults.share, cup.faults.after) == (60, 0.1, 20)
    assert (cup.sprt, cup.workers, cup.out) == (None, None, None)
    assert cup.overall.verdict == "mean_score"


def test_the_question_is_part_of_the_match_but_games_keep_their_ids(match: ReadMatch) -> None:
    """A match from before the key has the default question, and its first line stays the same."""
    plain, asked = match(seed="1"), match(seed="1\n    overall: {verdict: mean_rank}")
    assert "overall" not in identity_of(plain)
    assert identity_of(asked)["overall"] == {"verdict": "mean_rank"}
    assert public_digest(asked) == public_digest(plain)
    assert match_of(spec_of(asked)).overall == asked.overall
    assert match_of(spec_of(plain)).overall == plain.overall


def test_games_bots_and_a_number_of_blocks_are_enough(file: File, registry: PluginRegistry) -> None:
    cup = read_match(file("games: [kuhn]\nbots: [first, random]\nblocks: 20\n"), registry)
    assert (cup.name, cup.seed, cup.order.blocks, cup.out) == ("cup", 0, 20, None)
    assert [contest.id for contest in cup.contests] == ["kuhn"]
    assert [(bot.id, bot.use) for bot in cup.entrants] == [("first", "first"), ("random", "random")]


def test_ids_follow_from_the_texts_of_bots_and_are_unique(
    file: File, registry: PluginRegistry
) -> None:
    others = "{use: 'ismcts:iterations=4,rollout=first'}, {id: First, use: random}"
    bots = f"['ismcts:20', first, 'ismcts:20', {others}]"
    cup = read_match(file(f"games: [kuhn]\nbots: {bots}\n"), registry)
    ids = ["ismcts-20", "first-2", "ismcts-20-2", "ismcts-iterations-4-rollout-first", "First"]
    assert [bot.id for bot in cup.entrants] == ids


def test_a_mapping_without_a_name_is_named_by_games_and_bots(registry: PluginRegistry) -> None:
    match = {"games": ["kuhn", {"game": "leduc", "score": "rank"}], "bots": ["first", "ismcts:20"]}
    assert parse_match(match, registry).name == "kuhn-leduc-first-ismcts-20"


def test_the_number_of_blocks_is_given_once(problems: Callable[[str], list[str]]) -> None:
    text = "games: [kuhn]\nbots: [first, random]\nblocks: 3\nschedule: {blocks: 4}\n"
    said = "cup.yaml:4:12: blocks is also a key of the match: give the number once"
    assert problems(text) == [said]


def test_everything_wrong_is_said_at_once(problems: Callable[[str], list[str]]) -> None:
    """Each with its line and column, and a valid value."""
    said = [line.removeprefix("cup.yaml:") for line in problems(WRONG)]
    expected = SAID.strip().splitlines()
    assert [line.partition(": ")[0] for line in said] == [e.partition(": ")[0] for e in expected]
    for line, wanted in zip(said, expected, strict=True):
        start, _, end = wanted.partition("...")
        assert line.startswith(start.strip())
        assert line.endswith(end.strip())
        assert "..." in wanted or line == wanted


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("use: rule}", "use: gamon-only}", "6:21: unknown bot 'gamon-only'"),
        (
            "plays: [gamon, five, four]",
            "plays: []",
            "7:52: expected a list of games of this match, not an empty list",
        ),
        ("[rule]", "[deep, rule]", "13:12: no challenger meets another bot in four"),
        (
            "fill: [dice]",
            "fill: [dice, rule]",
            "13:12: only deep plays four, not counting the bots that fill seats",
        ),
        ("game: gamon, elo", "game: five, elo", ""),
        ("a: rule, b: dice", "a: dice, b: deep", "15:14: dice and deep never meet in gamon"),
        ("a: rule, b: dice", "a: rule, b: rule", "15:27: a and b are both 'rule'"),
        ("game: gamon, ", "", "15:14: rule and dice meet in five, gamon: set game to one of them"),
        ("players: 5", "players: 1", "9:39: a match needs games for two or more players"),
        ("seating: rotation", "seating: full", ""),
        (
            "{coins: 20}",
            "{coins: 20, first_attacker: navy}",
            "12:14: option first_attacker is also set",
        ),
        ("[navy, pirate]", "[navy, navy]", "12:37: option first_attacker has this value twice"),
        ("anchor: {dice: -100}", "anchor: {dice: 0, rule: 0}", "18:18: anchor is a mapping of one"),
        (
            "mode: gauntlet, ch",
            "mode: round_robin, ch",
            "14:31: challengers is only allowed with mode gauntlet",
        ),
        ("substitute: rule", "substitute: rul", "17:66: unknown bot 'rul'. Did you mean 'rule'?"),
        ("alpha: 0.01", "alpha: 0.99", "beta"),
    ],
)
def test_what_does_not_fit_together_is_said(
    file: File, registry: PluginRegistry, old: str, new: str, said: str
) -> None:
    """One change of a good file, one message; where none is expected, it is good."""
    assert old in FULL
    path = file(FULL.replace(old, new))
    if not said:
        read_match(path, registry)
        return
    with pytest.raises(MatchFileError) as caught:
        read_match(path, registry)
    (problem,) = caught.value.problems
    assert said in problem


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("bots: [{id: a, use: random}]", "4:7: a match needs at least two bots"),
        ("games: []", "expected a list of games, not an empty list"),
        ("schedule: 3", "expected a mapping such as {blocks: 200}, not '3'"),
        ("games: [{game: garner, mirror: {layout: [base, a]}}]", "the values use different cards"),
        ("stop: {sprt: {a: a}}", "missing key 'b'"),
        ("stop: {sprt: {a: a, b: b}}\nschedule: {mode: racing}", "`stop` is not allowed with"),
    ],
)
def test_small_files_with_one_mistake(
    problems: Callable[[str], list[str]], lines: str, said: str
) -> None:
    parts = {
        "bots": "bots: [{id: a, use: random}, {id: b, use: random}]",
        "games": "games: [{game: kuhn}]",
    }
    parts |= {line.partition(":")[0]: line for line in lines.splitlines()}
    text = "\n".join(["cardhub_match: 1", "name: x", "seed: 1", *parts.values()])
    (problem,) = problems(text)
    assert said in problem


def test_a_file_that_is_no_mapping_or_is_not_there(
    problems: Callable[[str], list[str]], registry: PluginRegistry
) -> None:
    assert problems("- 1\n") == ["cup.yaml:1:1: expected a mapping, not a list"]
    assert problems("cardhub_match: [\n")[0].startswith("cup.yaml:2:1: invalid YAML")
    with pytest.raises(MatchFileError, match=r"^none\.yaml:1:1: cannot be read"):
        read_match(Path("none.yaml"), registry)


def test_a_race_is_run_by_pairs(match: ReadMatch) -> None:
    text = FULL.replace("{mode: gauntlet, challengers: [rule], blocks: 20}", "{mode: racing}")
    stop = next(line for line in text.splitlines() if "sprt" in line)
    cup = match(text.replace(stop, ""))
    assert [contest.fill for contest in cup.contests] == ["mirror", "none", "bots"]


def test_the_canonical_form_says_the_same(match: ReadMatch) -> None:
    """It survives JSON, and becomes the same match again."""
    cup = match(FULL)
    again = match_of(json.loads(json.dumps(spec_of(cup))))
    assert json.dumps(spec_of(again)) == json.dumps(spec_of(cup))
    assert again == replace(cup, workers=None, out=None)


def test_values_that_change_no_game_are_no_part_of_the_identity(match: ReadMatch) -> None:
    cup = match(FULL)
    same = FULL.replace("blocks: 20", "blocks: 2000").replace("workers: 8", "workers: 1")
    same = same.replace("zero_tie_draw: yes", "zero_tie_draw: true").replace("nash", "mean")
    assert identity_digest(match(same)) == identity_digest(cup)
    for old, new in (
        ("20250101", "20250102"),
        ("coins: 20", "coins: 21"),
        ("id: deep", "id: deeper"),
        ("guard_seconds: 2.5", "guard_seconds: 3"),
        ("elo: [0, 5]", "elo: [0, 6]"),
        ("rotation", "balanced"),
    ):
        assert identity_digest(match(FULL.replace(old, new))) != identity_digest(cup), old


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("game: kuhn", "game: ''", "8:12: game"),
        ("use: random", "use: ' '", "5:18: use"),
        ("schedule:", "out: ''\nschedule:", "9:6: out"),
        ("schedule:", "faults: {substitute: ''}\nschedule:", "9:22: substitute"),
    ],
)
def test_an_empty_text_is_told_with_its_place(
    file: Callable[[str], Path], registry: PluginRegistry, old: str, new: str, place: str
) -> None:
    text = dedent(KUHN).replace(old, new, 1)
    with pytest.raises(MatchFileError) as caught:
        read_match(file(text), registry)
    shown = "' '" if "' '" in new else "empty"
    problem = f"cup.yaml:{place} must be a non-empty text, not {shown}"
    assert caught.value.problems == [problem]


HOUSE = ROOT / "matches" / "house.yaml"


def test_the_house_cup_can_be_played(registry: PluginRegistry) -> None:
    """All bots meet in all three games; `out` is set, which puts all files in one folder."""
    match = read_match(HOUSE, registry)
    games = Games(match)
    met = {
        (contest.id, len(groups(match, contest)), games.size(contest.id, bots))
        for contest in match.contests
        for bots in groups(match, contest)
    }
    assert met == {("gargon", 1, 4), ("gamon", 6, 4), ("garner", 6, 2)}
    bots = {entrant.id for entrant in match.entrants}
    assert bots == {"rule", "pimc", "ismcts-50", "ismcts-1000"}
    assert (match.rating.anchor, match.out) == ({"rule": 0}, "runs/house")


@pytest.mark.parametrize("game", ["gamon", "garner", "gargon", "hearts"])
def test_each_level_meets_the_level_below_it_in_the_match_of_levels(
    game: str, registry: PluginRegistry
) -> None:
    match = read_match(ROOT / "matches" / f"{game}-levels.yaml", registry)
    met = {contest.id: groups(match, contest) for contest in match.contests}
    assert met == {upper: [(lower, upper)] for lower, upper in pairwise(LEVELS)}
    assert all(entrant.use == entrant.id for entrant in match.entrants)
