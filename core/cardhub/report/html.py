"""A report as a self-contained HTML page."""

import json
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from cardhub.errors.quoting import listed
from cardhub.report import number_format
from cardhub.report.view.game_row import game_row, ordinal
from cardhub.report.view.match_warnings import audit_failures, warnings_of
from cardhub.report.view.page import Page

FORMATS = (
    "circles",
    "count",
    "deals",
    "elo",
    "elo_range",
    "number",
    "opening",
    "p_value",
    "percent",
    "percents",
    "rank",
    "signed",
    "span",
    "times",
    "value",
)


def html(page: Page) -> str:
    """Return a report as HTML; all text of the match file is escaped."""
    template = environment(is_html=True).get_template("report.html.jinja")
    return template.render(page=page, result=page.result, notices=warnings_of(page.result))


def environment(*, is_html: bool) -> Environment:
    """Return the environment of the templates, with all number formats as filters."""
    found = Environment(
        loader=PackageLoader("cardhub.report"),
        # A match file is somebody's text: in HTML all of it is escaped, in Markdown by its writer.
        autoescape=is_html,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters.update({name: getattr(number_format, name) for name in FORMATS})
    found.filters.update(
        listed=listed, row=game_row, ordinal=ordinal, uneven=audit_failures, pretty=pretty
    )
    return found


def pretty(data: Any) -> str:
    """Return data as JSON to be read, keys sorted."""
    return json.dumps(data, ensure_ascii=False, indent=2, sort_keys=True)
