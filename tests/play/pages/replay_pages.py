"""Helpers: replay pages of random games, written into a folder."""

from pathlib import Path
from random import Random
from typing import NamedTuple

from playwright.sync_api import Page

from cardhub.play.host.replays.replay import open_replay
from cardhub.play.pages.building_data import ReplayData, ReplayMark, ReplayStop, build_replay_data
from cardhub.play.pages.replay_page import replay_html
from cardhub.play.records.reading import parse_record
from cardhub.play.records.recording import as_record
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()
# Returns the number of the present step, its new log lines, and the prompt.
SHOWN = """() => [
    Number(document.querySelector(".rp-position").textContent.match(/\\d+/)[0]),
    [...document.querySelectorAll(".rp-row.is-now .rp-text")].map(e => e.textContent),
    document.querySelector(".ch-prompt").textContent,
]"""


class ReplayPage(NamedTuple):
    """A page in a file, and the data of the page."""

    path: Path
    data: ReplayData

    @property
    def stops(self) -> tuple[ReplayStop, ...]:
        """The stops of the viewer shown first."""
        return self.data.viewers[self.data.first].stops

    @property
    def shown_steps(self) -> list[int]:
        """The step of each table that the page shows: beats share the step they lead to."""
        return [stop.step for stop in self.stops for _ in (*stop.beats, stop.view)]

    def news(self, number: int) -> list[str]:
        """Return the log lines between a stop and the previous stop."""
        before = self.stops[number - 1].step if number else 0
        log = self.data.viewers[self.data.first].log
        return [line.text for line in log if before < line.step <= self.stops[number].step]


def write_page(folder: Path, game: str, most: int = 10_000) -> ReplayPage:
    """Play a random game, and write its replay page, with a fault at its tenth stop."""
    rules = REGISTRY.game(game)
    players = [Player(name, "random") for name in NAMES[: rules.seats.low]]
    referee = set_up(rules, players, {}, 5)
    referee.proceed()
    rng = Random(1)
    while not referee.is_over and referee.action_count < most:
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
    record = parse_record(folder / "game.jsonl", as_record(referee).encode())
    replay = open_replay(rules, record)
    fault = ReplayMark(step=replay.stop_near(0, 10), kind="fault", text="Bob: no answer in time")
    facts = (("match", "small cup <b>"), ("deal", "3"))
    data = build_replay_data(replay, facts=facts, marks=(fault,))
    path = folder / f"{game}.html"
    path.write_text(replay_html(data), "utf-8")
    return ReplayPage(path, data)


def shown(page: Page) -> tuple[int, list[str]]:
    """Return the step that a page shows, and the new log lines at this step."""
    step, news, _ = page.evaluate(SHOWN)
    return step, news
