"""Practice tables: a player decides again at a step of a finished game, and plays on from there.

The position has the cards of the finished game. So only games that open all their cards at the
end can be practised: in others the play of the bots would show cards that stay hidden, and a
determinization would be another game, whose ratings differ from those of the old decision. The
table has no record: the record of the game stays as it is, and statistics do not count practice.
"""

import msgspec
from typing_extensions import override

from cardhub.base.errors import IllegalActionError
from cardhub.play.host.replays.replay import Replay
from cardhub.play.host.retaken_decision import Practice
from cardhub.play.host.table_host import Host
from cardhub.play.host.viewer_session import ViewerSession
from cardhub.play.seating import HUMAN, Player
from cardhub.play.table_commands import TableCommand, Undo
from cardhub.play.table_messages import OnReply, Refused, TableMessage
from cardhub.play.workers.bot_messages import NETWORK
from cardhub.view.view import View

NO_PRACTICE = (
    "You cannot choose again at these moves, because some cards of this game stay hidden and "
    "playing on would show them."
)
AT_START = "You are practising this decision, so there is nothing to take back."


def practice_players(replay: Replay, seat: int, bot: str) -> list[Player]:
    """Return the players of a practice table: the person of the seat, and bots in all others.

    `bot` replaces other people, and bots over the network.
    """
    players = []
    for number, player in enumerate(replay.players):
        kind = bot if player.is_human or player.kind == NETWORK else player.kind
        players.append(Player(player.name, HUMAN if number == seat else kind))
    return players


class PracticeSession(ViewerSession):
    """The session of the person who practises: undo goes back over other players' actions, too."""

    practice: Practice
    host: "PracticeHost"

    @override
    def send(self, command: TableCommand, on_reply: OnReply) -> None:
        if not isinstance(command, Undo):
            super().send(command, on_reply)
            return
        try:
            self.host.undo_choice()
        except IllegalActionError as error:
            on_reply(Refused(why=str(error), id=command.id))

    @override
    def view(self) -> View:
        view = super().view()
        can_undo = self.practice.has_chosen
        if view.can_undo == can_undo:
            return view
        return msgspec.structs.replace(view, can_undo=can_undo)

    @override
    def table_message(self) -> TableMessage:
        why = "" if self.practice.has_chosen else AT_START
        return msgspec.structs.replace(super().table_message(), why_no_undo=why)


class PracticeHost(Host):
    """A table without a record, at which a person takes a decision of a finished game again."""

    practice: Practice

    def undo_choice(self) -> None:
        """Go back to before the person's last action; raises IllegalActionError."""
        if not self.practice.has_chosen:
            raise IllegalActionError(AT_START)
        # Chance repeats its outcomes, because the finished game has shown the person all cards.
        self._referee.take_back(self.practice.seat, ())
        self._go_back()

    @override
    def _new_session(self, seat: int) -> ViewerSession:
        if seat != self.practice.seat:
            return super()._new_session(seat)
        session = PracticeSession(self, self._referee, self._hints, seat)
        session.practice, session.host = self.practice, self
        return session
