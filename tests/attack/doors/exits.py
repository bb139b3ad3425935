"""Exits: all information that a viewer can get of a game, as comparable data."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.attack.doors.sessions import seated_at, shown_by_replay, shown_by_session
from tests.kit.table_texts import text_of

from cardhub import Game, Observation
from cardhub.base.errors import IllegalActionError
from cardhub.bots.asking import advise
from cardhub.bots.external.messages import game_message, turn_message
from cardhub.learning.adapters.pettingzoo import CardhubEnv
from cardhub.learning.arrays import Layout
from cardhub.model.hidden.serialization import serialize
from cardhub.model.table.state import fields_of
from cardhub.play.announcing.announcer import count_events
from cardhub.play.announcing.events import Event
from cardhub.play.host.replays.replay import replay_so_far
from cardhub.play.host.table_host import Host
from cardhub.play.host.turns.hint_requests import hint_of
from cardhub.play.pages.building_data import build_replay_data
from cardhub.play.pages.replay_page import replay_html
from cardhub.play.records.formats import go_through
from cardhub.play.records.reading import parse_record
from cardhub.play.records.recording import as_record
from cardhub.play.records.redaction import redact_game
from cardhub.play.records.replaying import open_record
from cardhub.play.referee import Referee
from cardhub.play.table_model import TableModel
from cardhub.plugins.loading import export_text
from cardhub.plugins.registry import find_plugins
from cardhub.testing.game_checks.error_checks.error_exits import EXITS as ERROR_TEXTS

REGISTRY = find_plugins()
# Bots asked for hints; few iterations are enough to depend on the observation.
HINTS = ("ismcts:8", "pimc:4")


@dataclass(slots=True)
class Side:
    """One of two games that look the same to a viewer.

    `events` are the events since the last look, `before` is the observation at the last turn. The
    viewer has a session at a host of the game.
    """

    referee: Referee[Any]
    viewer: int
    seen: Observation[Any]
    events: list[Event] = field(default_factory=list)
    before: Observation[Any] | None = None
    host: Host = field(init=False)
    session: TableModel = field(init=False)

    def __post_init__(self) -> None:
        self.host, self.session = seated_at(self.referee, self.viewer)

    @property
    def is_seat(self) -> bool:
        """Whether the viewer is a player, not a spectator."""
        return self.viewer < len(self.referee.players)

    @property
    def is_to_act(self) -> bool:
        """Whether the viewer is to act."""
        return self.seen.is_to_act

    @property
    def names(self) -> list[str]:
        """The players' names."""
        return [player.name for player in self.referee.players]


class Exit(NamedTuple):
    """A way in which a viewer learns of a game, checked in one of several probes."""

    name: str
    every: int
    look: Callable[[Side, Random], object]


def observation(side: Side, _rng: Random) -> object:
    """Return the observation, directly and in the form that bots in other processes get."""
    return side.seen.history, fields_of(side.seen.state), serialize(side.seen)


def legal(side: Side, _rng: Random) -> object:
    """Return the legal actions, and the action that the viewer could undo."""
    may_undo = [side.referee.can_undo(seat) for seat in range(len(side.names))]
    return side.seen.legal() if side.is_to_act else None, may_undo


def scene(side: Side, _rng: Random) -> object:
    """Return the table as data."""
    return side.seen.scene()


def text(side: Side, rng: Random) -> object:
    """Return the table as text, in a terminal of any width."""
    return text_of(side.seen, side.names, rng.choice((40, 80, 120)))


def story(side: Side, _rng: Random) -> object:
    """Return the events since the last look."""
    return side.events, count_events(side.referee)


def information_state(side: Side, _rng: Random) -> object:
    """Return all that the viewer has ever known."""
    return side.seen.information_state()


def words(side: Side, _rng: Random) -> object:
    """Return the labels of all actions and cards."""
    labels, groups = side.seen.labels(side.names), side.seen.game.actions
    tokens = range(len(side.seen.state.seen))
    actions = [a for a in range(groups.size) if groups.token(a) in (None, *tokens)]
    cards = [labels.card(token) for token in tokens]
    return [labels.label(a) for a in actions], [labels.notation(a) for a in actions], cards


def session(side: Side, rng: Random) -> object:
    """Return the table as the viewer's session shows it."""
    return shown_by_session(side.host, side.session, rng)


def replay(side: Side, rng: Random) -> object:
    """Return the current game as a replay shows it to the viewer."""
    return shown_by_replay(side.referee, side.viewer, rng)


def replay_page(side: Side, _rng: Random) -> object:
    """Return the game's replay page for this viewer."""
    return replay_html(build_replay_data(replay_so_far(side.referee, [side.viewer])))


@lru_cache(maxsize=64)
def _layout(game: Game[Any], seats: int, settings: tuple[tuple[str, Any], ...]) -> Layout:
    return Layout(game, seats, dict(settings), history=3)


def _layout_of(side: Side) -> Layout:
    settings = tuple(side.referee.settings.items())
    return _layout(side.referee.game, len(side.names), settings)


def arrays(side: Side, _rng: Random) -> object:
    """Return the observation as an array and its mask."""
    layout = _layout_of(side)
    return layout.encode(side.seen).tobytes(), layout.mask(side.seen).tobytes()


def messages(side: Side, _rng: Random) -> object:
    """Return the messages that a program in the viewer's seat would get."""
    if not side.is_to_act:
        return None
    game = game_message(side.seen, seed=7)
    return json.dumps([game, turn_message(side.seen, side.before, seconds=1.0)])


def errors(side: Side, rng: Random) -> object:
    """Return the error messages that the viewer can get, by name."""
    seed = rng.getrandbits(64)
    looks = (look(side.referee, side.viewer, Random(seed)) for look in ERROR_TEXTS)
    return {name: text for texts in looks for name, text in texts}


def redacted(side: Side, _rng: Random) -> object:
    """Return the record redacted for the viewer."""
    return redact_game(side.referee, side.viewer)


def exports(side: Side, _rng: Random) -> object:
    """Return the record in all formats, written for the viewer."""
    record = parse_record(Path("game.jsonl"), as_record(side.referee).encode())
    called = side.names[side.viewer] if side.is_seat else "spectator"
    game = side.referee.game
    through = go_through(record, open_record(game, record), side.viewer, called)
    return [export_text(exporter, declared, through) for exporter, declared in REGISTRY.exporters()]


def hints(side: Side, rng: Random) -> object:
    """Return the advice of search bots to the viewer."""
    if not side.is_to_act:
        return None
    advice = []
    for kind in HINTS:
        bot = REGISTRY.make_bot(kind, side.referee.game.name, Random(rng.random()))
        rated = advise(bot, side.referee.observe(side.viewer))
        advice.append((rated, hint_of(kind, rated, side.seen, side.names)))
    return advice


def pettingzoo(side: Side, rng: Random) -> object:
    """Return the viewer's data as an agent of a PettingZoo environment."""
    if not side.is_seat or side.referee.is_over:
        return None
    env = CardhubEnv(_layout_of(side), render_mode="ansi")
    env.reset(seed=0)
    episode = env.episode  # the environment deals by seeds alone, so its game is replaced
    episode._state = side.referee._state.clone()
    episode.history = list(side.seen.history)
    agent = env.possible_agents[side.viewer]
    env.agent_selection = env.possible_agents[max(episode.seat, 0)]
    given = env.observe(agent)
    seen = given["observation"].tobytes(), given["action_mask"].tobytes()
    if not side.is_to_act:
        return seen, env.infos[agent], env.rewards
    try:
        env.step(rng.choice((-1, env.layout.action_count)))
    except IllegalActionError as error:
        return seen, env.last(observe=False), env.render(), str(error)
    raise AssertionError("an illegal action was carried out")


EXITS = (
    Exit("observation", 1, observation),
    Exit("legal actions", 1, legal),
    Exit("scene", 1, scene),
    Exit("story", 1, story),
    Exit("information state", 1, information_state),
    Exit("text", 2, text),
    Exit("error texts", 12, errors),
    Exit("the session", 6, session),
    Exit("the replay", 40, replay),
    Exit("the page of the replay", 80, replay_page),
    Exit("messages to programs", 3, messages),
    Exit("arrays", 4, arrays),
    Exit("names", 8, words),
    Exit("PettingZoo", 8, pettingzoo),
    Exit("hints", 30, hints),
    Exit("redacted record", 60, redacted),
    Exit("exporters", 60, exports),
)
