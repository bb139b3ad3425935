"""Write the pages of studies and comparisons as self-contained HTML."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader
from markupsafe import Markup

from cardhub.lab.match.log.log_writer import replace_file
from cardhub.lab.report.html import STYLE, content_policy, environment, inlined
from cardhub.lab.study import figure_text
from cardhub.lab.study.comparison import StudyComparison
from cardhub.lab.study.page.comparison_view import view_comparison
from cardhub.lab.study.page.study_view import view_study
from cardhub.lab.study.study_folder import PAGE
from cardhub.lab.study.study_schema import StudyResult

OWN_STYLE = "study.css"


def write_page(folder: Path, result: StudyResult) -> Path:
    """Write the page of a study into its folder and return its path; raises MatchError."""
    replace_file(folder / PAGE, study_html(result))
    return folder / PAGE


def write_comparison(
    path: Path, comparison: StudyComparison, studies: Sequence[StudyResult]
) -> Path:
    """Write the page that compares studies, and return its path; raises MatchError."""
    replace_file(path, comparison_html(comparison, studies))
    return path


def study_html(result: StudyResult) -> str:
    """Return the page of a study; all strings are escaped."""
    return _rendered("study.html.jinja", view=view_study(result), result=result)


def comparison_html(comparison: StudyComparison, studies: Sequence[StudyResult]) -> str:
    """Return the page that compares studies; all strings are escaped."""
    return _rendered(
        "comparison.html.jinja", view=view_comparison(comparison, studies), result=studies[0]
    )


def _rendered(name: str, **values: Any) -> str:
    env = _environment()
    style = Markup(inlined(env, STYLE) + inlined(env, OWN_STYLE))
    return env.get_template(name).render(style=style, policy=content_policy(style), **values)


@cache
def _environment() -> Environment:
    outer = environment(is_html=True)
    loaders = [PackageLoader("cardhub.lab.study.page"), PackageLoader("cardhub.lab.report")]
    env = outer.overlay(loader=ChoiceLoader(loaders))
    # A new dict, because the overlay shares its filters with the outer environment.
    env.filters = {
        **outer.filters,
        "measure": figure_text.measure_text,
        "games_of": figure_text.games_text,
        "options_of": figure_text.options_text,
        "bots_of": figure_text.bots_text,
        "figure": figure_text.value_text,
    }
    return env
