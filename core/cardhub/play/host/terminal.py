"""A terminal that one person, several people in turn, or a spectator sit at."""

from cardhub.model.table.state import OVER
from cardhub.play.host.table_host import Host
from cardhub.play.table_model import TableModel


class SharedTerminal:
    """The models of the people at one terminal, and which of them is shown.

    A single person always sees their own seat; a game of bots is seen by a spectator. Of several
    people, the one who took the terminal last sees their own seat; bots wait while it is handed
    over, and at the end all see the spectator's view.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._people = host.people
        self._holder = self._people[0] if len(self._people) == 1 else len(host.players)
        self._is_covered = False
        self._hides_hands = host.shows_spectators_hands
        # From the start: news of the people who wait are collected for their turn.
        for seat in self._people:
            host.model(seat)
        if self.is_shared:
            host.blockers.append(lambda: self.next_holder is not None)

    @property
    def model(self) -> TableModel:
        """The model that is shown now."""
        is_shared_end = self.is_shared and self._host.is_over
        return self._host.model(len(self._host.players) if is_shared_end else self._holder)

    @property
    def next_holder(self) -> int | None:
        """The seat that the terminal must be handed to before the game goes on, if any."""
        if not self.is_shared:
            return None
        people = self._host.people_to_act
        seat = self._holder if self._holder in people else next(iter(people), OVER)
        if self._is_covered and not self._host.is_over:
            return seat if seat in self._people else self._holder
        if seat in self._people:
            return seat if seat != self._holder else None
        # While a bot begins, a spectator's view would show several people their own hands.
        is_spectator = self._holder == len(self._host.players) and not self._host.is_over
        is_hidden = is_spectator and self._hides_hands
        return self._people[0] if is_hidden else None

    @property
    def is_shared(self) -> bool:
        """Whether several people sit at the terminal."""
        return len(self._people) > 1

    def others(self, seat: int) -> tuple[int, ...]:
        """Return the seats of the other people, who may look at their cards while `seat` acts."""
        return tuple(other for other in self._people if other != seat)

    def look(self, seat: int) -> TableModel:
        """Return the model of one of the people, for a look without taking the terminal."""
        return self._host.model(seat)

    def cover(self) -> None:
        """Hide the table until a person takes it; a single person or a spectator always sees it."""
        if self.is_shared and not self._host.is_over and self._holder in self._people:
            self._is_covered = True
            self._host.notify()

    def take(self, seat: int) -> None:
        """Show the model of this seat from now on."""
        self._holder, self._is_covered = seat, False
        self._host.notify()
        self._host.go_on()
