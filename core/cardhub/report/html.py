"""A report as a self-contained HTML page."""

import json
from inspect import getmembers, isfunction
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from cardhub.errors.quoting import listed
from cardhub.report import number_format
from cardhub.report.partner_tables import ad_hoc, partners_caption
from cardhub.report.view.game_row import game_row, ordinal
from cardhub.report.view.match_warnings import audit_failures, warnings_of
from cardhub.report.view.page import Page

FORMATS = dict(getmembers(number_format, isfunction))


def html(page: Page) -> str:
    """Return a report as an HTML string; all strings of the match file are escaped."""
    template = environment(is_html=True).get_template("report.html.jinja")
    return template.render(page=page, result=page.result, notices=warnings_of(page.result))


def environment(*, is_html: bool) -> Environment:
    """Return the Jinja environment; each function of `number_format` is a filter by its name."""
    found = Environment(
        loader=PackageLoader("cardhub.report"),
        # Names in a match file come from third parties. Markdown is escaped by the filter `plain`.
        autoescape=is_html,
        undefined=StrictUndefined,  # a misspelt name is an error, not an empty cell
        # Otherwise the tags of the templates would leave blank lines.
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters.update(
        FORMATS,
        listed=listed,
        row=game_row,
        ordinal=ordinal,
        uneven=audit_failures,
        pretty=_pretty,
        partners_caption=partners_caption,
        ad_hoc=ad_hoc,
    )
    return found


def _pretty(data: Any) -> str:
    """Encode an object as indented JSON with sorted keys."""
    return json.dumps(data, ensure_ascii=False, indent=2, sort_keys=True)
