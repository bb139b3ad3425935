"""The tree of seeds."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from cardhub.lab.match.blocks import Block, BlockSeeds, Games, rules_digest, seeds_of
from cardhub.lab.match.match_spec import Contest, Match
from cardhub.lab.match.secret import salt_of
from cardhub.lab.match.task import GameTask
from cardhub.model.game.initial_state import resolve_options, shuffled_pack
from cardhub.model.table.settings import Value
from cardhub.plugins.registry import PluginRegistry

GAMON = """
    cardhub_match: 1
    name: cup
    seed: 7
    bots:
      - {id: a, use: random}
      - {id: b, use: rule}
    games:
      - {game: gamon, rules: {coins: 9}, mirror: {first_attacker: [navy, pirate]}}
      - {game: gargon, players: 4}
"""

SALT = salt_of("5a" * 32)


def games_of(match: Match, contest: str, deal: int = 0) -> tuple[GameTask, ...]:
    """Return the games of a block."""
    return Games(match).of(Block(contest, deal, ("a", "b")))


def test_all_games_of_a_block_have_the_same_cards(match: Callable[[str], Match]) -> None:
    games = games_of(match(GAMON), "gamon")
    assert [task.vary["first_attacker"] for task in games] == ["navy", "navy", "pirate", "pirate"]
    assert [task.seats[0].bot for task in games] == ["a", "b", "a", "b"]
    assert len({task.seed for task in games}) == 1
    assert len({task.id for task in games}) == 4


def test_a_bot_has_the_same_seed_in_every_seat(match: Callable[[str], Match]) -> None:
    """Two copies of it at one table draw different ones."""
    for contest in ("gamon", "gargon"):
        seeds: dict[str, list[str]] = {}
        for task in games_of(match(GAMON), contest):
            by_bot: dict[str, list[str]] = {}
            for seat in task.seats:
                by_bot.setdefault(seat.bot, []).append(seat.generator)
            for bot, generators in by_bot.items():
                assert len(set(generators)) == len(generators)
                known = seeds.setdefault(bot, generators)
                shared = min(len(known), len(generators))
                assert known[:shared] == generators[:shared]
                seeds[bot] = max(known, generators, key=len)
        assert not set(seeds["a"]) & set(seeds["b"])


def test_every_purpose_has_a_seed_of_its_own(match: Callable[[str], Match]) -> None:
    """Deals, bots, substitutes; and every deal, contest and match."""
    cup = match(GAMON)
    cups = [replace(cup, seed=seed, salt=salt) for seed in (7, 8) for salt in (None, SALT)]
    blocks = [Block(contest.id, deal, ("a", "b")) for contest in cup.contests for deal in (0, 1)]
    seeds = [seeds_of(salted, block) for salted in cups for block in blocks]
    texts = [
        text
        for block_seeds in seeds
        for text in (
            block_seeds.cards(),
            block_seeds.bot("a", 0),
            block_seeds.bot("a", 1),
            block_seeds.substitute("a", 0),
        )
    ]
    assert len(set(texts)) == len(texts)
    assert all(len(block_seeds.cards()) == 32 for block_seeds in seeds)


def test_seeds_stay_what_they_are() -> None:
    rules: dict[str, Value] = {"coins": 36, "first": "navy"}
    contest = Contest("x", "x", "1", 2, rules, {"first": ("navy",)}, "full", "none", (), "rank")
    seeds = BlockSeeds(7, contest.game, rules_digest(contest), 3)
    assert seeds.cards() == "4f1c5d4bb23fa131b2cb798d4beb4c61"
    assert seeds.bot("a", 0) == "3f078a475635a351e09ab9cd33d7632a"
    salted = seeds._replace(salt=SALT)
    assert salted.cards() == "ec8ee502cc1d7b50eabf893687c39d50"
    assert salted.bot("a", 0) == "cac3767f82db0b2371acb153b8288107"


def test_a_deal_shuffles_each_deck_by_itself(
    match: Callable[[str], Match], registry: PluginRegistry
) -> None:
    """A bot's samples never shift the cards: the record's deal is the shuffle of its seed."""
    task = games_of(match(GAMON), "gamon")[0]
    game = registry.game("gamon")
    settings = resolve_options(game, task.rules, 2)
    faces = shuffled_pack(game, settings, 2, Random(f"{task.seed} deal"))
    assert [game.cards.back_of[face] for face in faces] == [0] * 29 + [1] * 29
