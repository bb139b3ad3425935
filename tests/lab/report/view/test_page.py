"""The page: its text, valid HTML, and links that lead to games."""

import re
import shutil
from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert
from msgspec.structs import replace
from typing_extensions import override

from cardhub.lab.analysis.schema import MatchResult
from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.report.report_files import write_reports
from cardhub.lab.report.view.verdict import conclude

VOID = {"meta", "br", "link", "img", "input", "hr"}
SHAPES = {"line", "circle", "rect", "path", "polyline", "polygon"}
ADDRESS = re.compile(r"(?:https?:)?//[a-z]", re.IGNORECASE)

Retold = Callable[..., Any]


class Reader(HTMLParser):
    """Parses a page and collects errors that browsers would repair."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.outside: list[str] = []
        self.words: list[str] = []

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self._look(tag, attrs)

    @override
    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in SHAPES, f"<{tag}/> is not closed for a browser"
        self._look(tag, attrs)

    @override
    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    @override
    def handle_data(self, data: str) -> None:
        if self.open[-1:] not in (["style"], ["script"]):
            self.words.append(data)

    def _look(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"{tag} has an attribute twice"
        assert not any(name.startswith("on") for name in names)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name == "href" and value is not None and value.startswith("#"):
                self.links.append(value[1:])
            elif name in ("href", "src", "srcset", "action", "data", "xlink:href"):
                self.outside.append(value or "")


def read(text: str) -> Reader:
    """Return a page, read to its end."""
    assert text.startswith('<!doctype html>\n<html lang="en">')
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def words(text: str) -> str:
    """Return the text of a page in one line."""
    return " ".join(" ".join(read(text).words).split())


@pytest.mark.parametrize("name", ["cup", "duel"])
def test_the_page_is_well_formed_and_all_links_lead_somewhere_in_it(
    name: str, request: pytest.FixtureRequest
) -> None:
    """No external resources, no duplicate ids, one style and one script that its policy names."""
    text = request.getfixturevalue(name).text("report.html")
    page = read(text)
    assert len(set(page.ids)) == len(page.ids)
    assert page.links
    assert set(page.links) <= set(page.ids)
    assert page.outside == []
    assert not ADDRESS.search(text)
    assert text.count("<script") == text.count("<style") == 1
    for kind in ("style", "script"):
        content = text.split(f"<{kind}>")[1].split(f"</{kind}>")[0]
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in unescape(text)
    assert "default-src 'none'" in unescape(text)
    assert "@import" not in text
    assert "url(" not in text


def test_the_verdict_comes_first(cup: Any) -> None:
    page_words = words(cup.text("report.html"))
    sentence = conclude(cup.typed).sentence
    assert page_words.index(sentence) < page_words.index(
        "All games together", page_words.index("Settings")
    )
    for game in cup.result["statistics"]["games"]:
        assert f" in {game['game']}" in page_words


def test_every_bot_has_its_rating_with_range_and_interval(cup: Any) -> None:
    page_words = words(cup.text("report.html"))
    for game in cup.result["statistics"]["games"]:
        for bot in game["bots"]:
            low, high = (
                "" if end is None else f"{round(end):+d}".replace("-", "−")
                for end in (bot["elo"]["low"], bot["elo"]["high"])
            )
            if bot["elo"]["value"] is None:
                assert (f"> {low}" if low else f"< {high}") in page_words, bot
            else:
                assert low == high or f"{low} to {high}" in page_words, bot
    assert "◆ dice" in page_words


def test_the_crosstable_tells_verdicts_by_signs_too(cup: Any) -> None:
    text = cup.text("report.html")
    signs = {"better": "▲", "worse": "▼", "open": "·"}
    for game in cup.result["statistics"]["games"]:
        for cell in game["crosstable"]:
            label = (
                f"{cell['bot']} against {cell['against']}: {cell['score']:.3f}, {cell['verdict']}"
            )
            mark = f'aria-label="{label}"><span class="mark">{signs[cell["verdict"]]}</span>'
            assert mark in text


def lists(text: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the content of each list of games."""
    parts = re.split(r'<section class="list" id="([^"]+)"', text)
    yield from zip(parts[1::2], parts[2::2], strict=True)


def test_lists_hold_games_of_the_log_with_the_commands_that_show_them(cup: Any) -> None:
    ids = {game.id for game in cup.games}
    parts = dict(lists(cup.text("report.html")))
    assert len(parts) > 20
    for part in parts.values():
        shown = re.findall(r"cardhub match show \. (\w+)", part)
        assert shown
        assert set(shown) <= ids
        is_whole = re.search(rf"<p>{len(shown)} games?\.", part)
        assert is_whole or "To list all" in part


def test_the_list_of_a_pair_has_their_games_only(cup: Any) -> None:
    """All of them, in the order of the log."""
    text = cup.text("report.html")
    (link,) = set(re.findall(r'<a href="#([^"]+)">dice – steady</a></th>', text)[:1])
    part = dict(lists(text))[link]
    shown = re.findall(r"cardhub match show \. (\w+)", part)
    game = cup.result["statistics"]["games"][0]["game"]
    meant = [g.id for g in cup.games if g.contest == game and set(g.bots) == {"dice", "steady"}]
    assert shown == meant


def test_bars_of_margins_lead_to_games_with_such_margins(cup: Any) -> None:
    text = cup.text("report.html")
    parts = dict(lists(text))
    titles = {re.search(r"<h3[^>]*>([^<]*)", part)[1]: part for part in parts.values()}  # type: ignore[index]  # every list has a title
    bars = [
        (pair, bar)
        for game in cup.result["statistics"]["games"]
        for pair in game["pairs"]
        for bar in pair["margins"]
    ]
    assert bars
    for pair, bar in bars:
        span = f"{bar['from']}" if bar["from"] == bar["to"] else f"{bar['from']} to {bar['to']}"
        title = f"{pair['a']} ahead of {pair['b']} in {pair['game']} by {span}".replace("-", "−")
        assert titles[title].count("cardhub match show") == bar["games"]


def test_faults_stand_with_the_commands_that_show_them_again(cup: Any) -> None:
    page_words = words(cup.text("report.html"))
    (fault,) = cup.result["statistics"]["games"][0]["faults"]
    assert (fault["bot"], fault["fault"]) == ("broken", "exception")
    first = cup.game(fault["game_ids"][0])
    (note,) = first.faults
    assert f"cardhub match repro . {first.id} --seat {note.seat}" in page_words


def test_no_cycle_is_claimed_without_a_certificate(cup: Any) -> None:
    assert "No cycle is certain." in words(cup.text("report.html"))


def test_certified_cycles_are_shown(retold: Retold) -> None:
    def add(result: Any) -> None:
        transitivity = result["statistics"]["games"][0]["transitivity"]
        transitivity["certified_cycles"] = [["dice", "broken", "steady"]]

    assert "dice ▸ broken ▸ steady ▸ dice" in words(retold(add).text("report.html"))


def test_the_settings_are_there_to_be_repeated(cup: Any) -> None:
    """The match in its canonical form, with the hashes and the commands that check it."""
    page_words = words(cup.text("report.html"))
    assert cup.result["spec_sha256"] in page_words
    assert cup.result["games_sha256"] in page_words
    assert '"use": "raiser:after=1"' in page_words
    assert "cardhub match verify . --rerun 5%" in page_words


def test_reasons_for_doubt_are_loud_warnings(retold: Retold) -> None:
    def spoil(result: Any) -> None:
        result.update(is_finished=False, is_reproducible=False, not_reproducible=["dice"])
        result["withdrawn"] = {"broken": 4}
        result["statistics"]["games"][0]["audit"].update(other_cards=2, game_ids=["x"])
        result["statistics"]["overall"]["disagreements"] = ["They see it otherwise."]

    text = retold(spoil).text("report.html")
    page_words = words(text)
    assert text.count('class="notice loud" role="alert"') == 3
    assert "So far" in page_words
    assert "Unfinished The match is unfinished: this report" in page_words
    assert "Not reproducible If the match is played again, dice may play otherwise" in page_words
    assert "leduc: in 2 blocks the deal was not the same in all games" in page_words
    assert "Withdrawn broken was withdrawn after 4 games" in page_words
    assert "The views disagree They see it otherwise." in page_words


def test_a_test_is_described_and_drawn(duel: Any) -> None:
    """Its verdict, strength allowing for the stop, and its course."""
    text = duel.text("report.html")
    test = duel.result["test"]
    assert test["verdict"] == "better"
    assert "dice is better than first in kuhn." in words(text)
    assert text.count('<polyline class="line"') == 2
    points = re.findall(r'<polyline class="line" points="([^"]+)"', text)[0].split()
    assert len(points) == test["blocks"] + 1


def test_a_test_without_a_median_has_the_anytime_valid_interval(duel: Any, tmp_path: Path) -> None:
    shutil.copy(duel.folder / "games.jsonl", tmp_path)
    result = convert(duel.result, MatchResult)
    estimate = result.statistics.test
    assert estimate is not None
    always = OpenEstimate(300.0, 90.0, None)
    changed = replace(estimate, elo=None, elo_always=always, elo_note="All alike.")
    statistics = replace(result.statistics, test=changed)
    write_reports(tmp_path, replace(result, statistics=statistics))
    page, text = ((tmp_path / name).read_text("utf-8") for name in ("report.html", "report.md"))
    assert "Elo, anytime-valid above +90" in words(page)
    assert "above +90" in text
    for report in (page, text):
        assert "Elo, allowing for the stop" not in report
        assert "All alike." in report


def renamed(data: Any, old: str, new: str) -> Any:
    """Return data for JSON with one text in the place of another."""
    if isinstance(data, dict):
        return {renamed(key, old, new): renamed(part, old, new) for key, part in data.items()}
    if isinstance(data, list):
        return [renamed(part, old, new) for part in data]
    return new if data == old else data


def test_names_cannot_become_part_of_the_page(retold: Retold) -> None:
    """Names of bots and games are escaped."""
    evil = "<img src=x onerror=alert(1)>&amp;\"'</style>"

    def rename(result: Any) -> None:
        result.update(renamed(result, "steady", evil))
        result["name"] = evil
        result["statistics"]["notes"] = [evil]
        for game in result["statistics"]["games"]:
            game["name"], game["notes"] = evil, [evil]

    text = retold(rename).text("report.html")
    assert "<img" not in text
    assert text.count("</style>") == 1
    assert evil in "".join(read(text).words)
