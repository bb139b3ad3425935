"""Schema of blocks in `result.json`: which do not count, their checks, and the luck taken out."""

from typing import Literal

from msgspec import Struct

from cardhub.lab.estimate import OpenEstimate

Deals = tuple[int, int]


class UncountedBlock(Struct, frozen=True):
    """A block that is excluded from the statistics.

    `why` is `withdrawn` if a bot was withdrawn during the block.
    """

    game: str
    bots: tuple[str, ...]
    deals: Deals
    games: int
    why: Literal["unfinished", "withdrawn"]


class AuditRow(Struct, frozen=True):
    """Number of blocks that violate a condition; 0 is right.

    `game_ids` are the first games of the first 5 blocks that violate one.
    """

    blocks: int
    """Number of blocks checked."""
    other_cards: int
    """The deal was not the same in all games of the block."""
    uneven_seats: int
    """A bot did not sit in every seat equally often."""
    uneven_scores: int
    """In a game of the block, scores by rank did not have the mean 1/2."""
    game_ids: tuple[str, ...]


class LessLuckRow(Struct, frozen=True):
    """What the terms against luck saved bots `a` and `b`; scores and intervals belong to `a`.

    The intervals are for a number of blocks fixed beforehand, as in `score_fixed` of PairRow.
    """

    game: str
    a: str
    b: str
    blocks: int
    score: OpenEstimate | None
    """Mean block score with the terms. The verdict on the pair rests on such scores."""
    plain: OpenEstimate | None
    """Mean block score as played."""
    saved: float | None
    """How many times as many plain blocks would be as precise; None if no luck is left."""
    saved_games: float | None
    """How many times as many games on deals of their own would be as precise."""
    is_exact: bool
    """Whether the values behind the terms are exact; else a few playouts stand for them."""
    has_policies: bool
    """Whether the luck of a bot's own choices is out, too, and not only chance."""
