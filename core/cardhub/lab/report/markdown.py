"""A report as Markdown, which is readable without rendering, too."""

import re
from collections.abc import Callable
from functools import cache
from inspect import getmembers, isfunction
from typing import Any

from jinja2 import Template

from cardhub.lab.report import tables
from cardhub.lab.report.html import environment
from cardhub.lab.report.tables import TextTable
from cardhub.lab.report.view.overview import ranking_notes, warnings_of
from cardhub.lab.report.view.page import Page
from cardhub.view.text.glyphs import cells

TABLES = {
    name: make
    for name, make in getmembers(tables, isfunction)
    if name[0] != "_" and make.__annotations__.get("return") is TextTable
}
# Characters that would be markup at their position; `_` within a word is not markup.
SPECIAL = re.compile(r"^[#>]|[\\`*\[\]|]|~~|<(?=[\w/!?])|&(?=#?\w+;)|(?<!\w)_|_(?!\w)")


def markdown(page: Page) -> str:
    """Return a report as a Markdown string; all strings of the match file are escaped."""
    return _template().render(page=page, result=page.result, notices=warnings_of(page.result))


@cache
def _template() -> Template:
    env = environment(is_html=False)
    env.filters.update(plain=plain, fenced=fenced, ranking_notes=ranking_notes)
    env.filters.update({f"{name}_table": _drawn(make) for name, make in TABLES.items()})
    return env.get_template("report.md.jinja")


def plain(text: str) -> str:
    """Return a string on one line with all Markdown escaped."""
    # A line break would end the row of a table.
    return SPECIAL.sub(lambda sign: "\\" + sign[0], " ".join(str(text).split()))


def fenced(text: str) -> str:
    """Return a string as a fenced code block."""
    # The fence must be longer than every run of backticks inside, which would close it.
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def drawn(table: TextTable) -> str:
    """Return a table as a string of aligned columns."""
    is_right = [head.startswith(">") for head in table.heads]
    lines = [[plain(head.removeprefix(">")) for head in table.heads]]
    lines += [[plain(cell) for cell in row] for row in table.rows]
    # Markdown requires three dashes in the line below the heads.
    widths = [max(3, *(cells(line[n]) for line in lines)) for n in range(len(is_right))]
    rule = [f"{'-' * (w - 1)}:" if r else "-" * w for w, r in zip(widths, is_right, strict=True)]
    return "\n".join(
        f"| {' | '.join(_pad(*cell) for cell in zip(line, widths, is_right, strict=True))} |"
        for line in [lines[0], rule, *lines[1:]]
    )


def _drawn(make: Callable[[Any], TextTable]) -> Callable[[Any], str]:
    return lambda view: drawn(make(view))


def _pad(text: str, width: int, is_right: bool) -> str:
    room = " " * (width - cells(text))
    return room + text if is_right else text + room
