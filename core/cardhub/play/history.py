"""The history of a game with its listeners, apart from the referee because it holds no state."""

from collections.abc import Callable, Sequence

from cardhub.base.errors import IllegalActionError
from cardhub.model.hidden.observation import Step
from cardhub.play.history_entries import Dealt, Entry, Seated, TakenBack
from cardhub.play.seating import Player, check_distinct


class History:
    """The entries of a game from the deal on, its players, and the listeners to new entries.

    `players`: the current players, who may change during the game. `names`: by seat all names that
    its players have had. `steps`: the actions without undone ones.
    """

    def __init__(self, dealt: Dealt, players: Sequence[Player]) -> None:
        self.entries: list[Entry] = [dealt]
        self.steps: list[Step] = []
        self.players = tuple(players)
        self.names: list[tuple[str, ...]] = [(player.name,) for player in players]
        self.listeners: list[Callable[[Entry], object]] = []

    def publish(self, entry: Entry) -> None:
        """Append an entry and pass it to all listeners."""
        self.entries.append(entry)
        # In order: the record subscribes first, so a line is on disk before a viewer sees the step.
        for listener in self.listeners:
            listener(entry)

    def replace(self, entry: Seated) -> None:
        """Seat a player, whose name may come from a record; raises SeatingError for a like name."""
        check_agreed(entry, self)
        seat, player = entry.seat, entry.player
        before, after = self.players[:seat], self.players[seat + 1 :]
        for other in (*before, *after):
            check_distinct((other.name, player.name))
        self.players = (*before, player, *after)
        if player.name not in self.names[seat]:
            self.names[seat] = (*self.names[seat], player.name)
        self.publish(entry)

    def count_actions_since(self, seat: int) -> int:
        """Return the number of actions from the last one of a seat on; 0 if it has not acted."""
        numbers = (
            number for number, step in enumerate(reversed(self.steps), 1) if step.seat == seat
        )
        return next(numbers, 0)

    def player_name(self, seat: int) -> str:
        """Return the name of a seat's player, or the number of a seat that does not exist."""
        return self.players[seat].name if 0 <= seat < len(self.players) else f"seat {seat}"


def check_agreed(entry: TakenBack | Seated, history: History) -> None:
    """Raise IllegalActionError unless the agreeing seats are other seats in order."""
    agreed = list(entry.agreed)
    others = [seat for seat in range(len(history.players)) if seat != entry.seat]
    if agreed != [seat for seat in others if seat in agreed]:
        raise IllegalActionError(
            f"the seats that agree must be other seats of this table in order, not {agreed}"
        )
