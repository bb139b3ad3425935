"""What pages and messages claim agrees with the code, the settings and the measured results."""

import re
import tomllib

from tests.house.test_layout import CLASS_LINES, ENTRIES, MODULE_LINES, SMALL_MODULE, WINGS
from tests.house.test_style import FUNCTION_LINES
from tests.kit.paths import ROOT

from cardhub import SeatNumber
from cardhub.plugins.registry import find_plugins

PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
SOURCES = sorted([*ROOT.glob("core/**/*.py"), *ROOT.glob("games/**/*.py")])
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WORDS = (
    *("two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
)
NUMBERS = dict(enumerate(WORDS, 2))
# What pip installs, and the extras within it.
PIP = re.compile(r"pip install (?:-\S+ )*([^\s`]+)")
EXTRAS = re.compile(r"\[([\w,]+)\]")
SECRECY = re.compile(r"hidden card|determinization|the true cards|can see|no seat sees")
PARTS = {  # By package below `cardhub` that loads numpy or scipy, the page's word for it.
    "lab.stats": "statistics",
    "lab.analysis": "analysis",
    "learning.arrays": "arrays",
    "learning.adapters": "adapters",
    "learning.learn": "models",
    "learning.train": "training",
    "bots.solving": "solving",
}


def words(name: str) -> str:
    """Return a page as one line."""
    return " ".join((ROOT / name).read_text("utf-8").split())


def rows(name: str, heading: str) -> list[list[str]]:
    """Return the cells of the table whose first column has this heading."""
    text = (ROOT / name).read_text("utf-8")
    _, start, rest = text.partition(f"\n| {heading} |")
    assert start, f"{name} has no table of {heading}"
    table = rest.partition("\n\n")[0].rstrip("\n").split("\n", 2)[2]
    return [[cell.strip() for cell in line.strip()[1:-1].split("|")] for line in table.split("\n")]


def numbers(cell: str) -> list[float]:
    """Return all numbers of a cell."""
    return [float(text) for text in re.findall(r"\d+(?:\.\d+)?", cell.replace(",", ""))]


def test_sizes_of_the_rules_of_the_house_are_the_sizes_that_are_checked() -> None:
    page = words("CONTRIBUTING.md")
    assert f"{SMALL_MODULE} to 400 lines as a rule, {MODULE_LINES} at most" in page
    assert f"a class has at most {CLASS_LINES} lines, a function {FUNCTION_LINES}." in page
    assert f"at most {ENTRIES} entries, `core/cardhub` at most {WINGS} rooms." in page


def test_every_extra_that_a_text_names_exists_and_is_installed_from_the_checkout() -> None:
    """No package index has cardhub, so `cardhub[web]` could not be installed."""
    extras = set(PROJECT["project"]["optional-dependencies"])
    wrong, named = [], set[str]()
    for path in [*PAGES, *SOURCES]:
        for target in PIP.findall(path.read_text("utf-8")):
            wanted = {name for text in EXTRAS.findall(target) for name in text.split(",")}
            named |= wanted
            if target.strip("\"'").startswith("cardhub") or not wanted <= extras:
                wrong.append(f"{path.relative_to(ROOT)}: pip install {target}")
    assert wrong == []
    assert named >= extras - {"dev"}


def test_every_extra_is_listed_on_the_page_on_installing() -> None:
    page = words("docs/install.md")
    extras = set(PROJECT["project"]["optional-dependencies"]) - {"dev"}
    assert {name for name in extras if f"'.[{name}]'" not in page} == set()


def test_the_architecture_names_the_parts_that_load_numpy_and_scipy() -> None:
    loads = re.compile(r"^\s*(?:import|from) (?:numpy|scipy)\b", re.MULTILINE)
    core = ROOT / "core" / "cardhub"
    parts = {
        ".".join(path.relative_to(core).parts[:2])
        for path in core.rglob("*.py")
        if "_compiled" not in path.parts and loads.search(path.read_text("utf-8"))
    }
    assert parts == set(PARTS)
    *first, last = PARTS.values()
    assert f"numpy and scipy only by {', '.join(first)} and {last}," in words(
        "docs/architecture.md"
    )


def test_the_number_of_games_and_examples_is_the_number_there_is() -> None:
    games = len(PROJECT["project"]["entry-points"]["cardhub.games"])
    examples = len(list(ROOT.glob("examples/*/pyproject.toml")))
    page = words("docs/why-cardhub.md")
    assert f"| games included | {games}, and {examples} examples |" in page
    assert f"cardhub has {NUMBERS[games]}, {NUMBERS[examples]} examples" in page
    assert f"[{NUMBERS[examples].capitalize()} examples](docs/examples.md)" in words("README.md")
    assert f"`examples/` has {NUMBERS[examples]} more" in words("docs/architecture.md")


def test_a_third_of_the_checks_of_games_are_about_hidden_cards() -> None:
    """The page on the checks has all of them, which a test of its own shows."""
    checks = [row for row in rows("docs/game-checks.md", "check") if len(row) == 2]
    secret = [name for name, text in checks if SECRECY.search(text)]
    assert "a third of them about hidden cards" in words("docs/why-cardhub.md")
    assert abs(len(secret) / len(checks) - 1 / 3) < 0.03


def test_an_option_that_is_a_seat_says_which_seat_is_0() -> None:
    """Lobbies and menus number the seats from 1."""
    plugins = find_plugins()
    texts = [
        option.help
        for name in plugins.game_names()
        for option in plugins.game(name).options.values()
        if isinstance(option, SeatNumber)
    ]
    assert texts
    assert [text for text in texts if "0 is the first player" not in text] == []


def test_the_speed_of_compiled_games_equals_the_results() -> None:
    table = rows("benchmarks/results/compiled.md", "game")
    titles = {"four_piles": "Four piles", "gin_rummy": "Gin Rummy", "big_two": "Big Two"}
    ratios = [
        {titles.get(row[0], row[0].capitalize()): numbers(row[column])[0] for row in table}
        for column in (1, 2)
    ]
    spans = [
        f"{min(of.values()):.1f} ({min(of, key=of.__getitem__)}) to "
        f"{max(of.values()):.1f} ({max(of, key=of.__getitem__)})"
        for of in ratios
    ]
    page = words("docs/compiling.md")
    assert f"random play is {spans[0]} times as fast, and search {spans[1]} times" in page
    play, search = ({game: f"{of[game]:.1f}" for game in of} for of in ratios)
    three = ", ".join(f"{game} {play[game]} and {search[game]}" for game in ("Gamon", "Garner"))
    assert f"Gargon has {play['Gargon']} and {search['Gargon']}, {three} (" in page
    low, high = (NUMBERS[round(end(ratios[1].values()))] for end in (min, max))
    assert f"think {low} to {high} times as fast" in page


def test_the_speed_of_a_server_equals_the_results() -> None:
    table = rows("benchmarks/results/serving.md", "tables")
    busy = [numbers(row[3]) for row in table if row[1] == "0 s"]
    page, results = words("docs/benchmarks.md"), words("benchmarks/results/serving.md")
    plain, compiled = ([row[n] for row in busy] for n in (0, 1))
    assert f"handles {min(plain):,.0f} to {max(plain):,.0f} actions a processor second" in page
    assert f"interpreted, compiled {min(compiled):,.0f} to {max(compiled):,.0f}." in page
    gains = [100 * (after / before - 1) for before, after in busy]
    gain = f"makes {min(gains):.0f} to {max(gains):.0f} % more actions a second"
    assert gain in words("docs/compiling.md")
    (many,) = [row for row in table if row[0] == "500" and row[1] == "2 s"]
    share, middle, slow = (numbers(row) for row in (many[4], many[5], many[6]))
    assert f"500 tables take {share[0]:.0f} % of a core (compiled {share[1]:.0f} %)" in page
    assert f"answered in {middle[0]} ms, 99 % in {slow[0]:.0f} to {slow[1]:.0f} ms" in page
    sizes = [size for row in table for size in numbers(row[7])]
    assert f"A table has {min(sizes):.0f} to {max(sizes):.0f} kB" in page
    assert f"A table of four takes {min(sizes):.0f} to {max(sizes):.0f} kB" in words(
        "docs/hosting.md"
    )
    bots = "each wait 2.5 ms for their action (p99 6.6 ms"
    assert bots in page
    assert bots in results


def test_the_speed_of_environments_equals_the_results() -> None:
    results = {
        (game, environment): rate
        for game, environment, rate, *_ in (
            row for row in rows("benchmarks/results/learning-speed.md", "game") if len(row) > 2
        )
    }
    quoted = 0
    for title, *rates in rows("docs/benchmarks.md", "decisions a second"):
        environment = re.sub(r"\[(.+?)\]\(.+?\)", r"\1", title)
        for game, rate in zip(("kuhn", "leduc", "gin_rummy", "hearts"), rates, strict=False):
            assert rate == results.get((game, environment), ""), (environment, game)
            quoted += bool(rate)
    assert quoted >= 16
    shares = rows("benchmarks/results/learning-speed.md", "game | seats")
    plain, compiled = ([int(numbers(row[n])[0]) for row in shares] for n in (6, 7))
    sentence = f"take {min(plain)} to {max(plain)} % of a step of 128 tables"
    assert f"{sentence}, with compiled rules {min(compiled)} to {max(compiled)} %" in words(
        "docs/benchmarks.md"
    )


def test_the_figures_of_matches_equal_the_results() -> None:
    page, name = words("docs/benchmarks.md"), "benchmarks/results/matches.md"
    seconds = {row[0]: row[1] for row in rows(name, "step")}
    steps = ("play, with statistics and reports", "`statistics`", "`match verify`")
    play, statistics, verify = (seconds[step] for step in steps)
    again = seconds["restart in the middle, to the first new game"]
    assert f"take {play} seconds of processor time with statistics and reports" in page
    assert (
        f"alone take {statistics}, `match verify` {verify}, a restart in the middle {again}" in page
    )
    games = [numbers(row[5])[0] for row in rows(name, "game | bots")]
    span = f"{min(games):.0f} to {max(games):.0f}"
    assert f"take {span} ms of processor time more a game" in page
    assert f"costs two bots {span} milliseconds of processor time a game" in words("docs/bots.md")
    growth = rows(name, "game | seats")
    assert (
        f"{growth[0][2]} iterations a second in Gargon with three seats and {growth[1][2]}" in page
    )
    draws = [float(row[3]) for row in growth]
    assert f"A determinization takes {min(draws):.0f} to {max(draws):.0f} µs" in page
