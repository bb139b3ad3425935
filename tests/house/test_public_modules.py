"""Pages, examples and templates import only the modules whose names are kept."""

import importlib
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from tests.kit.paths import ROOT

# docs/use-from-python.md promises their names; every other module may move.
PUBLIC = (
    "cardhub",
    "cardhub.gymnasium",
    "cardhub.lab",
    "cardhub.learning",
    "cardhub.pettingzoo",
    "cardhub.play",
    "cardhub.testing",
    "cardhub.textarena",
    "cardhub_openspiel",
)
# About the code itself, or about its past.
INTERNAL = ("architecture.md", "benchmarks.md", "browser-table.md", "CHANGELOG.md", "decisions/")
PAGES = [
    page
    for page in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
    if not any(name in page.relative_to(ROOT).as_posix() for name in INTERNAL)
]
SOURCES = sorted(
    [
        *(ROOT / "examples").rglob("*.py"),
        *(ROOT / "core" / "cardhub" / "cli" / "game" / "templates").rglob("*.tmpl"),
    ]
)
IMPORT = re.compile(r"^\s*(?:from|import) (cardhub[\w.]*)", re.MULTILINE)
# A dotted name in a sentence: `cardhub.play.Table`, but no file such as `cardhub.service`.
NAMED = re.compile(r"(?<![\w./-])(cardhub(?:\.[A-Za-z_]\w*)+)")
# Groups of entry points, and a unit of systemd.
NO_MODULES = {"cardhub.games", "cardhub.plugins", "cardhub.service"}


def is_public(module: str) -> bool:
    """Return whether a module may be shown: a public one, or the package of a game."""
    return module in PUBLIC or re.fullmatch(r"cardhub_(?!openspiel)\w+", module) is not None


def is_public_name(name: str) -> bool:
    """Return whether a dotted name is a public module, or what such a module exports."""
    module = max((m for m in PUBLIC if f"{name}.".startswith(f"{m}.")), key=len)
    attribute = name.removeprefix(module).lstrip(".").partition(".")[0]
    exporting = importlib.import_module(module)
    is_version = attribute == "__version__" and hasattr(exporting, attribute)
    return not attribute or is_version or attribute in exporting.__all__


def lines_with(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Yield the number of the line and the name of each match."""
    for match in pattern.finditer(text):
        yield text.count("\n", 0, match.start(1)) + 1, match[1]


def test_pages_examples_and_templates_import_public_modules_only() -> None:
    hidden = [
        f"{path.relative_to(ROOT)}:{line}: {module}"
        for path in (*PAGES, *SOURCES)
        for line, module in lines_with(path.read_text("utf-8"), IMPORT)
        if not is_public(module)
    ]
    assert hidden == []


def test_pages_name_public_modules_only() -> None:
    hidden = [
        f"{page.relative_to(ROOT)}:{line}: {name}"
        for page in PAGES
        for line, name in lines_with(page.read_text("utf-8"), NAMED)
        if name not in NO_MODULES and not is_public_name(name)
    ]
    assert hidden == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from cardhub.play.setup import set_up", ["cardhub.play.setup"]),
        ("    import cardhub.lab as lab", ["cardhub.lab"]),
        ("from cardhub import Game\nfrom kuhn import Kuhn", ["cardhub"]),
        ("import numpy\nfrom cardhub_gamon.table import GAMON", ["cardhub_gamon.table"]),
    ],
)
def test_imports_are_found_in_any_text(text: str, expected: list[str]) -> None:
    assert [module for _, module in lines_with(text, IMPORT)] == expected


def test_the_promise_names_each_public_module() -> None:
    for page in ("use-from-python.md", "upgrading.md"):
        text = (ROOT / "docs" / page).read_text("utf-8")
        assert [module for module in PUBLIC if f"`{module}`" not in text] == [], page


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_module_has_all_names_that_it_exports(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__
    assert len(module.__all__) > 2
    assert [exported for exported in module.__all__ if not hasattr(module, exported)] == []
    with pytest.raises((AttributeError, ImportError)):
        _ = module.no_such_name


@pytest.mark.parametrize("name", ["cardhub", "cardhub.lab", "cardhub.learning", "cardhub.play"])
def test_names_that_load_late_are_listed_for_completion(name: str) -> None:
    # In a fresh process, because names that were used before are listed anyway.
    missing = f"import {name} as package; print(set(package.__all__) - set(dir(package)))"
    done = subprocess.run([sys.executable, "-c", missing], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("set()\n", "")


def test_sources_and_pages_are_looked_at() -> None:
    """The checks above would pass without any."""
    assert len(PAGES) > 30
    assert {path.suffix for path in SOURCES} >= {".py", ".tmpl"}
