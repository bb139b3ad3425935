"""Check that messages of a server of tables reveal no hidden cards: bytes that a client gets."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Generic

from cardhub.model.game.game import Game, S
from cardhub.model.hidden.observation import Observation, Step
from cardhub.model.table.state import OVER
from cardhub.online.wire.session_messages import log_message, table_message
from cardhub.online.wire.wire_codec import encode_message
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.host.table_host import Host
from cardhub.play.host.viewer_session import ViewerSession
from cardhub.play.referee import Referee
from cardhub.play.seating import HUMAN, NAMES, Player
from cardhub.play.table_commands import AskConsequence, AskExplain, AskPast, AskWhy, Question
from cardhub.play.table_messages import Reply
from cardhub.play.workers.client import InlineBotClient
from cardhub.testing.checking import first_difference
from cardhub.testing.deal_replay import draw_game, retrace
from cardhub.testing.random_play import Position

# The name of a message, and its bytes.
Named = tuple[str, bytes]
# Questions of each kind, since each position can have some hundred of them.
FEW = 4


def check_same_messages(game: Game[S], position: Position[S], rng: Random) -> None:
    """Compare the messages of the seat to act and of a random viewer with a determinization's."""
    if position.state.seat == OVER:
        return  # the result shows all cards
    seats = position.state.seats
    truth, steps = _Tables(game, position, position.state, position.history), len(position.history)
    for viewer in {max(position.state.seat, 0), rng.randrange(seats + 1)}:
        observation = Observation(game, position.state, viewer, position.history)
        drawn, history = draw_game(observation, position.history, rng)
        here, elsewhere = (
            dict(_messages(*tables.sessions(viewer), steps))
            for tables in (truth, _Tables(game, position, drawn, history))
        )
        for name, message in here.items():
            if message != (other := elsewhere.get(name, b"")):
                texts = first_difference(message.decode(), other.decode())
                problem = f"the message {name} differs (here {texts[0]}, elsewhere {texts[1]})"
                position.fail(
                    game, "same_messages", f"{problem}: this reveals hidden cards to seat {viewer}"
                )


class _Tables(Generic[S]):
    """Two tables of people at a position: one with listeners of all seats, one without."""

    def __init__(
        self, game: Game[S], position: Position[S], state: S, history: Sequence[Step]
    ) -> None:
        players = [Player(name, HUMAN) for name in NAMES[: state.seats]]
        self._referee = retrace(game, position, state, players, history)
        again = self._referee.restarted()
        host = _host(again)
        self._together = [host.session(viewer) for viewer in range(state.seats + 1)]
        for entry in self._referee.entries[1:]:
            again.apply_entry(entry)

    def sessions(self, viewer: int) -> tuple[ViewerSession, ViewerSession]:
        """Return a viewer's sessions: opened now, and one of all viewers before.

        Viewers who listen together get much of the game in one message.
        """
        return _host(self._referee).session(viewer), self._together[viewer]


def _host(referee: Referee[Any]) -> Host:
    no_bots = InlineBotClient(_no_bot)
    return Host(referee, no_bots, no_bots, BlockingScheduler(), hint="random")


def _no_bot(observation: Observation[Any]) -> int:
    raise AssertionError("a table of people asks no bot")


def _messages(session: ViewerSession, listening: ViewerSession, steps: int) -> Iterator[Named]:
    """Yield messages with names; equal names mark corresponding messages of two games."""
    view = session.view()
    for name, viewer in (("table", session), ("table of all", listening)):
        yield name, encode_message(table_message(viewer))
        yield f"log of the {name}", encode_message(log_message(viewer.log(), 0))
    for spot in sorted(view.spots(), key=repr)[:FEW]:
        yield f"detail of {spot}", _reply(session, AskExplain(id=0, spot=spot))
        yield f"why {spot}", _reply(session, AskWhy(id=0, subject=spot))
    for choice in view.choices[:FEW]:
        command = AskConsequence(id=0, action=choice.action)
        yield f"consequence of {choice.action}", _reply(session, command)
    for step in range(0, steps, max(steps // FEW, 1)):
        yield f"past {step}", _reply(session, AskPast(id=0, step=step))


def _reply(session: ViewerSession, question: Question) -> bytes:
    replies: list[Reply] = []
    session.send(question, replies.append)
    return b"\n".join(map(encode_message, replies))
