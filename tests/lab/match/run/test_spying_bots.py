"""A program without a sandbox reads what it can, and finds no deal before it is played."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cardhub.lab.match.log.log_reader import read_games
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.executors import make_executor
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.lab.match.verifier import verify
from cardhub.plugins.registry import PluginRegistry

PROGRAM = Path(__file__).parents[1] / "strangers" / "spying_program.py"
CUP = """
    cardhub_match: 1
    name: cup
    seed: 9
    bots:
      - {id: spy, use: "cmd:PYTHON PROGRAM FOLDER NOTES"}
      - {id: b, use: random}
      - {id: c, use: random}
    games: [{game: kuhn}]
    schedule: {blocks: 2}
    budget: {guard_seconds: none}
"""
RACE = CUP.replace("{blocks: 2}", "{mode: racing, blocks: 6, batch: 1}")
KEY = b"k" * 32
ReadMatch = Callable[[str], Match]


def spied_on(text: str, match: ReadMatch, registry: PluginRegistry, options: RunOptions) -> Path:
    """Play a match with the spying program, and return its folder."""
    folder, notes = Path("out").absolute(), Path("notes").absolute()
    names = {"PYTHON": sys.executable, "PROGRAM": PROGRAM, "FOLDER": folder, "NOTES": notes}
    for name, path in names.items():
        text = text.replace(name, str(path))
    run(match(f"{text}    salt: drawn\n"), registry, folder, options)
    return folder


@pytest.mark.parametrize("options", [RunOptions(), RunOptions(key=KEY)], ids=["", "key"])
@pytest.mark.parametrize("text", [CUP, RACE], ids=["round robin", "race"])
def test_no_file_gives_a_deal_before_it_is_played(
    match: ReadMatch, registry: PluginRegistry, text: str, options: RunOptions
) -> None:
    folder = spied_on(text, match, registry, options)
    games = [result for _, result in read_games(folder)]
    spied = [number for number, result in enumerate(games) if "spy" in result.bots]
    notes = [set(json.loads(line)) for line in Path("notes").read_text("utf-8").splitlines()]
    salt = match_in(folder).salt
    assert salt is not None
    assert salt.is_known
    for words, number in zip(notes, spied, strict=True):
        upcoming = {result.seed for result in games[number:]}
        assert not words & {salt.secret, *upcoming}
    assert notes[-1] & {result.seed for result in games}  # it reads the log
    assert verify(folder, registry).problems == []


def test_workers_do_not_tell_deals_either(match: ReadMatch, registry: PluginRegistry) -> None:
    folder = spied_on(CUP, match, registry, RunOptions(make_executor(2), 8))
    salt = match_in(folder).salt
    assert salt is not None
    notes = Path("notes").read_text("utf-8")
    last = max((result.deal, result.seed) for _, result in read_games(folder))
    assert salt.secret not in notes
    assert last[1] not in notes


def test_a_race_of_an_older_cardhub_is_verified(
    match: ReadMatch, registry: PluginRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pairs had the same deals."""
    text = RACE.replace("cmd:PYTHON PROGRAM FOLDER NOTES", "random") + "    salt: drawn\n"
    with monkeypatch.context() as patch:
        patch.setattr("cardhub.lab.match.run.runner.with_own_deals", lambda match, _: match)
        run(match(text), registry, Path("out"))
    games = [result for _, result in read_games(Path("out"))]
    assert len({result.seed for result in games}) < len({(r.deal, r.bots) for r in games})
    run(match(text.replace("blocks: 6", "blocks: 8")), registry, Path("out"))
    assert verify(Path("out"), registry, rerun=1).problems == []
