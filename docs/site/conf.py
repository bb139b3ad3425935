"""How Sphinx builds the site."""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.metadata import version as version_of
from typing import Any

from reference import LINKED
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.highlighting import lexer_classes
from sphinx.search.en import SearchEnglish

project, author = "cardhub", "the cardhub authors"
version = release = version_of("cardhub")
project_copyright = "MIT licence"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["site"]
html_theme = "furo"  # its fonts are the reader's own, and nothing is fetched from elsewhere
html_title = f"cardhub {release}"
html_copy_source = html_show_sourcelink = html_show_sphinx = False
pygments_style, pygments_dark_style = "friendly", "monokai"
lexer_classes["example"] = lexer_classes["none"]  # the examples on pages of rules are plain text

myst_heading_anchors = 4
myst_links_external_new_tab = False

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True, "undoc-members": True}
python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries_show_parents = "hide"

REFERS = re.compile(r"See \w+\.")
SHORTER = (
    (r"~?\b(?:\w+\.)+(\w+)", r"\1"),
    ("<factory>", "{}"),
    (r"<function [\w.]*<lambda>>", "..."),
    (r"<function (\w+)>", r"\1"),
    (r"<class '(\w+)'>", r"\1"),
    (r"<(\w+) object>", r"\1()"),
)
NAME = re.compile(r"[A-Z][A-Za-z]+")
CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
FENCE = re.compile(r"^( *)```\w*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def read_docstring(
    _app: Sphinx, _kind: str, _name: str, _thing: Any, _options: Any, lines: list[str]
) -> None:
    """Turn a docstring from Markdown into the markup of Sphinx."""
    text = FENCE.sub(_fence, "\n".join(lines))
    lines[:] = CODE.sub(_code, text).splitlines()


def _code(match: re.Match[str]) -> str:
    """Return the name of a documented class as a link, other text as code."""
    is_linked = NAME.fullmatch(match[1]) and match[1] in LINKED
    return f":py:obj:`.{match[1]}`" if is_linked else f"``{match[1]}``"


def _fence(match: re.Match[str]) -> str:
    block = "".join(f"    {line}\n" for line in match[2].splitlines())
    return f"{match[1]}.. code-block:: text\n\n{block}"


def skip_member(
    _app: Sphinx, _kind: str, _name: str, thing: Any, _skip: bool, _options: Any
) -> bool | None:
    """Leave out members explained elsewhere: fields of named tuples, and `See Option.`."""
    refers = REFERS.fullmatch(getattr(thing, "__doc__", None) or "")
    return True if refers or type(thing).__name__ == "_tuplegetter" else None


def read_signature(
    _app: Sphinx,
    kind: str,
    _name: str,
    thing: Any,
    _options: Any,
    signature: str | None,
    returns: str | None,
) -> tuple[str | None, str | None]:
    """Remove the arguments of protocols and the addresses in defaults from a signature."""
    if kind == "class" and getattr(thing, "_is_protocol", False):
        return "", None
    for pattern, text in SHORTER:
        signature = re.sub(pattern, text, signature) if signature else signature
    return signature, returns


def read_navigation(
    app: Sphinx, _page: str, _template: str, context: dict[str, Any], _tree: Any
) -> None:
    """Make the navigation from titles only.

    The theme shows only titles, but Sphinx would copy all headings and names of all pages for every
    page, which takes a third of the time of a build.
    """
    make: Callable[..., str] = context["toctree"]

    def titles_alone(**options: Any) -> str:
        whole, app.env.tocs = app.env.tocs, _titles(app.env)
        try:
            return make(**options)
        finally:
            app.env.tocs = whole

    context["toctree"] = titles_alone


@cache
def _titles(env: BuildEnvironment) -> dict[str, Any]:
    return {name: _title(toc.deepcopy()) for name, toc in env.tocs.items()}


def _title(toc: Any) -> Any:
    for entry in toc.children:
        if not any(True for _ in entry.findall(addnodes.toctree)):
            del entry[1:]
    return toc


def setup(app: Sphinx) -> None:
    """Connect the above."""
    # Pages repeat their words: without a cache, stems take a tenth of the time of a build.
    SearchEnglish.stem = lru_cache(None)(SearchEnglish.stem)  # type: ignore[method-assign]
    # Before the theme, which makes the navigation at the default priority of 500.
    app.connect("html-page-context", read_navigation, priority=400)
    app.connect("autodoc-skip-member", skip_member)
    app.connect("autodoc-process-signature", read_signature)
    app.connect("autodoc-process-docstring", read_docstring)
