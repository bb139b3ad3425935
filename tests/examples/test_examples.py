"""Third-party plugins: they are found, played and recorded like the games of cardhub."""

import re
import tomllib
from importlib import import_module
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from tests.examples.code_lines import code_lines
from tests.kit.paths import ROOT

from cardhub.cli.main import cli
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import let_bot_act, set_up
from cardhub.plugins.registry import find_plugins

EXAMPLES = ROOT / "examples"
# The example games; there are bots among the examples as well, without a package.
GAMES = sorted(path.parent.name for path in EXAMPLES.glob("*/pyproject.toml"))
PAGE = ROOT / "docs" / "examples.md"
ROW = re.compile(r"^\| \[(.+)\]\(\.\./examples/(\w+)\) \| (\d+) \| (.+) \|$", re.MULTILINE)


def size(game: str) -> int:
    """Return how many lines of code an example has."""
    sources = (EXAMPLES / game / game).glob("*.py")
    return sum(code_lines(path.read_text("utf-8")) for path in sources)


def test_kuhn_poker_takes_about_sixty_lines_of_code() -> None:
    """The whole game, its display included: the contract requires no more code."""
    assert 30 < size("kuhn") < 70
    parts = {path.name for path in (EXAMPLES / "kuhn" / "kuhn").iterdir()} - {"__pycache__"}
    assert parts == {"__init__.py", "cards.yaml", "game.py", "py.typed", "rules.md"}


def test_the_tricks_of_hearts_take_about_a_hundred_lines_of_code() -> None:
    """They deal, pass, follow suit, infer cards from that, take tricks and count."""
    source = EXAMPLES / "hearts" / "hearts" / "tricks.py"
    assert 50 < code_lines(source.read_text("utf-8")) < 115


def test_the_page_on_the_examples_lists_them_all_with_their_sizes() -> None:
    """Titles and line counts are compared; the descriptions are written by hand."""
    registry = find_plugins()
    listed = {
        name: (title, int(lines)) for title, name, lines, _ in ROW.findall(PAGE.read_text("utf-8"))
    }
    assert listed == {name: (registry.game(name).title, size(name)) for name in GAMES}


def test_every_example_is_typed_layered_and_kept_apart_from_the_others() -> None:
    """The checks of the house look at all of them."""
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    assert {f"examples/{name}" for name in GAMES} <= set(tool["mypy"]["mypy_path"].split(":"))
    assert set(GAMES) <= set(tool["importlinter"]["root_packages"])
    for contract in tool["importlinter"]["contracts"][1:4]:
        listed = contract.get("source_modules", contract.get("modules"))
        assert set(GAMES) <= set(listed), contract["name"]


@pytest.mark.parametrize("name", GAMES)
def test_an_installed_plugin_is_listed_and_loaded_by_its_entry_point(name: str) -> None:
    """Its own package declares it; cardhub does not mention the game."""
    registry = find_plugins()
    assert name in registry.game_names()
    assert registry.game(name).display.rules().startswith(f"# {registry.game(name).title}\n")


@pytest.mark.parametrize("name", GAMES)
def test_the_summary_of_an_example_fits_a_row_of_the_home_screen(name: str) -> None:
    """At 80 columns, after the number of players."""
    docstring = import_module(name).__doc__ or ""
    title, _, summary = docstring.partition("\n")[0].partition(": ")
    assert title == find_plugins().game(name).title
    assert len(summary.removesuffix(".")) <= 38


@pytest.mark.parametrize("name", GAMES)
def test_bots_play_a_plugin_from_the_deal_to_the_scores(name: str) -> None:
    """A game is playable on the day its rules work."""
    registry = find_plugins()
    game = registry.game(name)
    players = [Player(player, "random") for player in NAMES[: game.seats.default]]
    for seed in range(2):
        referee = set_up(game, players, {}, seed)
        bots = [registry.make_bot("random", name, Random(seat)) for seat in range(len(players))]
        referee.proceed()
        while not referee.is_over:
            let_bot_act(referee, bots[referee.seat])
        assert min(referee.places()) == 1


@pytest.mark.parametrize("name", ["gamon", "gargon", "garner", *GAMES])
def test_no_prompt_says_you_because_all_viewers_read_it(name: str) -> None:
    game = find_plugins().game(name)
    players = [Player(player, "random") for player in NAMES[: game.seats.default]]
    referee, rng = set_up(game, players, {}, 1), Random(1)
    for _ in range(60):
        referee.proceed()
        if referee.is_over:
            break
        seen = referee.observe(referee.seat)
        assert not re.search(r"(?i)\byou(r|rs)?\b", seen.scene().prompt), seen.scene().prompt
        referee.apply(rng.choice(seen.legal()))


# Attributes of zones that are nouns themselves.
NOUNS = {
    "hand",
    "deck",
    "stack",
    "stock",
    "board",
    "table",
    "mat",
    "stake",
    "bid",
    "nosegay",
    "role",
}


@pytest.mark.parametrize("name", ["gamon", "gargon", "garner", *GAMES])
def test_every_zone_has_a_noun_because_players_read_where_a_card_came_from(name: str) -> None:
    """Without it they read `from Anna's laid`."""
    zones = find_plugins().game(name).state_type.zones
    assert not [zone.name for zone in zones if not zone.nouns and zone.name not in NOUNS]


# Where cards are numbers, these number the actions: each is tried until one of them is legal.
CARDS = (*(f"on {pile}" for pile in "ABCD"), *map(str, range(2, 100)))
TYPED = {"four_piles": [*CARDS, "done", "stuck"]}


@pytest.mark.parametrize("name", GAMES)
def test_a_person_plays_a_plugin_in_plain_text(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first action of every list leads to the end, and the record replays."""
    monkeypatch.chdir(tmp_path)
    bots = NAMES[1 : find_plugins().game(name).seats.default]
    seats = ["--seat", "Anna=human", *(f"--seat={bot}=random" for bot in bots)]
    played = CliRunner().invoke(
        cli,
        ["play", name, "--plain", "--seed", "4", "--record", "game.jsonl", *seats],
        input="\n".join(TYPED.get(name, ["1"] * 10) * 50),
    )
    assert played.exit_code == 0
    assert "Your turn, Anna: " in played.output
    assert "Result:" in played.output
    replayed = CliRunner().invoke(cli, ["replay", "game.jsonl"])
    assert replayed.exit_code == 0
    assert "Anna " in replayed.output
