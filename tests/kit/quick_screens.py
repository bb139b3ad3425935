"""Screens of Textual without what no test sees: repeated parsing, and updates for a terminal."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from rich.console import RenderableType
from textual._compositor import Compositor
from textual._context import active_app, visible_screen_stack
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.strip import Strip


@contextmanager
def quick_screens() -> Iterator[None]:
    """Parse each style sheet once, and draw a screen without a terminal only if a test reads it.

    Without this, each app and each dialog parses all style sheets, a third of the time of a start.
    """
    parse, render = Stylesheet._parse_rules, Compositor.render_update
    read = Compositor.render_strips
    kept: dict[object, list[RuleSet]] = {}

    def find_or_parse(sheet: Stylesheet, *args: Any, **options: Any) -> list[RuleSet]:
        key = (args, tuple(options.items()), tuple(sheet._variables.items()))
        if key not in kept:
            kept[key] = parse(sheet, *args, **options)
        return kept[key]

    def render_for_terminal(
        screen: Compositor, *args: Any, **options: Any
    ) -> RenderableType | None:
        if not active_app.get().is_headless:
            return render(screen, *args, **options)
        screen._dirty_regions.clear()
        return None

    def render_for_test(screen: Compositor, *args: Any, **options: Any) -> list[Strip]:
        if screen.root is not None:  # a dialog shows the screens behind it
            visible_screen_stack.set(screen.root.app._background_screens)
        return read(screen, *args, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", find_or_parse)
        patch.setattr(Compositor, "render_update", render_for_terminal)
        patch.setattr(Compositor, "render_strips", render_for_test)
        yield
