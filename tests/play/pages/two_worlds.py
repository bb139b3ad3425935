"""Helpers: pages of a game in two worlds that a viewer cannot distinguish."""

import json
from pathlib import Path
from random import Random
from typing import Any

from tests.kit.redacting import redact

from cardhub import Game
from cardhub.play.host.replays.replay import open_replay
from cardhub.play.pages.building_data import build_replay_data
from cardhub.play.pages.replay_page import replay_html
from cardhub.play.records.reading import parse_record
from cardhub.play.records.recording import as_record
from cardhub.play.referee import Referee
from cardhub.testing.bot_checks.bot_game import BotGame
from cardhub.testing.random_play import trials

# The most determinizations that are tried to get one that differs from the true game.
MOST_DRAWS = 8


def two_worlds(game: Game[Any], seed: int, most: int) -> list[str]:
    """Return the record of a random game, up to `most` entries, and the record of another world.

    Seat 0 is a person who saw the same in both worlds; the other seats are bots. Deals or shuffles
    differ, and so do the seeds. The list is empty if no other world is found.
    """
    rng = Random(f"{game.name} {seed}")
    played: BotGame[Any] = BotGame(game, next(iter(trials(game, 1, seed))), seat=0)
    end = played.begin()
    while not end.is_over and len(played.entries) < most:
        end.apply(rng.choice(end.observe(end.seat).legal()))
    if end.is_over:
        played = played.until(len(played.entries) // 2)
        end = played.replayed()
    for _ in range(MOST_DRAWS):
        other = played.determinized(0, rng).replayed()
        records = [_with_person(end), _with_person(other)]
        if _secrets(records[0]) != _secrets(records[1]):
            return records
    return []


def page_of(game: Game[Any], text: str) -> str:
    """Return the page of a record, for all its permitted viewers."""
    record = parse_record(Path("game.jsonl"), text.encode())
    return replay_html(build_replay_data(open_replay(game, record)))


def redacted_page_of(game: Game[Any], text: str) -> str:
    """Return the page of a record after its redaction for seat 0."""
    record = parse_record(Path("game.jsonl"), text.encode())
    return page_of(game, redact(game, record, 0))


def _with_person(referee: Referee[Any]) -> str:
    header, *lines = as_record(referee).splitlines(keepends=True)
    facts = json.loads(header)
    facts["players"][0]["kind"] = "human"
    return "".join([json.dumps(facts) + "\n", *lines])


def _secrets(record: str) -> tuple[Any, str]:
    """Return the deal, and the lines with the outcomes of shuffles."""
    header, lines = record.split("\n", 1)
    return json.loads(header)["deal"], lines
