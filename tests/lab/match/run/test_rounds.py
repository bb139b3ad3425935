"""Schedules in rounds: Swiss and knock-out."""

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import pytest
from tests.lab.match.conftest import Digests, ReadMatch
from tests.lab.match.match_files import KUHN

from cardhub.base.errors import MatchFileError
from cardhub.lab.match.blocks import Block, count_games
from cardhub.lab.match.match_spec import Match, identity_of, match_of, public_digest
from cardhub.lab.match.pairings import bracket, pair_neighbours, swiss_rounds
from cardhub.lab.match.run.rounds import PlaceRow, RoundsRow
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.lab.match.run.schedule import LATER, RoundsOrder
from cardhub.lab.match.verifier import verify
from cardhub.lab.report.view.rounds_view import encounter_text
from cardhub.plugins.registry import PluginRegistry

BOTS = "abcdefgh"


def cup_of(bots: str, schedule: str) -> str:
    """Return a match file of Kuhn poker with these bots, all random."""
    head, tail = KUHN.split("      - {id: a, use: random}\n      - {id: b, use: random}\n")
    rows = "".join(f"      - {{id: {bot}, use: random}}\n" for bot in bots)
    return f"{head}{rows}{tail}".replace("{blocks: 10}", schedule)


def played(
    match: Match,
    strengths: Mapping[str, float],
    ahead: int = 1,
    withdrawn_after: Mapping[int, str] | None = None,
) -> tuple[list[Block], RoundsRow]:
    """Play rounds in which the stronger bot always scores more, and return blocks and rounds.

    `withdrawn_after`: by number of finished blocks, the bot that is withdrawn then.
    """
    order = RoundsOrder(match)
    planned: list[Block] = []
    finished, withdrawn = 0, set[str]()
    while True:
        block = order.next() if len(planned) - finished < ahead else LATER
        if isinstance(block, Block):
            planned.append(block)
        elif finished < len(planned):
            first, second = planned[finished].bots
            score = 0.5 + (strengths[first] - strengths[second]) / 10
            finished += 1
            withdrawn |= {(withdrawn_after or {}).get(finished, "")} - {""}
            counts = not withdrawn & {first, second}
            order.finish(planned[finished - 1], score if counts else None, withdrawn)
        else:
            return planned, order.rows()[0]


def falling(bots: str) -> dict[str, float]:
    """Return strengths by which each bot beats all bots behind it."""
    return {bot: -number / len(bots) for number, bot in enumerate(bots)}


def test_neighbours_meet_unless_they_have_met() -> None:
    assert pair_neighbours("abcd", {}) == [("a", "b"), ("c", "d")]
    met = {frozenset("ab"): 1, frozenset("cd"): 1}
    assert pair_neighbours("abcd", met) == [("a", "c"), ("b", "d")]


def test_a_pair_further_apart_meets_to_save_the_others_a_second_meeting() -> None:
    met = {frozenset("ab"): 1, frozenset("cd"): 1, frozenset("ac"): 1}
    assert pair_neighbours("abcd", met) == [("a", "d"), ("b", "c")]


def test_pairs_meet_again_once_all_have_met() -> None:
    met = {frozenset(pair): 1 for pair in combinations("abcd", 2)}
    assert pair_neighbours("abcd", met) == [("a", "b"), ("c", "d")]


def test_a_bracket_keeps_the_first_two_apart_and_gives_them_byes() -> None:
    assert bracket("abcdefgh") == [("a", "h"), ("d", "e"), ("b", "g"), ("c", "f")]
    assert bracket("abcdef") == [("a",), ("d", "e"), ("b",), ("c", "f")]
    assert bracket("ab") == [("a", "b")]


@pytest.mark.parametrize(("bots", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4)])
def test_there_are_as_many_swiss_rounds_as_leave_one_unbeaten(bots: int, rounds: int) -> None:
    assert swiss_rounds(bots) == rounds


def test_in_a_swiss_schedule_winners_meet_winners(match: ReadMatch) -> None:
    cup = match(cup_of(BOTS, "{mode: swiss, blocks: 2}"))
    blocks, rounds = played(cup, falling("hgfedcba"))
    meetings = [["".join(row.bots) for row in rounds.encounters if row.round == n] for n in (1, 2)]
    assert meetings == [["ab", "cd", "ef", "gh"], ["bd", "fh", "ac", "eg"]]
    assert [row.bot for row in rounds.places][:2] == ["h", "g"]
    assert len(blocks) == 3 * 4 * 2
    assert count_games(cup) == 2 * len(blocks)


def test_all_pairs_of_a_round_play_the_same_deals_and_no_other_round_does(match: ReadMatch) -> None:
    blocks, _ = played(match(cup_of("abcd", "{mode: swiss, blocks: 2}")), falling("abcd"))
    assert [(block.deal, "".join(block.bots)) for block in blocks] == [
        (0, "ab"),
        (0, "cd"),
        (1, "ab"),
        (1, "cd"),
        (2, "ac"),
        (2, "bd"),
        (3, "ac"),
        (3, "bd"),
    ]


def test_every_bot_has_a_bye_before_one_has_a_second(match: ReadMatch) -> None:
    cup = match(cup_of("abc", "{mode: swiss, rounds: 3, blocks: 1}"))
    _, rounds = played(cup, falling("abc"))
    resting = [row.bots for row in rounds.encounters if row.ruling == "bye"]
    assert resting == [("c",), ("b",), ("a",)]
    assert {row.bots for row in rounds.encounters} >= {("a", "b"), ("a", "c"), ("b", "c")}


def test_a_knockout_goes_on_with_the_winners(match: ReadMatch) -> None:
    cup = match(cup_of("abcdef", "{mode: knockout, blocks: 3}"))
    blocks, rounds = played(cup, falling("fabcde"))
    assert [("".join(row.bots), row.winner, row.ruling) for row in rounds.encounters] == [
        ("a", "a", "bye"),
        ("de", "d", "score"),
        ("b", "b", "bye"),
        ("cf", "f", "score"),
        ("ad", "a", "score"),
        ("bf", "f", "score"),
        ("af", "f", "score"),
    ]
    assert [(row.bot, row.place) for row in rounds.places][:2] == [("f", 1), ("a", 2)]
    assert len(blocks) == 5 * 3
    assert count_games(cup) == 2 * len(blocks)


def test_after_a_tie_two_bots_play_on_up_to_a_bound_and_then_the_order_decides(
    match: ReadMatch,
) -> None:
    cup = match(cup_of("abcd", "{mode: knockout, blocks: 2, extra: 3}"))
    blocks, rounds = played(cup, {"a": 0, "b": 0, "c": 0, "d": 0})
    assert {row.ruling for row in rounds.encounters} == {"order"}
    assert [row.blocks for row in rounds.encounters] == [5, 5, 5]
    assert rounds.places[0].bot == "a"
    assert len({block.deal for block in blocks}) == 10


def test_further_blocks_decide_a_tie(match: ReadMatch) -> None:
    order = RoundsOrder(match(cup_of("ab", "{mode: knockout, blocks: 2}")))
    blocks = [order.next() for _ in range(2)]
    for score in (0.75, 0.25, 0.5, 0.25):
        block = blocks.pop(0) if blocks else order.next()
        assert isinstance(block, Block)
        order.finish(block, score, ())
    assert order.next() is None
    (encounter,) = order.rows()[0].encounters
    assert (encounter.winner, encounter.ruling, encounter.blocks) == ("b", "further blocks", 4)


def test_a_withdrawn_bot_meets_nobody_any_more(match: ReadMatch) -> None:
    cup = match(cup_of("abcd", "{mode: knockout, blocks: 2}"))
    _, rounds = played(cup, falling("abcd"), withdrawn_after={3: "a"})
    rulings = [("".join(row.bots), row.winner, row.ruling) for row in rounds.encounters]
    assert rulings == [("ad", "d", "withdrawal"), ("bc", "b", "score"), ("bd", "b", "score")]
    swiss = match(cup_of("abcd", "{mode: swiss, rounds: 3, blocks: 1}"))
    _, rounds = played(swiss, falling("abcd"), withdrawn_after={2: "a"})
    assert all("a" not in row.bots for row in rounds.encounters if row.round > 1)


def test_a_bot_whose_opponents_were_all_withdrawn_goes_on(match: ReadMatch) -> None:
    cup = match(cup_of("abcdefgh", "{mode: knockout, blocks: 1}"))
    gone = dict(enumerate("ahdeb", 1))
    _, rounds = played(cup, falling("abcdefgh"), withdrawn_after=gone)
    texts = [(encounter_text(row), row.winner) for row in rounds.encounters]
    assert texts[:2] == [("a – h", None), ("d – e", None)]
    assert texts[4:] == [("nobody", None), ("b – c", "c"), ("c (bye)", "c")]
    assert rounds.places[0] == PlaceRow("c", 1, 3.0)


@pytest.mark.parametrize("schedule", ["{mode: swiss, blocks: 2}", "{mode: knockout, blocks: 2}"])
def test_rounds_are_the_same_however_far_ahead_they_are_asked(
    match: ReadMatch, schedule: str
) -> None:
    cup = match(cup_of("abcdefg", schedule))
    strengths = {**falling("gfedcba"), "c": 0.0, "d": 0.0}
    assert played(cup, strengths, ahead=50) == played(cup, strengths)


def test_the_number_of_blocks_is_part_of_a_match_in_rounds(match: ReadMatch) -> None:
    short = match(cup_of("abc", "{mode: swiss, blocks: 2}"))
    long = match(cup_of("abc", "{mode: swiss, blocks: 3}"))
    assert identity_of(short) != identity_of(long)
    assert match_of(identity_of(short)).order == short.order


def test_a_match_without_rounds_has_the_identity_that_it_had(match: ReadMatch) -> None:
    assert "rounds" not in identity_of(match())["schedule"]
    assert public_digest(match()) == public_digest(match(schedule="{blocks: 11}"))


@pytest.mark.parametrize(
    ("schedule", "problem"),
    [
        ("{mode: swiss, extra: 2}", "extra: extra is only allowed with mode knockout"),
        ("{mode: knockout, rounds: 2}", "rounds: rounds is only allowed with mode swiss"),
    ],
)
def test_keys_of_other_schedules_are_refused(match: ReadMatch, schedule: str, problem: str) -> None:
    with pytest.raises(MatchFileError) as error:
        match(cup_of("abc", schedule))
    assert problem.partition(": ")[2] in str(error.value)


@pytest.mark.parametrize("mode", ["swiss", "knockout"])
def test_a_played_match_in_rounds_is_continued_and_verified(
    match: ReadMatch,
    registry: PluginRegistry,
    tmp_path: Path,
    digests: Digests,
    mode: str,
) -> None:
    cup = match(cup_of("abcde", f"{{mode: {mode}, blocks: 1}}"))
    run(cup, registry, tmp_path / "whole")
    run(cup, registry, tmp_path / "parts", RunOptions(is_enough=[2].__contains__, ahead=9))
    state = run(cup, registry, tmp_path / "parts", RunOptions(ahead=9))
    assert digests(tmp_path / "whole") == digests(tmp_path / "parts")
    assert [rounds.mode for rounds in state.rounds()] == [mode]
    assert verify(tmp_path / "parts", registry).is_fine
