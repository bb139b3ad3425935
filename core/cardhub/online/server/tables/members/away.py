"""Players who disconnect during a game and return, and bots that replace them."""

from functools import partial

import msgspec

from cardhub.online.server.tables.bot_choice import check_bot, default_level
from cardhub.online.server.tables.members.seating import Seating
from cardhub.online.server.tables.storage.table_store import Chair
from cardhub.online.server.tables.table_context import Client, RefusedError, TableContext
from cardhub.online.server.tables.table_game import RETRY_AFTER
from cardhub.online.wire.client_messages import Replace
from cardhub.play.host.scheduler import Timer
from cardhub.play.seating import HUMAN, Player
from cardhub.play.table_commands import PaceCommand
from cardhub.play.workers.bot_messages import NETWORK

# Seconds until the record notes that a person left, because reloading a page is not leaving.
NOTE_AFTER = 60.0
# Seconds until seated players may replace an absent player by a bot.
OFFER_AFTER = 120.0
# Seconds that bots wait for an absent and for a present person to read a summary.
READ_AWAY_WITHIN, READ_HERE_WITHIN = 15.0, 120.0
# The same from the moment when another person has read it, and waits. The first number is not 0,
# because reloading a page is not leaving.
AWAITED_AWAY_WITHIN, AWAITED_HERE_WITHIN = 5.0, 20.0


class AwayPlayers:
    """Records when players leave and return, and replaces absent players by bots."""

    def __init__(self, context: TableContext, seating: Seating) -> None:
        self._context = context
        self._seating = seating
        self._timers: dict[int, list[Timer]] = {}
        # By viewer with an unread summary: the seconds that it may take, and the timer.
        self._reading: dict[int, tuple[float, Timer]] = {}
        self._offered: set[int] = set()
        self._is_seating_later = False

    def load(self) -> None:
        """Update the seats of a loaded game, and start the timers of absent players."""
        context = self._context
        host = context.host
        if host is None or host.is_over:
            return
        self._seat_missing_bots()
        for seat in context.people():
            self._start_timers(seat)

    def _seats_without_player(self) -> list[int]:
        """Return the seats that people have given up, and that no bot has taken yet.

        The server was killed in between, or the disk was full.
        """
        context, host = self._context, self._context.host
        if host is None or host.is_over:
            return []
        return [
            s for s in range(len(host.players)) if context.plays(s) and s not in context.people()
        ]

    def _seat_missing_bots(self) -> None:
        self._is_seating_later = False
        for seat in self._seats_without_player():
            self._seating.seat_bot(seat)

    def can_replace(self, seat: int) -> bool:
        """Return whether seated players may replace an absent player by a bot."""
        context = self._context
        is_playing = context.stage == "playing"
        return is_playing and seat in self._offered and context.plays(seat)

    def is_reading(self, seat: int) -> bool:
        """Return whether the person at a seat has an unread summary, for which bots wait."""
        return self._context.stage == "playing" and seat in self._reading

    def on_enter(self, client: Client) -> None:
        """Give a returning person the seat back from the bot."""
        context = self._context
        seat = context.file.seat_of(client.token)
        if seat is None:
            return
        self._cancel_timers(seat)
        self._time_readers()
        host = context.host
        if host is None or context.stage != "playing":
            return
        if context.plays(seat):
            self._record_return(seat)
        else:
            self._return_seat(seat)

    def on_leave(self, holder: str) -> None:
        """Start the timers of a seat after the person's last client has disconnected."""
        seat = self._context.file.seat_of(holder)
        if seat is not None and not self._context.is_here(seat):
            self._start_timers(seat)
            self._time_readers()

    def replace(self, client: Client, message: Replace) -> None:
        """Give a seat to a bot, or back to its person; raises RefusedError."""
        context, seat = self._context, message.seat
        if seat >= len(context.chairs):
            raise RefusedError(f"there is no seat {seat}")
        own_seat = context.file.seat_of(client.token)
        may_replace = own_seat is not None and message.bot and self.can_replace(seat)
        if seat != own_seat and not may_replace:
            context.check_owner(client)
        bot = check_bot(context, message.bot) if message.bot else ""
        if bot and seat != own_seat and context.stage == "playing":
            context.check_named(client)
        if bot == NETWORK and context.stage == "playing" and context.chairs[seat].is_persons:
            raise RefusedError(
                "a network bot cannot replace a person, because it needs the token of the seat. "
                "fix: choose a level, or ask the person to stand up first"
            )
        if bot == NETWORK and context.stage == "playing" and context.people_besides(client):
            raise RefusedError(
                "a network bot cannot join a game of other people, because its owner could see "
                "the hand. fix: choose a level"
            )
        if context.stage != "playing":
            holder = context.chairs[seat].token
            context.update_chair(seat, Chair(bot=bot))
            self._seating.forget(holder)
        elif bot:
            context.check_length()
            self._seat_bot(seat, bot, None if seat == own_seat else own_seat)
        elif context.chairs[seat].is_persons:
            self._give_back(seat)
        else:
            # The seat is now open: the bot plays until a person sits down.
            context.update_chair(seat, msgspec.structs.replace(context.chairs[seat], bot=""))

    def on_timeout(self, seat: int) -> None:
        """Replace a person whose time has run out by a bot until the person returns."""
        context = self._context
        if context.stage == "playing" and context.plays(seat):
            context.playing.note(seat, "timeout")
            context.playing.replace(seat, Player(context.chairs[seat].name, default_level(context)))

    def _seat_bot(self, seat: int, bot: str, by: int | None) -> None:
        context = self._context
        host, chair = context.playing, context.chairs[seat]
        if chair.is_persons:
            # A person who was present when a bot took over gets the seat back only on request.
            is_asked = context.is_here(seat)
            context.update_chair(seat, msgspec.structs.replace(chair, is_asked=is_asked))
            host.replace(seat, Player(chair.name, bot), by=by)
        else:
            context.update_chair(seat, msgspec.structs.replace(chair, bot=bot))
            host.replace(seat, Player(host.players[seat].name, bot), by=by)

    def _return_seat(self, seat: int) -> None:
        """Give a present person the seat back from the bot, later if the disk is full now."""
        context, chair = self._context, self._context.chairs[seat]
        host = context.host if context.stage == "playing" else None
        if host is None or not chair.is_persons or chair.is_asked:
            return
        if not context.is_here(seat) or context.plays(seat):
            return
        self._give_back(seat)
        if host.activity.failure is not None:
            context.later(RETRY_AFTER, partial(self._return_seat, seat))

    def _give_back(self, seat: int) -> None:
        context, chair = self._context, self._context.chairs[seat]
        if chair.is_asked:
            context.update_chair(seat, msgspec.structs.replace(chair, is_asked=False))
        self._record_return(seat)
        if not context.plays(seat):
            context.playing.replace(seat, Player(chair.name, HUMAN))

    def _record_return(self, seat: int) -> None:
        host = self._context.playing
        if seat in host.departed:
            host.note(seat, "back")

    def _start_timers(self, seat: int) -> None:
        self._cancel_timers(seat)
        # With a clock of days, absence between turns is normal.
        if self._context.stage == "playing" and not self._context.is_by_days:
            later = self._context.later
            self._timers[seat] = [
                later(NOTE_AFTER, lambda: self._record_absence(seat)),
                later(OFFER_AFTER, lambda: self._offer_replacement(seat)),
            ]

    def _cancel_timers(self, seat: int) -> None:
        for timer in self._timers.pop(seat, ()):
            timer.cancel()
        if seat in self._offered:
            self._offered.discard(seat)
            self._context.changed()

    def game_changed(self) -> None:
        """Seat missing bots, and start timers after which bots continue without a reader."""
        context = self._context
        host = context.host
        if host is None or host.is_over:
            return
        if self._seats_without_player() and not self._is_seating_later:
            self._is_seating_later = True
            context.later(RETRY_AFTER, self._seat_missing_bots)
        self._time_readers()

    def _time_readers(self) -> None:
        """Start timers after which bots continue although a summary is unread."""
        context, host = self._context, self._context.host
        if host is None or host.is_over:
            return
        viewers = [s for s in context.people() if context.plays(s)] or [context.spectator]
        unread = {viewer for viewer in viewers if host.session(viewer).unread_summaries()}
        if unread != self._reading.keys():
            context.changed()  # all clients show for whom the game waits
        for viewer in self._reading.keys() - unread:
            self._reading.pop(viewer)[1].cancel()
        is_awaited = len(unread) < len(viewers)
        for viewer in sorted(unread):
            self._time_reader(viewer, self._reading_time(viewer, is_awaited=is_awaited))

    def _reading_time(self, viewer: int, *, is_awaited: bool) -> float:
        is_here = viewer != self._context.spectator and self._context.is_here(viewer)
        if is_awaited:
            return AWAITED_HERE_WITHIN if is_here else AWAITED_AWAY_WITHIN
        return READ_HERE_WITHIN if is_here else READ_AWAY_WITHIN

    def _time_reader(self, viewer: int, seconds: float) -> None:
        """Start the timer of a viewer; restart it if the seconds have changed."""
        if viewer in self._reading:
            old_seconds, timer = self._reading[viewer]
            if seconds == old_seconds:
                return
            timer.cancel()
        timer = self._context.later(seconds, partial(self._read, viewer))
        self._reading[viewer] = (seconds, timer)

    def _read(self, viewer: int) -> None:
        self._reading.pop(viewer, None)
        self._context.changed()
        host = self._context.host
        if host is not None and not host.is_over:
            # The command has no reply.
            host.session(viewer).send(PaceCommand(command="read"), lambda _: None)

    def _record_absence(self, seat: int) -> None:
        host = self._context.host
        if host is not None and self._context.plays(seat) and seat not in host.departed:
            host.note(seat, "left")

    def _offer_replacement(self, seat: int) -> None:
        self._offered.add(seat)
        self._context.changed()
