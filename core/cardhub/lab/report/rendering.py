"""Render a report as a self-contained HTML page, or as Markdown that is readable as plain text."""

import base64
import hashlib
import json
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from inspect import getmembers, isfunction
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, PackageLoader, StrictUndefined, Template
from jinja2.bccache import Bucket
from markupsafe import Markup
from typing_extensions import override

from cardhub.base import writing
from cardhub.lab.report import number_format, tables
from cardhub.lab.report.tables import (
    TextTable,
    ad_hoc,
    encounters,
    final_places,
    joint_pairs,
    models,
    overall_pairs,
    partners,
    partners_caption,
    places_pairs,
    rating_legend,
    refusal_reasons,
    refused_answers,
    resources,
)
from cardhub.lab.report.view.game_view import MARKS, game_remarks, ordinal
from cardhub.lab.report.view.model_view import models_heading, settled_sentences
from cardhub.lab.report.view.overview import audit_failures, ranking_notes, warnings_of
from cardhub.lab.report.view.page import (
    Page,
    loss_scale,
    rater_name,
    review_methods,
    review_notes,
    review_summary,
)
from cardhub.lab.report.view.resource_view import USES, late_sentences, limits_sentence
from cardhub.lab.report.view.rounds_view import rounds_sentence
from cardhub.lab.report.view.verdict import LEGENDS, QUESTIONS
from cardhub.view.text.glyphs import cells

STYLE, SCRIPT = "report.css", "report.js"
# Where Python, too, keeps what it has compiled.
COMPILED = Path(__file__).with_name("templates") / "__pycache__"
FORMATS = dict([*getmembers(writing, isfunction), *getmembers(number_format, isfunction)])


def html(page: Page) -> str:
    """Return a report as an HTML string; all strings of the match file are escaped."""
    env = environment(is_html=True)
    notices = warnings_of(page.result)
    style, script = (Markup(inlined(env, name)) for name in (STYLE, SCRIPT))
    return env.get_template("report.html.jinja").render(
        page=page,
        result=page.result,
        notices=notices,
        quiet=[notice for notice in notices if not notice.is_loud],
        style=style,
        script=script,
        policy=content_policy(style, script),
    )


class CompiledTemplates(FileSystemBytecodeCache):
    """Keeps compiled templates for other processes, if Python may keep modules and can write."""

    def __init__(self, folder: Path, pattern: str) -> None:
        super().__init__(str(folder), pattern)

    @override
    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):  # it is compiled again
            super().load_bytecode(bucket)

    @override
    def dump_bytecode(self, bucket: Bucket) -> None:
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                Path(self.directory).mkdir(exist_ok=True)
                super().dump_bytecode(bucket)


@cache  # compiling the templates takes longer than rendering them
def environment(*, is_html: bool) -> Environment:
    """Return the Jinja environment; the functions of `writing` and `number_format` are filters."""
    env = Environment(
        loader=PackageLoader("cardhub.lab.report"),
        # Names in a match file come from third parties. Markdown is escaped by the filter `plain`.
        autoescape=is_html,
        undefined=StrictUndefined,  # a misspelt name is an error, not an empty cell
        # Without these options the tags of the templates would leave blank lines.
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        # Compiled code depends on `autoescape`, so the files of the two kinds are separate.
        bytecode_cache=CompiledTemplates(COMPILED, f"%s-{'html' if is_html else 'text'}.cache"),
    )
    env.globals.update(
        LEGENDS, NO_INTERVALS=number_format.NO_INTERVALS, QUESTIONS=QUESTIONS, USES=USES
    )
    _add_filters(env)
    return env


def _add_filters(env: Environment) -> None:
    """Add the functions that templates call."""
    env.filters.update(
        FORMATS,
        remarks=game_remarks,
        ordinal=ordinal,
        uneven=audit_failures,
        pretty=_pretty,
        brief=_brief,
        partners_caption=partners_caption,
        partners=partners,
        ad_hoc=ad_hoc,
        joint_pairs=joint_pairs,
        overall_pairs=overall_pairs,
        places_pairs=places_pairs,
        encounters=encounters,
        final_places=final_places,
        rounds_sentence=rounds_sentence,
        rating_legend=rating_legend,
        models=models,
        refused_answers=refused_answers,
        refusal_reasons=refusal_reasons,
        resources=resources,
        limits_sentence=limits_sentence,
        late_sentences=late_sentences,
        mark=MARKS.__getitem__,
        rater_name=rater_name,
        review_methods=review_methods,
        review_notes=review_notes,
        review_summary=review_summary,
        loss_scale=loss_scale,
        models_heading=models_heading,
        settled_sentences=settled_sentences,
    )


def inlined(env: Environment, name: str) -> str:
    """Return the source of a template file as it is."""
    if env.loader is None:
        raise AssertionError(name)
    return env.loader.get_source(env, name)[0]


def content_policy(style: str, script: str = "") -> str:
    """Return the content security policy of a page with this style and an optional script."""
    # The page loads nothing, and the browser accepts only this style and this script.
    scripts = _source(script) if script else "'none'"
    return (
        f"default-src 'none'; style-src {_source(style)}; script-src {scripts}; "
        "base-uri 'none'; form-action 'none'"
    )


def _source(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _pretty(data: Any) -> str:
    """Encode an object as indented JSON with sorted keys."""
    return json.dumps(data, ensure_ascii=False, indent=2, sort_keys=True)


def _brief(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return the specification of a match with the number of positions instead of them."""
    games = [
        game | {"openings": f"{len(game['openings'])} positions, in the first line of games.jsonl"}
        if "openings" in game
        else game
        for game in spec["games"]
    ]
    return {**spec, "games": games}


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
