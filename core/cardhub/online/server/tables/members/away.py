"""People who leave a game and come back; meanwhile a bot may play their seats."""

from functools import partial

import msgspec

from cardhub.online.server.tables.bot_choice import check_bot, default_level
from cardhub.online.server.tables.members.seating import Seating
from cardhub.online.server.tables.storage.table_store import Chair
from cardhub.online.server.tables.table_context import Client, RefusedError, TableContext
from cardhub.online.wire.client_messages import Replace
from cardhub.play.host.scheduler import Timer
from cardhub.play.seating import HUMAN, Player
from cardhub.play.workers.lineup import NETWORK

# Seconds after which the record notes that a person left: reloading a page is shorter.
NOTE_AFTER = 60.0
# Seconds after which anybody with a seat may let a bot play for one who left.
OFFER_AFTER = 120.0
# Seconds for which bots wait for people to read a summary, by whether they are here.
READ_AWAY_WITHIN, READ_HERE_WITHIN = 15.0, 120.0


class Absences:
    """Notes in the record who left and came back, and seats bots for people who are away."""

    def __init__(self, context: TableContext, places: Seating) -> None:
        self._context = context
        self._places = places
        self._timers: dict[int, list[Timer]] = {}
        self._reading: dict[int, Timer] = {}
        self._offered: set[int] = set()

    def load(self) -> None:
        """Bring the seats of a game in line with those of the table, and watch who is away."""
        context = self._context
        host = context.host
        if host is None or host.is_over:
            return
        for seat, player in enumerate(host.players):
            if player.is_human and not context.chairs[seat].is_persons:
                # The server was killed after a person stood up for good, before a bot sat down.
                self._places.seat_bot(seat)
        for seat in context.people():
            self._watch(seat)

    def can_replace(self, seat: int) -> bool:
        """Return whether anybody with a seat may let a bot play for a person who is away."""
        context = self._context
        is_playing = context.file.stage == "playing"
        return is_playing and seat in self._offered and context.plays(seat)

    def entered(self, client: Client) -> None:
        """Give a person who comes back the seat that a bot got meanwhile."""
        context = self._context
        seat = context.seat_of(client.token)
        if seat is None:
            return
        self._forget(seat)
        host = context.host
        if host is None or context.file.stage != "playing":
            return
        if context.plays(seat):
            self._note_back(seat)
        elif not context.chairs[seat].is_asked:
            self._give_back(seat)

    def left(self, holder: str) -> None:
        """Watch the seat of a person whose last client has gone."""
        seat = self._context.seat_of(holder)
        if seat is not None and not self._context.is_here(seat):
            self._watch(seat)

    def replace(self, client: Client, message: Replace) -> None:
        """Let a bot play at a seat, or give it back to its person; raises RefusedError."""
        context, seat = self._context, message.seat
        if seat >= len(context.chairs):
            raise RefusedError(f"there is no seat {seat}")
        own = context.seat_of(client.token)
        if seat != own and not (own is not None and message.bot and self.can_replace(seat)):
            context.check_owner(client)
        bot = check_bot(context, message.bot) if message.bot else ""
        if bot == NETWORK and context.file.stage == "playing" and context.chairs[seat].is_persons:
            raise RefusedError(
                "a bot of the network cannot stand in for a person: it needs the seat's token. "
                "fix: choose a level, or let the person stand up first"
            )
        if context.file.stage != "playing":
            self._prepare(seat, bot)
        elif bot:
            context.check_length()
            self._stand_in(seat, bot)
        elif context.chairs[seat].is_persons:
            self._give_back(seat)
        else:
            # Opened: the bot plays on until a person sits down.
            context.update_chair(seat, msgspec.structs.replace(context.chairs[seat], bot=""))

    def timed_out(self, seat: int) -> None:
        """Let a bot play for a person who is out of time, until the person comes back."""
        context = self._context
        if context.file.stage == "playing" and context.plays(seat):
            context.playing.note(seat, "timeout")
            context.playing.replace(seat, Player(context.chairs[seat].name, default_level(context)))

    def _stand_in(self, seat: int, bot: str) -> None:
        context = self._context
        host, chair = context.playing, context.chairs[seat]
        if chair.is_persons:
            # Who was here when a bot took over gets the seat back by a wish only.
            is_asked = context.is_here(seat)
            context.update_chair(seat, msgspec.structs.replace(chair, is_asked=is_asked))
            host.replace(seat, Player(chair.name, bot))
        else:
            context.update_chair(seat, msgspec.structs.replace(chair, bot=bot))
            host.replace(seat, Player(host.players[seat].name, bot))

    def _give_back(self, seat: int) -> None:
        context, chair = self._context, self._context.chairs[seat]
        if chair.is_asked:
            context.update_chair(seat, msgspec.structs.replace(chair, is_asked=False))
        self._note_back(seat)
        if not context.plays(seat):
            context.playing.replace(seat, Player(chair.name, HUMAN))

    def _note_back(self, seat: int) -> None:
        host = self._context.playing
        if seat in host.departed:
            host.note(seat, "back")

    def _prepare(self, seat: int, bot: str) -> None:
        """Give a seat to a bot before a game; its person loses it."""
        holder = self._context.chairs[seat].token
        self._context.update_chair(seat, Chair(bot=bot))
        self._places.forget(holder)

    def _watch(self, seat: int) -> None:
        self._forget(seat)
        # In a game by days people come and go all the time.
        if self._context.file.stage == "playing" and not self._context.is_by_days:
            later = self._context.later
            self._timers[seat] = [
                later(NOTE_AFTER, lambda: self._note(seat)),
                later(OFFER_AFTER, lambda: self._offer(seat)),
            ]

    def _forget(self, seat: int) -> None:
        for timer in self._timers.pop(seat, ()):
            timer.cancel()
        if seat in self._offered:
            self._offered.discard(seat)
            self._context.changed()

    def game_changed(self) -> None:
        """Let bots go on after a while where people do not read the summary of a round."""
        context = self._context
        host = context.host
        if host is None or host.is_over:
            return
        readers = [seat for seat in context.people() if context.plays(seat)]
        for viewer in readers or [context.spectator]:
            is_unread = bool(host.session(viewer).unread_summaries())
            if is_unread and viewer not in self._reading:
                is_here = viewer != context.spectator and context.is_here(viewer)
                seconds = READ_HERE_WITHIN if is_here else READ_AWAY_WITHIN
                self._reading[viewer] = context.later(seconds, partial(self._read, viewer))
            elif not is_unread and viewer in self._reading:
                self._reading.pop(viewer).cancel()

    def _read(self, viewer: int) -> None:
        self._reading.pop(viewer, None)
        host = self._context.host
        if host is not None and not host.is_over:
            host.session(viewer).request("read")

    def _note(self, seat: int) -> None:
        host = self._context.host
        if host is not None and self._context.plays(seat) and seat not in host.departed:
            host.note(seat, "left")

    def _offer(self, seat: int) -> None:
        self._offered.add(seat)
        self._context.changed()
