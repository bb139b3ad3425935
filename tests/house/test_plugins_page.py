"""The page on plugins is complete."""

import inspect
import re
from dataclasses import fields

import pytest
from tests.kit.paths import ROOT

from cardhub import Moment, Playthrough
from cardhub.model.cards.cards import COLOURS
from cardhub.plugins import hookspecs
from cardhub.plugins.hookspecs import HOOKS

PAGE = (ROOT / "docs" / "plugins.md").read_text("utf-8")


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_is_listed_and_has_an_example(hook: str) -> None:
    arguments = ", ".join(inspect.signature(getattr(hookspecs, hook)).parameters)
    assert f"| `{hook}({arguments})` | " in PAGE
    assert f"@hookimpl\ndef {hook}({arguments}):" in PAGE


def test_every_hook_that_is_specified_is_known() -> None:
    """Another one would be valid, but never called."""
    specified = {name for name in vars(hookspecs) if name.startswith("register_")}
    assert specified == set(HOOKS)


@pytest.mark.parametrize("kind", [Playthrough, Moment])
def test_everything_an_exporter_gets_is_explained(kind: type) -> None:
    """The page links to the docstring, which has every attribute."""
    assert f"`{kind.__name__}`" in PAGE
    assert [f.name for f in fields(kind) if f"`{f.name}`" not in (kind.__doc__ or "")] == []


def test_every_colour_of_a_card_is_named() -> None:
    """A theme's author need not look for them."""
    assert [name for name in COLOURS if not re.search(rf"\b{name}\b", PAGE)] == []
