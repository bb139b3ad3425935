"""The benchmark of a server plays at real tables of a real server."""

import sys

import pytest

import serving


def test_people_act_and_their_figures_are_listed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No connection is lost, no message refused; without pauses there are more actions."""
    monkeypatch.setattr(serving, "WARM_UP", 0.1)
    monkeypatch.setattr(serving, "THINK", 1.0)
    monkeypatch.setattr(sys, "argv", ["serving.py", "--tables", "1", "--seconds", "1.5"])
    serving.main()
    printed = capsys.readouterr()
    fast, slow = (line.split() for line in printed.out.splitlines()[-2:])
    assert (fast[:2], slow[:2]) == (["1", "0"], ["1", "1"])
    assert float(fast[2]) > 3 * float(slow[2])
    assert printed.err == ""
