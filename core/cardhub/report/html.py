"""A report as a page that needs nothing beside itself."""

import json
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from cardhub.report import figures
from cardhub.report.game_row import game_row, ordinal
from cardhub.report.notices import notices, uneven
from cardhub.report.page import Page

FIGURES = (
    "circles",
    "count",
    "deals",
    "elo",
    "elo_range",
    "listed",
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
    """Return a report as HTML; whatever stands in the match file is escaped."""
    template = environment(is_html=True).get_template("report.html.jinja")
    return template.render(page=page, result=page.result, notices=notices(page.result))


def environment(*, is_html: bool) -> Environment:
    """Return what renders the templates of this package, with all figures as filters."""
    found = Environment(
        loader=PackageLoader("cardhub.report"),
        # A match file is somebody's text: in HTML all of it is escaped, in Markdown by its writer.
        autoescape=is_html,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters.update({name: getattr(figures, name) for name in FIGURES})
    found.filters.update(row=game_row, ordinal=ordinal, uneven=uneven, pretty=pretty)
    return found


def pretty(data: Any) -> str:
    """Return data as JSON to be read, keys sorted."""
    return json.dumps(data, ensure_ascii=False, indent=2, sort_keys=True)
