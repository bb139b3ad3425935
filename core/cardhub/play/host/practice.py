"""Practice tables: a player decides again at a step of a finished game, and plays on from there.

The position has the cards of the finished game. So only games that open all their cards at the
end can be practised: in others the play of the bots would show cards that stay hidden, and a
determinization would be another game, whose ratings differ from those of the old decision. The
table has no record: the record of the game stays as it is, and statistics do not count practice.
"""

from typing import TYPE_CHECKING, Any

import msgspec
from typing_extensions import override

from cardhub.base.errors import IllegalActionError
from cardhub.bots.bot import Rated
from cardhub.model.game.initial_state import game_scoring
from cardhub.play.advice import comparison_text
from cardhub.play.host.replays.replay import Replay
from cardhub.play.host.table_host import Host
from cardhub.play.host.viewer_session import ViewerSession
from cardhub.play.mixtures import mixture_of
from cardhub.play.referee import Referee
from cardhub.play.seating import HUMAN, Player
from cardhub.play.table_commands import TableCommand, Undo
from cardhub.play.table_messages import OnReply, Refused, TableMessage
from cardhub.play.workers.lineup import NETWORK
from cardhub.view.view import View

if TYPE_CHECKING:
    from cardhub.play.host.replays.results.game_analysis import RatedDecision

AT_START = "This is the decision that you practise: there is nothing to take back."


def practice_players(replay: Replay, seat: int, bot: str) -> list[Player]:
    """Return the players of a practice table: the person of the seat, and bots in all others.

    `bot` replaces other people, and bots over the network.
    """
    players = []
    for number, player in enumerate(replay.players):
        kind = bot if player.is_human or player.kind == NETWORK else player.kind
        players.append(Player(player.name, HUMAN if number == seat else kind))
    return players


class Practice:
    """A decision that a person takes again: it compares each new choice with the old one."""

    def __init__(self, referee: Referee[Any], seat: int, decision: "RatedDecision") -> None:
        self.seat = seat
        self.start = referee.action_count
        self._referee = referee
        self._decision = decision
        self._ratings = {rating.action: rating for rating in decision.rated}
        observation = referee.observe(seat)
        self._mixed = mixture_of(observation, decision.rated).actions
        labels = observation.labels([player.name for player in referee.players])
        self._actions = labels.choices(observation.legal())
        self._names = {action: name for name, action in self._actions.items()}
        state = observation.state
        self._scoring = game_scoring(observation.game, state.settings, state.seats)

    @property
    def has_chosen(self) -> bool:
        """Whether the person has taken the decision again."""
        return self._referee.action_count > self.start

    def is_legal(self, action: int) -> bool:
        """Return whether an action can be chosen at the decision."""
        return action in self._names

    @property
    def old_choice(self) -> str:
        """The name of the action in the finished game."""
        return self._decision.taken

    def verdict(self) -> str:
        """Return how the new choice compares with the old and the best one; empty before it."""
        if not self.has_chosen:
            return ""
        return self.verdict_on(self._referee.observe(self.seat).history[self.start].action)

    def verdict_on(self, action: int) -> str:
        """Return how a legal action compares with the old and the best one."""
        name, decision = self._names[action], self._decision
        if name == decision.best or action in self._mixed:
            return f"You chose “{name}”, the bot's best choice. {decision.comparison}"
        if name == decision.taken:
            best = f"The bot would choose “{decision.best}”."
            return f"You chose “{name}” again. {best} {decision.comparison}"
        rating = self._ratings.get(action)
        if rating is None or not rating.visits:
            return f"You chose “{name}”, which the bot has not tried, so it cannot be compared."
        return f"You chose “{name}”. {self._with_old(rating, name)} {self._with_best(rating, name)}"

    def _with_old(self, rating: Rated, name: str) -> str:
        taken = self._decision.taken
        old = self._ratings[self._actions[taken]]
        if old.value <= rating.value:
            return comparison_text(rating, old, taken, self._scoring)
        return f"Your old choice was “{taken}”. {comparison_text(old, rating, name, self._scoring)}"

    def _with_best(self, rating: Rated, name: str) -> str:
        best = self._decision.rated[0]
        return (
            f"The bot would choose “{self._decision.best}”. "
            f"{comparison_text(best, rating, name, self._scoring)}"
        )


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
        can_undo = self.practice.has_chosen and not view.is_over
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
        self.take_back(self.practice.seat, ())

    @override
    def _new_session(self, seat: int) -> ViewerSession:
        if seat != self.practice.seat:
            return super()._new_session(seat)
        session = PracticeSession(self, self._referee, self._hints, seat)
        session.practice, session.host = self.practice, self
        return session
