"""Helpers: a page with a table, and views of random games to show on it."""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from tests.view.layout.positions import POSITIONS
from tests.view.layout.views import NAMES

from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.host.replays.replay import replay_so_far
from cardhub.play.host.replays.results.game_result import build_result
from cardhub.play.pages.bundle import bundle_modules, bundle_styles
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import PluginRegistry
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.view import CardCatalogue, View

SEATS = {
    "gargon": 4,
    "gamon": 2,
    "garner": 2,
    "big_two": 4,
    "four_piles": 3,
    "gin_rummy": 2,
    "goofspiel": 3,
    "hearts": 4,
    "kuhn": 2,
    "leduc": 2,
    "nosegay": 3,
    "pig": 3,
    "rebels": 5,
    "roses": 4,
    "spades": 4,
}
# The numbers of actions after which a game is shown.
STOPS = (0, 12, 40)
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>table</title>
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; script-src '{script_hash}'; style-src '{style_hash}'">
<style>{style}</style></head><body><main id="table"></main><script>{script}</script></body></html>
"""
SCRIPT = """"use strict";
{modules}
const calls = [];
let table;
window.begin = (catalogue) => {{
  table = createTable(document.getElementById("table"), {{
    catalogue,
    onChoice: (choice) => calls.push(["choice", choice.action]),
    onSpot: (spot) => calls.push(["spot", ...spot]),
    onUndo: () => calls.push(["undo"]),
  }});
}};
let view;
window.show = (next, extras) => {{
  view = next;
  table.show(view, {{ animate: false, ...extras }});
}};
window.shownView = () => view;
window.calls = calls;
"""
# Pages get JSON, because Playwright takes long to pass on values in its own form.
BEGIN = "(catalogue) => begin(JSON.parse(catalogue))"
STYLE = "html, body, main { height: 100%; margin: 0; }"


class Shown:
    """A view with the catalogue of its game, as JSON for a page."""

    def __init__(self, name: str, view: View, catalogue: CardCatalogue) -> None:
        self.name = name
        self.view = view
        self.catalogue: Any = msgspec.to_builtins(catalogue)
        self.data: Any = msgspec.to_builtins(view)

    def on(self, page: Any, **extras: Any) -> None:
        """Show the view on a page in a new table."""
        page.evaluate(BEGIN, to_json(self.catalogue))
        self.next_on(page, **extras)

    def next_on(self, page: Any, **extras: Any) -> None:
        """Show the view in the present table of the page."""
        show = "([view, extras]) => show(JSON.parse(view), JSON.parse(extras))"
        page.evaluate(show, [to_json(self.data), to_json(extras)])


def to_json(value: object) -> str:
    """Return the JSON of a value for a page."""
    return msgspec.json.encode(value).decode()


def write_page(path: Path) -> None:
    """Write the page with the table's scripts and styles, under a strict policy."""
    style = STYLE + bundle_styles(("table/styles",))
    script = SCRIPT.format(modules=bundle_modules("table/table.js"))
    hashes = {
        f"{name}_hash": f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
        for name, text in (("script", script), ("style", style))
    }
    path.write_text(PAGE.format(script=script, style=style, **hashes), "utf-8")


def views_of(registry: PluginRegistry, name: str) -> list[Shown]:
    """Return views of a game: two for the seat to act, and one for a viewer without a seat."""
    referee = started(registry, name)
    catalogue = build_catalogue(referee.game)
    seats, rng, shown = len(referee.players), Random(5), []
    # Some games are shown to a spectator, others to a viewer who sees everything.
    last = seats if len(name) % 2 else EVERYTHING
    for stop, viewer in zip(STOPS, (None, None, last), strict=True):
        while referee.action_count < stop and not referee.is_over:
            advance(referee, rng)
        seat = max(referee.seat, 0) if viewer is None else viewer
        shown.append(Shown(f"{name} {stop} {seat}", view_by(referee, seat), catalogue))
    return shown


def started(registry: PluginRegistry, name: str, seats: int = 0) -> Referee[Any]:
    """Return a new game at its first decision; 0 seats stand for the game's entry in `SEATS`."""
    players = [Player(NAMES[seat], "random") for seat in range(seats or SEATS[name])]
    referee = set_up(registry.game(name), players, {}, 5)
    referee.proceed()
    return referee


def advance(referee: Referee[Any], rng: Random) -> None:
    """Take a random action."""
    referee.apply(rng.choice(referee.observe(referee.seat).legal()))


def view_by(referee: Referee[Any], viewer: int) -> View:
    """Return the view of a viewer."""
    observation = referee.observe(viewer)
    new = dict.fromkeys(list(range(0, 40, 9)), "from Bob's hand, step 1")
    return build_view(observation, list(NAMES[: len(referee.players)]), origins=new)


def views_after(registry: PluginRegistry, name: str, stops: tuple[int, ...]) -> list[Shown]:
    """Return the views of the seats to act after numbers of random actions."""
    referee, rng, shown = started(registry, name), Random(3), []
    catalogue = build_catalogue(referee.game)
    for stop in stops:
        while referee.action_count < stop and not referee.is_over:
            advance(referee, rng)
        view = view_by(referee, max(referee.seat, 0))
        shown.append(Shown(f"{name} after {stop}", view, catalogue))
    return shown


def end_of(registry: PluginRegistry, name: str) -> tuple[Shown, Any]:
    """Return the view of the first seat at the end of a game, and the result as JSON."""
    referee, rng = started(registry, name), Random(5)
    while not referee.is_over:
        advance(referee, rng)
    result = build_result(replay_so_far(referee, [EVERYTHING]), EVERYTHING)
    view = Shown(f"{name} end", view_by(referee, 0), build_catalogue(referee.game))
    return view, msgspec.to_builtins(result)


def drawn_positions() -> list[Shown]:
    """Return the positions that the terminal's drawings are tested with."""
    positions = {name: make() for name, make in POSITIONS.items()}
    return [Shown(f"drawn {name}", p.view, p.catalogue) for name, p in positions.items()]
