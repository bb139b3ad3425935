"""Blocks: one deal in all seatings, expanded into game tasks."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cardhub.match.canonical import digest
from cardhub.match.seatings import seatings
from cardhub.match.seeds import Seeds, rules_digest
from cardhub.match.spec import Contest, Match
from cardhub.match.spec_json import public_digest
from cardhub.match.task import NOT_CONFINED, Confined, GameTask, Limits, Seat
from cardhub.table.settings import Value

ID_DIGITS = 16


class Block(NamedTuple):
    """Unit of evidence: a contest, a deal number from 0, and the bots that meet."""

    contest: str
    deal: int
    bots: tuple[str, ...]


class Games:
    """Factory of game tasks; equal blocks give equal tasks in the same order."""

    def __init__(
        self,
        match: Match,
        directories: Sequence[Path] = (),
        confined: Confined = NOT_CONFINED,
    ) -> None:
        self._match = match
        self._directories = tuple(directories)
        self._confined = confined
        self._name = public_digest(match)
        self._contests = {contest.id: contest for contest in match.contests}
        self._rules = {contest.id: rules_digest(contest) for contest in match.contests}
        self._limits = {contest.id: limits_of(match, contest) for contest in match.contests}
        self._seatings = cache(self._all_seatings)

    def of(self, block: Block, withdrawn: Collection[str] = ()) -> tuple[GameTask, ...]:
        """Return the games of a block, with substitutes in the seats of withdrawn bots.

        The tuple is empty if too few bots are left to meet.
        """
        contest = self._contests[block.contest]
        present = [bot for bot in block.bots if bot not in withdrawn]
        if len(present) < (2 if contest.fill == "none" else len(block.bots)):
            return ()
        rules, salt = self._rules[contest.id], self._match.salt
        seeds = Seeds(self._match.seed, contest.game, rules, block.deal, salt)
        return tuple(
            self._game(block, contest, seeds, bots, vary, withdrawn)
            for vary in contest.variations()
            for bots in self._seatings(block.contest, block.bots)
        )

    def size(self, contest: str, bots: tuple[str, ...]) -> int:
        """Return the number of games in a block."""
        variations = len(list(self._contests[contest].variations()))
        return variations * len(self._seatings(contest, bots))

    def _all_seatings(self, contest: str, bots: tuple[str, ...]) -> list[tuple[str, ...]]:
        return seatings(self._contests[contest], bots)

    def _game(
        self,
        block: Block,
        contest: Contest,
        seeds: Seeds,
        bots: tuple[str, ...],
        vary: dict[str, Value],
        withdrawn: Collection[str],
    ) -> GameTask:
        absent = [seat for seat, bot in enumerate(bots) if bot in withdrawn]
        return GameTask(
            id=digest([self._name, *block, bots, vary, absent])[:ID_DIGITS],
            contest=block.contest,
            deal=block.deal,
            bots=block.bots,
            vary=vary,
            game=contest.game,
            rules=contest.rules,
            seed=seeds.cards(),
            seats=tuple(self._seat(seeds, bots, seat, withdrawn) for seat in range(len(bots))),
            limits=self._limits[contest.id],
            directories=self._directories,
            is_salted=self._match.salt is not None,
            confined=self._confined,
        )

    def _seat(
        self, seeds: Seeds, bots: tuple[str, ...], seat: int, withdrawn: Collection[str]
    ) -> Seat:
        bot, copy = bots[seat], bots[:seat].count(bots[seat])
        return Seat(
            bot=bot,
            use=self._match.entrant(bot).use,
            generator=seeds.bot(bot, copy),
            substitute=seeds.substitute(bot, copy),
            is_absent=bot in withdrawn,
        )


def limits_of(match: Match, contest: Contest) -> Limits:
    """Return the limits of time and steps for the games of a contest."""
    budget, faults = match.budget, match.faults
    return Limits(
        budget.guard_seconds,
        budget.bank_seconds,
        budget.most_steps,
        faults.two_player if contest.players == 2 else faults.multi_player,
        faults.substitute,
    )


def audited(task: GameTask, seeds: Seeds, use: str) -> GameTask:
    """Return the game with the same bot in all seats, seeded by seat."""
    seats = [
        replace(seat, use=use, generator=seeds.seat(number))
        for number, seat in enumerate(task.seats)
    ]
    return replace(task, seats=tuple(seats))
