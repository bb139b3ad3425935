"""Accessibility checks by axe-core: screen readers, the keyboard and contrast."""

from functools import cache
from importlib.resources import files
from typing import Any

from playwright.sync_api import Page

RUN = """async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const options = {runOnly: [...tags, "experimental"],
        rules: {"label-content-name-mismatch": {enabled: true}, "target-size": {enabled: true},
            // Scrolling texts are focusable with Tab although they are not widgets.
            "focus-order-semantics": {enabled: false}}};
    const {violations} = await axe.run(document, options);
    return violations.flatMap(({id, nodes}) =>
        nodes.map(node => `${id}: ${node.html.slice(0, 160)}`));
}"""


@cache
def _axe() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")


def barriers_on(page: Page) -> Any:
    """Return the violations that axe-core reports on a page: the rule and the element."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(_axe())
    return page.evaluate(RUN)
