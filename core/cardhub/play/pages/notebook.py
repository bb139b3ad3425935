"""What notebooks show of tables, observations and games: pages in frames of their own.

A page stands in a sandboxed frame, so its styles and scripts cannot reach the notebook.
"""

from collections.abc import Sequence
from html import escape
from typing import Any

from cardhub.model.hidden.observation import EVERYTHING, Observation
from cardhub.play.host.replays.replay import Replay, steps_so_far
from cardhub.play.pages.building_data import (
    ReplayData,
    ReplayStop,
    ReplayViewer,
    build_replay_data,
)
from cardhub.play.pages.replay_page import replay_html
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue

# Height of a frame in pixels: the first screen of a page, which scrolls within the frame.
HEIGHT = 560
FRAME = (
    '<iframe srcdoc="{page}" title="{title}" sandbox="allow-scripts" loading="lazy" '
    'style="width:100%;height:{height}px;border:0"></iframe>'
)


def framed(page: str, title: str) -> str:
    """Return a whole page as an element that shows it within another page."""
    return FRAME.format(page=escape(page), title=escape(title), height=HEIGHT)


def observation_html(observation: Observation[Any], names: Sequence[str] = ()) -> str:
    """Return the table as its viewer sees it; `names`: the players' names by seat."""
    game, state = observation.game, observation.state
    names = names or NAMES[: state.seats]
    title = f"{game.title}, as seen by {_viewer_text(observation.seat, names)}"
    viewer = ReplayViewer(
        viewer=observation.seat,
        name=_viewer_text(observation.seat, names),
        stops=(ReplayStop(step=0, view=build_view(observation, names)),),
        log=(),
    )
    data = ReplayData(
        title=title,
        heading=game.title,
        facts=(),
        catalogue=build_catalogue(game),
        viewers=(viewer,),
    )
    return framed(replay_html(data), title)


def finished_game_html(referee: Referee[Any]) -> str:
    """Return the replay of a finished game, whose cards everybody may see."""
    again, steps = steps_so_far(referee)
    seats = len(referee.players)
    replay = Replay(again, steps, (*range(seats), seats, EVERYTHING), EVERYTHING)
    return framed(replay_html(build_replay_data(replay)), replay.game.title)


def _viewer_text(viewer: int, names: Sequence[str]) -> str:
    if viewer == EVERYTHING:
        return "all"
    return names[viewer] if viewer < len(names) else "a spectator"
