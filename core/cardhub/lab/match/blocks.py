"""Blocks: groups of bots that meet, and one deal expanded into game tasks with all its seatings.

Each purpose has a seed of its own, because samples of one rng must not shift another's. If a bot
cannot play here, the others meet without it, and the report gives the reason.
"""

import hmac
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from hashlib import sha256
from itertools import combinations, permutations
from math import gcd
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from cardhub.bots.language.exchanges import Answers
from cardhub.lab.match.match_spec import (
    Contest,
    Match,
    Salt,
    Seating,
    digest,
    plain_json,
    public_digest,
)
from cardhub.lab.match.pairings import swiss_rounds
from cardhub.lab.match.task import (
    NO_ISOLATION,
    CorrectionPlan,
    GameTask,
    Isolation,
    Limits,
    Seat,
)
from cardhub.model.table.settings import Value

# Hexadecimal digits of a seed: 128 bits.
DIGITS = 32
# Hexadecimal digits of the seed of statistics, which is an int and not secret.
STATISTICS_DIGITS = 12


class BlockSeeds(NamedTuple):
    """Seeds of one block: one deal under given rules.

    They are empty strings if the secret of the match is unknown. `pair`: the bots that meet, if no
    others play this deal, else empty.
    """

    match: int
    game: str
    rules: str
    deal: int
    salt: Salt | None = None
    pair: tuple[str, ...] = ()

    def cards(self) -> str:
        """Return the seed of the game, for its deal and its later chance nodes."""
        return self._of("deal")

    def bot(self, entrant: str, copy: int, game: str = "") -> str:
        """Return the seed of a bot's rng.

        `copy` numbers the copies of the same bot in one game. `game`: the id of the game, if the
        seed depends on it, or empty: then it is the same in all games of the block.
        """
        return self._of("bot", entrant, copy, *([game] if game else []))

    def substitute(self, entrant: str, copy: int) -> str:
        """Return the seed of the rng of a faulty bot's substitute."""
        return self._of("substitute", entrant, copy)

    def seat(self, seat: int) -> str:
        """Return the seed of a bot's rng in the self-play audit, which depends on the seat only."""
        return self._of("audit", seat)

    def _of(self, *purpose: str | int) -> str:
        return _seed(self, purpose)


@lru_cache(maxsize=32)  # all games of a block share their seeds
def _seed(seeds: BlockSeeds, purpose: tuple[str | int, ...]) -> str:
    # Without the secret, HMAC outputs are indistinguishable from random: a seed in a fault file
    # reveals no other seed. Without a salt, seeds are hashes of public data.
    *public, salt, pair = seeds
    text = plain_json([*public, *([pair] if pair else []), *purpose])
    if not isinstance(salt, Salt):
        return sha256(text).hexdigest()[:DIGITS]
    if not salt.secret:
        return ""
    return hmac.digest(bytes.fromhex(salt.secret), text, "sha256").hex()[:DIGITS]


def seeds_of(match: Match, block: "Block", cards: str = "") -> BlockSeeds:
    """Return the seeds of a block, which are shared by all values of mirrored options.

    `cards`: the seed of its deal, by which the secret is chosen if the match has several.
    """
    contest = match.contest(block.contest)
    pair = block.bots if match.own_deals else ()
    public = match.seed, contest.game, rules_digest(contest), block.deal
    salts = [match.salt, *(salt for _, salt in match.salt.later)] if match.salt else [None]
    seeds = [BlockSeeds(*public, salt, pair) for salt in salts]
    return next((block for block in seeds if block.cards() == cards), seeds[0])


def rules_digest(contest: Contest) -> str:
    """Return the SHA-256 of a contest's rules without mirrored options."""
    # Without mirrored options, because all variations of a block must have the same deal.
    rules = {name: value for name, value in contest.rules.items() if name not in contest.mirror}
    return digest([contest.game, contest.version, contest.players, rules])


def statistics_seed(match_seed: int, *purpose: str) -> int:
    """Return the seed of a statistics rng; no game depends on it."""
    return int(digest([match_seed, "statistics", *purpose])[:STATISTICS_DIGITS], 16)


# Maximum number of players with seating `full`: 720 games in one block.
MOST_FULL = 6

Row = tuple[int, ...]


def seatings(contest: Contest, bots: Sequence[str]) -> list[tuple[str, ...]]:
    """Return for each game of a block the bots, indexed by seat.

    With every kind of seating, each bot takes each seat equally often. Two partners have half of
    the seats of each team; with an odd number of seats each has the larger half in turn. The third
    bot has the other team.
    """
    if contest.is_mixed(bots):
        return list(_mixed(contest, *bots))
    return [
        _seated(parties, contest)
        for entrants in _compositions(contest, tuple(bots))
        for parties in _arranged(entrants, contest.seating)
    ]


def _seated(parties: tuple[str, ...], contest: Contest) -> tuple[str, ...]:
    if not contest.teams:
        return parties
    # Teams are seated like the players of other games.
    numbers = sorted(set(contest.teams))
    return tuple(parties[numbers.index(team)] for team in contest.teams)


def _mixed(contest: Contest, one: str, other: str, rival: str = "") -> Iterator[tuple[str, ...]]:
    for team in sorted(set(contest.teams)):
        seats = [seat for seat, number in enumerate(contest.teams) if number == team]
        half = len(seats) // 2
        for share in sorted({half, len(seats) - half}):
            partners = (one,) * share + (other,) * (len(seats) - share)
            for order in _arranged(partners, contest.seating):
                by_seat = dict(zip(seats, order, strict=True))
                yield tuple(by_seat.get(seat, rival) for seat in range(contest.players))


def _compositions(contest: Contest, bots: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    players = contest.parties
    if contest.fill == "mirror":
        one, other = bots
        for copies in range(1, players):
            yield (one,) * copies + (other,) * (players - copies)
        return
    fillers = contest.fillers * players if contest.fillers else ()
    yield bots + fillers[: players - len(bots)]


def _arranged(entrants: tuple[str, ...], seating: Seating) -> list[tuple[str, ...]]:
    # Copies of a bot make orders equal. Dividing by the greatest common divisor of their counts
    # keeps every bot in every seat equally often, in the fewest games.
    rows = ROWS[seating](len(entrants))
    counts = Counter(tuple(entrants[number] for number in row) for row in rows)
    least = gcd(*counts.values())
    return [order for order, count in counts.items() for _ in range(count // least)]


@cache
def full(players: int) -> list[Row]:
    """Return all permutations of the seats."""
    return list(permutations(range(players)))


@cache
def rotation(players: int) -> list[Row]:
    """Return all rotations of one order."""
    return [tuple((seat + turn) % players for seat in range(players)) for turn in range(players)]


@cache
def balanced(players: int) -> list[Row]:
    """Return a Williams design (Williams 1949).

    Each number is in each seat equally often, and directly before each other number equally often
    (the last seat is not before the first). Designs of odd size have twice as many rows.
    """
    # The first row zigzags 0, 1, n-1, 2, n-2, ...: all differences of neighbours are distinct,
    # which gives each ordered pair of neighbours once in its rotations. For odd n the reversed rows
    # are needed to balance them.
    first = [0] + [place for step in range(1, players) for place in (step, players - step)]
    first = first[:players]
    rows = [tuple((number + turn) % players for number in first) for turn in range(players)]
    return rows if players % 2 == 0 else rows + [row[::-1] for row in rows]


ROWS = {"full": full, "rotation": rotation, "balanced": balanced}


def rivals(match: Match, contest: Contest) -> list[str]:
    """Return the bots of a contest that are compared: all but the fillers."""
    return [bot for bot in match.players_of(contest.id) if bot not in contest.fillers]


def groups(match: Match, contest: Contest) -> list[tuple[str, ...]]:
    """Return the groups of bots that meet in blocks, in the order of the file.

    In a common cause each bot has its own table. Groups are pairs in a race, in rounds, and if the
    other seats are filled. In a gauntlet each group has at least one challenger and one bot that is
    not a challenger. Groups with mixed partners come last: two partners and, in a game of two
    teams, the bot of the other team.
    """
    whole = _whole_groups(match, contest)
    if contest.partners == "same":
        return whole
    partners = pairs(match, contest)
    if contest.is_common:
        return [*whole, *partners]
    # Each pair meets all bots as opponents, which makes the results of any two pairs comparable.
    return [*whole, *((*pair, other) for pair in partners for other in rivals(match, contest))]


def _whole_groups(match: Match, contest: Contest) -> list[tuple[str, ...]]:
    size = 2 if contest.fill != "none" else contest.parties
    groups_of_all = list(combinations(rivals(match, contest), size))
    if match.order.mode != "gauntlet" or size == 1:
        return groups_of_all
    challengers = set(match.order.challengers)
    return [group for group in groups_of_all if 0 < len(challengers.intersection(group)) < size]


def pairs(match: Match, contest: Contest) -> list[tuple[str, str]]:
    """Return the pairs of bots that are compared, in the order of the file.

    They meet in a block; in a common cause they play the same deals, each at its own table.
    """
    order = list(combinations(rivals(match, contest), 2))
    if contest.is_common:
        if match.order.mode != "gauntlet":
            return order
        challengers = set(match.order.challengers)
        return [pair for pair in order if len(challengers.intersection(pair)) == 1]
    # Not all pairs of rivals: in a gauntlet challengers do not meet each other.
    meeting = {pair for group in _whole_groups(match, contest) for pair in combinations(group, 2)}
    return [pair for pair in order if pair in meeting]


ID_DIGITS = 16


class Block(NamedTuple):
    """Unit of evidence: a contest, the index of a deal, and the bots that meet."""

    contest: str
    deal: int
    bots: tuple[str, ...]


def count_games(match: Match) -> int:
    """Return the number of games of the whole schedule; 0 for a race, whose number is open."""
    games = Games(match)
    total = 0
    for contest in match.contests:
        sizes = [games.size(contest.id, group) for group in groups(match, contest)]
        total += count_blocks(match, contest) * sum(sizes) // len(sizes)
    return total


def count_blocks(match: Match, contest: Contest) -> int:
    """Return the number of blocks of a contest; 0 for a race, whose number is open.

    Further blocks after ties in a knock-out do not count.
    """
    order, bots = match.order, len(rivals(match, contest))
    if order.mode == "racing":
        return 0
    if order.mode == "knockout":
        return order.blocks * (bots - 1)
    if order.mode == "swiss":
        return order.blocks * count_rounds(match, contest) * (bots // 2)
    return order.blocks * len(groups(match, contest))


def count_rounds(match: Match, contest: Contest) -> int:
    """Return the number of rounds of a contest with a Swiss schedule."""
    return match.order.rounds or swiss_rounds(len(rivals(match, contest)))


class Games:
    """Factory of game tasks; equal blocks give tasks with equal seeds in the same order.

    `versions`: the versions of the games that workers must have loaded, by name. `answers`: the
    answers of language models, or None if they are not stored.
    """

    def __init__(
        self,
        match: Match,
        directories: Sequence[Path] = (),
        isolation: Isolation = NO_ISOLATION,
        versions: Mapping[str, str] = MappingProxyType({}),
        answers: Answers | None = None,
    ) -> None:
        self._match = match
        self._answers = answers
        self._versions = versions
        self._directories = tuple(directories)
        self._isolation = isolation
        self._name = public_digest(match)
        self._contests = {contest.id: contest for contest in match.contests}
        self._uses = {entrant.id: entrant.spec for entrant in match.entrants}
        self._teams = {entrant.id for entrant in match.entrants if entrant.team}
        self._rules = {contest.id: rules_digest(contest) for contest in match.contests}
        self._limits = {contest.id: limits_of(match, contest) for contest in match.contests}
        self._plans = {
            contest.id: CorrectionPlan(contest.score, match.variance.policies == "known")
            if match.corrects(contest)
            else None
            for contest in match.contests
        }
        self._seatings = cache(lambda contest, bots: seatings(self._contests[contest], bots))

    def of(
        self, block: Block, withdrawn: Collection[str] = (), number: int = 0
    ) -> tuple[GameTask, ...]:
        """Return the games of a block, with substitutes in the seats of withdrawn bots.

        `number`: the number of the block in the schedule, on which its secret depends. The tuple is
        empty if too few bots remain.
        """
        contest = self._contests[block.contest]
        present = [bot for bot in block.bots if bot not in withdrawn]
        can_shrink = contest.fill == "none" and not contest.is_mixed(block.bots)
        least = min(2, contest.parties) if can_shrink else len(block.bots)
        if len(present) < least:
            return ()
        rules = self._rules[contest.id]
        salt = self._match.salt and self._match.salt.of_block(number)
        pair = block.bots if self._match.own_deals else ()
        seeds = BlockSeeds(self._match.seed, contest.game, rules, block.deal, salt, pair)
        return tuple(
            self._game(block, contest, seeds, bots, vary, withdrawn)
            for vary in contest.variations()
            for bots in self._seatings(block.contest, block.bots)
        )

    def size(self, contest: str, bots: tuple[str, ...]) -> int:
        """Return the number of games in a block."""
        variations = len(list(self._contests[contest].variations()))
        return variations * len(self._seatings(contest, bots))

    def _game(
        self,
        block: Block,
        contest: Contest,
        seeds: BlockSeeds,
        bots: tuple[str, ...],
        vary: dict[str, Value],
        withdrawn: Collection[str],
    ) -> GameTask:
        absent = [seat for seat, bot in enumerate(bots) if bot in withdrawn]
        # Without the seed of the match: ids are public, and a salted match keeps the seed secret.
        identity = [self._name, *block, bots, vary, absent]
        name = sha256(plain_json(identity)).hexdigest()[:ID_DIGITS]
        key = name if self._match.has_seed_per_game else ""
        return GameTask(
            id=name,
            contest=block.contest,
            deal=block.deal,
            bots=block.bots,
            vary=vary,
            game=contest.game,
            rules=contest.rules,
            seed=seeds.cards(),
            seats=tuple(self._seat(seeds, bots, n, withdrawn, key) for n in range(len(bots))),
            limits=self._limits[contest.id],
            directories=self._directories,
            is_salted=self._match.salt is not None,
            isolation=self._isolation,
            version=self._versions.get(contest.game, ""),
            answers=self._answers,
            corrections=self._plans[contest.id],
            opening=contest.openings[block.deal] if contest.openings else None,
            # Only places are certain then, and not the points.
            adjudicates=self._match.adjudicate and not contest.in_points,
        )

    def _seat(
        self,
        seeds: BlockSeeds,
        bots: tuple[str, ...],
        seat: int,
        withdrawn: Collection[str],
        key: str,
    ) -> Seat:
        bot, copy = bots[seat], bots[:seat].count(bots[seat])
        return Seat(
            bot=bot,
            use=self._uses[bot],
            generator=seeds.bot(bot, copy, key),
            substitute=seeds.substitute(bot, copy),
            is_absent=bot in withdrawn,
            is_team=bot in self._teams,
        )


def limits_of(match: Match, contest: Contest) -> Limits:
    """Return the limits of time and actions for the games of a contest."""
    faults = match.faults
    policy = faults.two_player if contest.parties == 2 else faults.multi_player
    return Limits(
        match.budget,
        # The points of a game that a fault ends early are unknown, so a substitute plays on.
        "substitute" if contest.in_points else policy,
        match.substitute_in(contest),
    )


def audited(task: GameTask, seeds: BlockSeeds, use: str) -> GameTask:
    """Return the task with the same bot in all seats; each seat has its own seed."""
    seats = [
        replace(seat, use=use, generator=seeds.seat(number))
        for number, seat in enumerate(task.seats)
    ]
    return replace(task, seats=tuple(seats), corrections=None)


# The fewest bots of a game that are compared.
FEWEST = 2


def without_bots(match: Match, reasons: Mapping[str, str]) -> Match | None:
    """Return a match without some bots, given why each is absent; None if it needs one of them.

    It needs the bots of its test and those that fill seats, a challenger, and in each game two bots
    that meet.
    """
    absent = {**match.absent, **reasons}
    challengers = tuple(bot for bot in match.order.challengers if bot not in absent)
    fillers = {bot for contest in match.contests for bot in contest.fillers}
    tested = {match.sprt.a, match.sprt.b} if match.sprt else set()
    is_open = bool(challengers) or not match.order.challengers
    if not is_open or absent.keys() & (fillers | tested):
        return None
    anchor = {bot: elo for bot, elo in match.rating.anchor.items() if bot not in absent}
    smaller = replace(
        match,
        entrants=tuple(entrant for entrant in match.entrants if entrant.id not in absent),
        order=replace(match.order, challengers=challengers),
        rating=replace(match.rating, anchor=anchor),
        absent=absent,
    )
    filled = replace(smaller, contests=tuple(filled_up(smaller, c) for c in match.contests))
    is_playable = all(
        len(rivals(filled, contest)) >= FEWEST and pairs(filled, contest)
        for contest in filled.contests
    )
    return filled if is_playable else None


def filled_up(match: Match, contest: Contest) -> Contest:
    """Return a contest whose seats two bots share if there are too few, or results pair them."""
    is_short = len(rivals(match, contest)) < contest.parties
    if (is_short or match.order.is_adaptive) and contest.fill == "none" and contest.parties > 2:
        return replace(contest, fill="mirror")
    return contest
