"""The sentence at the top."""

import copy
from typing import Any

import pytest
from msgspec import convert

from cardhub.lab.analysis.schema import GameStatistics, MatchResult
from cardhub.lab.report.view import verdict


def conclude(result: Any) -> verdict.Conclusion:
    """Return the conclusion of a result that is given as data."""
    return verdict.conclude(convert(result, MatchResult))


def conclude_game(game: Any) -> verdict.Conclusion:
    """Return the conclusion of one game that is given as data."""
    return verdict.conclude_game(convert(game, GameStatistics), 0.95)


def decided(result: Any, verdicts: dict[tuple[str, str], str]) -> Any:
    """Return a result in which the pairs of all games have such verdicts, asked about each game."""
    changed = copy.deepcopy(result)
    if changed["statistics"]["overall"]:
        changed["statistics"]["overall"].update(question="each", pairs=[], leads=[])
    for game in changed["statistics"]["games"]:
        for pair in (*game["pairs"], *game["joint"]):
            a, b = pair["a"], pair["b"]
            back = {"better": "worse", "worse": "better", "open": "open"}
            known = verdicts.get((a, b)) or back[verdicts.get((b, a), "open")]
            pair["verdict"] = known
    return changed


def test_the_best_bot_of_a_game_is_better_than_every_other_one(cup: Any) -> None:
    """A single open pair is enough for doubt; ratings do not decide."""
    pairs = {("dice", "steady"): "worse", ("dice", "broken"): "better"}
    open_pair = decided(cup.result, pairs)["statistics"]["games"][0]
    conclusion = conclude_game(open_pair)
    assert "is the best" not in conclusion.sentence
    assert not conclusion.sure
    sure = decided(cup.result, pairs | {("steady", "broken"): "better"})["statistics"]["games"][0]
    conclusion = conclude_game(sure)
    assert (
        conclusion.sentence == "steady is the best bot in leduc: it is better than every other bot."
    )
    assert conclusion.sure
    assert conclusion.reasons[0].startswith("3 of 3 pairs are settled through all opponents;")


def test_a_game_with_too_few_deals_for_any_verdict_says_so(cup: Any) -> None:
    """With ten deals the exact test has no p-value below 1 in 512."""
    game = decided(cup.result, {})["statistics"]["games"][0]
    sentence = (
        "In leduc there are too few deals to settle any pair, however clear the results: that "
        "takes at least 11."
    )
    for limit, is_said in ((0.05 / 30, True), (0.05 / 3, False)):
        for row in (*game["pairs"], *game["joint"]):
            row["blocks"] = 10
            row["evidence"]["limit"] = limit
        assert (sentence in conclude_game(game).reasons) == is_said


def test_a_leader_that_is_worse_than_another_bot_is_not_the_best(cup: Any) -> None:
    circle = {("dice", "steady"): "better", ("steady", "broken"): "better"}
    game = decided(cup.result, circle | {("broken", "dice"): "better"})["statistics"]["games"][0]
    conclusion = conclude_game(game)
    assert conclusion.sentence.startswith("No bot is the best in leduc: ")
    assert not conclusion.sure


def test_bots_of_equal_strength_are_level(cup: Any) -> None:
    game = decided(cup.result, {})["statistics"]["games"][0]
    first, second, third = game["bots"]
    for row in (first, second):
        row["elo"] = {"value": 1e-15, "low": -9.0, "high": 9.0}
    conclusion = conclude_game(game)
    level = f"{first['bot']} and {second['bot']} are level in leduc"
    assert conclusion.sentence == f"{level}, but {third['bot']} may be as good."


def test_of_many_equal_bots_a_sentence_names_six(cup: Any) -> None:
    game = decided(cup.result, {})["statistics"]["games"][0]
    first, *others = game["bots"]
    first["elo"] = {"value": 400.0, "low": 390.0, "high": 410.0}
    many = [{**first, "bot": f"team{number}"} for number in range(9)]
    game["bots"] = [*many, first, *others]
    sentence = conclude_game(game).sentence
    assert sentence.startswith("team0, team1, team2, team3, team4, team5 and 4 others are level")


def test_the_best_over_all_games_is_the_best_in_each(cup: Any) -> None:
    pairs = {("dice", "steady"): "worse", ("dice", "broken"): "better"}
    conclusion = conclude(decided(cup.result, pairs | {("steady", "broken"): "better"}))
    assert conclusion.sentence == "steady is the best bot in each of the 2 games."
    assert conclusion.sure
    assert "steady is better than dice in kuhn." in conclusion.reasons


def test_the_conclusion_names_the_leader_and_bots_that_were_not_compared(cup: Any) -> None:
    """A leader by mean Elo is not the best bot, and may be weaker than a bot that misses a game."""
    conclusion = conclude(decided(cup.result, {}))
    assert " leads by mean Elo over 2 games, but it is not settled " in conclusion.sentence
    assert conclusion.reasons[-2].startswith("Mean Elo over leduc and kuhn: ")
    assert conclusion.reasons[-1] == ("broken is not compared, because it has no rating in kuhn.")
    assert not any("Nash" in reason for reason in conclusion.reasons)
    assert not conclusion.sure


def over_games(result: Any, verdicts: dict[tuple[str, str], str]) -> verdict.Conclusion:
    """Return the conclusion if bots have such verdicts by the mean score over two games."""
    changed = copy.deepcopy(result)
    leads = {"better": 0.2, "open": 0.1, "worse": -0.2}
    order = ["steady", "dice", "broken"]
    changed["statistics"]["overall"].update(
        question="mean_score",
        leads=[
            {"bot": bot, "lead": 0.1 - place / 10, "rank": 1, "best": 1, "worst": 3}
            for place, bot in enumerate(order)
        ],
        pairs=[
            {
                "a": a,
                "b": b,
                "deals": [0, 49],
                "blocks": 50,
                "verdict": answer,
                "evidence": {
                    "kind": "sign_flip",
                    "p_value": 0.001,
                    "limit": 0.05,
                    "score": {"value": leads[answer], "low": 0.05, "high": 0.3},
                    "elo": None,
                },
            }
            for (a, b), answer in verdicts.items()
        ],
    )
    return conclude(changed)


def test_the_question_of_the_match_decides_over_games(cup: Any) -> None:
    pairs = {("dice", "steady"): "worse", ("dice", "broken"): "better"}
    best = over_games(cup.result, pairs | {("steady", "broken"): "better"})
    assert best.sentence.startswith("steady is the best bot over 2 games")
    assert best.sentence.endswith(": by mean score it is better than every other bot.")
    assert best.sure
    assert best.reasons[0] == (
        "3 of 3 pairs are settled by mean score; these verdicts hold together at 95 %."
    )
    leader = over_games(cup.result, pairs | {("steady", "broken"): "open"})
    assert leader.sentence.startswith("steady leads by mean score over 2 games")
    assert leader.sentence.endswith(", but broken may be as good.")
    assert not leader.sure


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("better", "dice is better than steady over 2 games"),
        ("worse", "steady is better than dice over 2 games"),
        ("open", "It is open whether dice or steady is better over 2 games"),
    ],
)
def test_two_bots_over_games_have_a_sentence_with_the_interval(
    cup: Any, answer: str, sentence: str
) -> None:
    conclusion = over_games(cup.result, {("dice", "steady"): answer})
    assert conclusion.sentence.startswith(sentence)
    assert conclusion.sentence.endswith(", by mean score.")
    assert conclusion.sure == (answer != "open")
    assert "is ahead of" in conclusion.reasons[0]
    assert "95 % interval" in conclusion.reasons[0]


def test_two_bots_are_concluded_from_their_pair(duel: Any) -> None:
    game = copy.deepcopy(duel.result["statistics"]["games"][0])
    pair = game["pairs"][0]
    score = {"value": 0.39, "low": 0.33, "high": 0.45}
    evidence = {"kind": "sign_flip", "p_value": 0.001, "limit": 0.05, "score": score, "elo": None}
    pair.update(blocks=50, verdict="worse", evidence=evidence)
    game["p_value_of"] = "sign_flip"
    planned = conclude_game(game)
    assert planned.sentence == "first is better than dice in kuhn."
    assert planned.reasons == (
        "Over 50 blocks first scores 0.610 (95 % interval 0.550 to 0.670) against dice.",
        "Equally strong bots would differ this much by chance with p = 0.0010.",
    )
    game["p_value_of"] = evidence["kind"] = "sequence"
    stopped = conclude_game(game)
    assert "(anytime-valid, 95 % interval 0.550 to 0.670)" in stopped.reasons[0]
    pair["verdict"] = "open"
    conclusion = conclude_game(game)
    assert conclusion.sentence == "It is open whether dice or first is better in kuhn."
    assert not conclusion.sure


@pytest.mark.parametrize(
    ("verdict", "sentence", "sure"),
    [
        ("better", "dice is better than first in kuhn.", True),
        ("not better", "dice is not 150 normalized Elo better than first in kuhn.", True),
        ("undecided", "It is undecided whether dice is better than first in kuhn.", False),
    ],
)
def test_a_test_speaks_first(duel: Any, verdict: str, sentence: str, sure: bool) -> None:
    """The verdict of the test comes before the ratings."""
    result = copy.deepcopy(duel.result)
    result["test"]["verdict"] = verdict
    conclusion = conclude(result)
    assert (conclusion.sentence, conclusion.sure) == (sentence, sure)
    assert "against 150 normalized Elo" in conclusion.reasons[0]


@pytest.mark.parametrize(
    ("hypotheses", "verdict", "sentence"),
    [
        ([-20, 0], "better", "dice is less than 20 normalized Elo worse than first in kuhn."),
        ([-20, 0], "not better", "dice is worse than first in kuhn."),
        ([0, 20], "better", "dice is better than first in kuhn."),
    ],
)
def test_a_test_claims_no_more_than_it_rejects(
    duel: Any, hypotheses: list[float], verdict: str, sentence: str
) -> None:
    """One that passes against [-20, 0] may be the weaker bot."""
    result = copy.deepcopy(duel.result)
    result["test"].update(verdict=verdict, elo=hypotheses)
    assert conclude(result).sentence == sentence


def test_without_blocks_there_is_no_conclusion(cup: Any) -> None:
    """A match may be left before its first block is finished."""
    result = copy.deepcopy(cup.result)
    for game in result["statistics"]["games"]:
        game["blocks"] = 0
    assert conclude(result).sentence == "There is no result yet: no block is finished."
