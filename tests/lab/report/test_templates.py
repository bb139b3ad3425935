"""Templates of reports: compiling them takes longer than a small match."""

from pathlib import Path

import pytest
from jinja2 import Environment

from cardhub.lab.report import rendering

NAME = "parts.html.jinja"


def environment(*, is_html: bool) -> Environment:
    """Return a new environment, like another process."""
    return rendering.environment.__wrapped__(is_html=is_html)


def count_compiled(patch: pytest.MonkeyPatch) -> list[bool]:
    """Return a list that gets whether each template compiled from now on is escaped."""
    compiled: list[bool] = []
    compile_template = Environment.compile

    def noted(env: Environment, *arguments: object) -> object:
        compiled.append(bool(env.autoescape))
        return compile_template(env, *arguments)  # type: ignore[call-overload]  # any arguments

    patch.setattr(Environment, "compile", noted)
    return compiled


def test_a_template_is_compiled_by_one_process_for_all(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Once for pages, and once for text that is not escaped."""
    monkeypatch.setattr(rendering, "COMPILED", tmp_path / "compiled")
    compiled = count_compiled(monkeypatch)
    for is_html in (True, False, True, False):
        environment(is_html=is_html).get_template(NAME)
    assert compiled == [True, False]


@pytest.mark.parametrize("is_allowed", [True, False])
def test_templates_that_cannot_be_kept_are_compiled_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_allowed: bool
) -> None:
    """The folder cannot be made, or Python must not keep compiled code."""
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "compiled" if is_allowed else tmp_path / "compiled"
    monkeypatch.setattr(rendering, "COMPILED", folder)
    monkeypatch.setattr("sys.dont_write_bytecode", not is_allowed)
    compiled = count_compiled(monkeypatch)
    for _ in range(2):
        environment(is_html=True).get_template(NAME)
    assert compiled == [True, True]
    assert not folder.exists()
