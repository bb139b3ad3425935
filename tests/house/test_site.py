"""The documentation as a site: it builds without a warning, needs no network, and is complete."""

import os
import re
import runpy
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from tests.kit.paths import ROOT

import cardhub
from cardhub import testing
from cardhub.base import errors

SITE = ROOT / "docs" / "site"
PAGES = runpy.run_path(str(SITE / "reference.py"))["PAGES"]
SHOWN = {
    "check": b"FAILED",
    "friends": b"JFIF",
    "help": b"Laying",
    "match": b"anytime",
    "report": b"PNG",
}
FETCHING = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Links(HTMLParser):
    """The links of a page, and the files that a browser fetches for it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Store the links of the tag."""
        values = dict(attrs)
        if tag == "a" and values.get("href"):
            self.links.append(values["href"] or "")
        if tag in FETCHING and values.get(FETCHING[tag]):
            self.fetched.append(values[FETCHING[tag]] or "")


# Builds the site like build_site.py, with headings only on most pages, which takes a third of the
# time: their text is in the whole site of `make docs`, which `.ci/run` builds.
OUTLINE = """
import re, sys
from pathlib import Path

import build_site

WHOLE = {"index.md", "write-a-bot.md", "games.rst", "bots.rst", "plugins.rst"}
CODE = re.compile(r"^(`{3,}).*?^\\1$", re.MULTILINE | re.DOTALL)


def collect_outline(folder):
    collect(folder)
    for page in {*folder.rglob("*.md"), *folder.rglob("*.rst")}:
        if page.name not in WHOLE:
            page.write_text(outline(page.read_text("utf-8"), page.suffix), "utf-8")


def outline(text, suffix):
    if suffix == ".rst":
        return "".join(text.splitlines(keepends=True)[:2])
    head = "---\\norphan: true\\n---\\n" if text.startswith("---\\norphan") else ""
    return head + "\\n".join(re.findall("^#+ .*$", CODE.sub("", text), re.MULTILINE))


collect, build_site.collect = build_site.collect, collect_outline
sys.exit(build_site.build(Path(sys.argv[1])))
"""


def build_site(folder: Path, *words: str) -> Path:
    """Build the site by a program; it has to succeed without a warning."""
    environment = {**os.environ, "PYTHONPATH": str(SITE)}
    command = [sys.executable, *words, str(folder)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the outline of the site, once for all tests."""
    return build_site(tmp_path_factory.mktemp("site"), "-c", OUTLINE)


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Links]:
    """Return all pages with their links."""
    return links_of(site)


def links_of(site: Path) -> dict[Path, Links]:
    """Return all pages of a site with their links."""
    return {path: Links(path.read_text("utf-8")) for path in site.rglob("*.html")}


def test_every_page_is_in_the_site(site: Path) -> None:
    """A page outside all chapters causes a warning, and a warning is an error."""
    names = {path.stem for path in (ROOT / "docs").glob("*.md")} | {"index", "changes", "search"}
    assert names <= {path.stem for path in site.glob("*.html")}
    text = (site / "index.html").read_text("utf-8")
    assert all(f'href="{name}.html"' in text for name in names - {"index"})
    for game in (path.parents[1].name for path in ROOT.glob("games/*/cardhub_*/rules.md")):
        assert f'href="games/{game}.html"' in text, "players look for the rules there"


def test_nothing_is_fetched_from_elsewhere(site: Path, pages: dict[Path, Links]) -> None:
    """Pages, style sheets and pictures load no script, style, font or picture from elsewhere."""
    check_nothing_is_fetched(site, pages)


def check_nothing_is_fetched(site: Path, pages: dict[Path, Links]) -> None:
    """Check that a site needs no network."""
    for page, links in pages.items():
        assert [url for url in links.fetched if urlsplit(url).netloc] == [], page
    for path in [*site.rglob("*.css"), *site.rglob("*.svg")]:
        text = path.read_text("utf-8")
        assert re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//[^)]*", text) == [], path
    assert (site / "searchindex.js").stat().st_size > 10_000


def test_every_link_within_the_site_leads_somewhere(pages: dict[Path, Links]) -> None:
    check_links(pages)


def check_links(pages: dict[Path, Links]) -> None:
    """Check that links within a site lead somewhere, also to pages that show files."""
    for page, links in pages.items():
        for link in links.links:
            parts = urlsplit(link)
            if not parts.scheme and parts.path:
                assert (page.parent / unquote(parts.path)).exists(), (page, link)
    assert any("files" in str(page) and "game.py" in str(page) for page in pages)


@pytest.mark.soak("half a minute; the tests above have an outline of the site, test_docs the links")
def test_the_whole_site_is_built_and_searched(tmp_path: Path) -> None:
    """The words are not in the glossary; a stem stands for a word if the index has stems."""
    site = build_site(tmp_path / "site", str(SITE / "build_site.py"))
    index = (site / "searchindex.js").read_text("utf-8")
    tried = ("faq", "troubleshoot", "upgrad", "shortcut", "licens", "leaderboard", "hotseat")
    assert [word for word in tried if not re.search(rf"[{{,\"]{word}\"?:", index)] == []
    check_nothing_is_fetched(site, links_of(site))
    check_links(links_of(site))


def test_docstrings_read_as_they_are_meant(site: Path) -> None:
    """Code is marked as such, and the names of classes lead to them."""
    text = (site / "reference" / "games.html").read_text("utf-8")
    assert "`" not in re.sub(r"<script.*?</script>|<pre.*?</pre>", "", text, flags=re.DOTALL)
    assert 'href="bots.html#cardhub.Observation"' in (
        site / "reference" / "plugins.html"
    ).read_text("utf-8")
    assert '<span class="pre">lay</span> <span class="pre">R14</span>' in text


def test_everything_an_author_may_use_is_in_the_reference() -> None:
    """It has all exports of `cardhub`; the page of errors has all errors."""
    listed = {name.rpartition(".")[2] for _, _, names in PAGES.values() for name in names}
    assert set(cardhub.__all__) - listed - {"hookimpl", *vars(errors)} == set()
    used = {"checks", "check_game", "check_bot", "ByHand", "inspect_game"}
    assert used <= listed & set(testing.__all__)


def test_the_pictures_are_drawn_by_the_table_itself() -> None:
    pictures = runpy.run_path(str(SITE / "pictures.py"))
    drawn = pictures["table_picture"](pictures["TABLES"]["gargon"])
    assert "YOUR&#160;TURN" in drawn
    assert "@font-face" not in drawn
    kept = list((ROOT / "docs" / "pictures").iterdir())
    assert {path.stem for path in kept} == {
        *pictures["TABLES"],
        *pictures["SCREENS"],
        *pictures["OTHERS"],
    }
    sources = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    text = "".join(path.read_text("utf-8") for path in sources)
    for path in kept:
        assert SHOWN.get(path.stem, b"Anna") in path.read_bytes()
        assert path.stat().st_size < 150_000
        assert f"pictures/{path.name})" in text
