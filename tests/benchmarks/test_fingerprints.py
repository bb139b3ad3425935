"""Fingerprints of games and searches are repeatable, and show every difference."""

import json
import sys
from pathlib import Path

import pytest

import fingerprints

SMALL = ["fingerprints.py", "--game", "kuhn", "--games", "3", "--searches", "3"]


def output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[str, str]:
    """Return the program's output and error output."""
    monkeypatch.setattr(sys, "argv", [*SMALL, *more])
    fingerprints.main()
    return capsys.readouterr()


def test_a_second_run_is_equal_to_the_first(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A difference in one search is named, and the program ends with 1."""
    earlier = tmp_path / "earlier.json"
    earlier.write_text(output(monkeypatch, capsys)[0], "utf-8")
    with pytest.raises(SystemExit) as ended:
        output(monkeypatch, capsys, "--against", str(earlier))
    assert not ended.value.code
    assert "all equal" in capsys.readouterr().err
    changed = json.loads(earlier.read_text("utf-8"))
    changed["kuhn"]["search"] = "0"
    earlier.write_text(json.dumps(changed), "utf-8")
    with pytest.raises(SystemExit) as ended:
        output(monkeypatch, capsys, "--against", str(earlier))
    assert ended.value.code == 1
    assert "kuhn: search is" in capsys.readouterr().err
