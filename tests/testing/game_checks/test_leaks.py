"""Leaks and broken promises planted on purpose, each found by the check that ought to find it."""

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.games import faulty_displays as displays
from tests.games import faulty_goals as goals
from tests.games import faulty_magpies as faulty
from tests.games import faulty_sides as sides
from tests.games import leaking_magpies as leaking
from tests.games.magpie import Magpie, MagpieDisplay

from cardhub import Area, Display, Game, Scene, Settings
from cardhub.model.game.initial_state import split_decks
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import Observation, Step
from cardhub.model.table.faces import BLANK, blanked
from cardhub.model.table.state import State
from cardhub.play.records import redaction
from cardhub.plugins.registry import find_plugins
from cardhub.testing import (
    PROMISES,
    ConformanceError,
    check_game,
    random_play,
)
from cardhub.testing.game_checks import secrecy
from cardhub.testing.game_checks import state_checks as setup_checks
from cardhub.testing.game_checks.determinization_bias import check_guesses, random_position
from cardhub.testing.game_checks.display_checks import comparisons
from cardhub.testing.game_checks.display_checks import table_plan as plain_text
from cardhub.testing.game_checks.display_checks.table_plan import check_plan, check_room
from cardhub.testing.game_checks.game_report import GameFinding, GameFindings, check_trial
from cardhub.testing.game_checks.playout_checks import check_goal
from cardhub.testing.game_checks.state_checks import check_lesson, check_options, check_rules_page
from cardhub.testing.random_play import default_trial
from cardhub.view.building import build_view
from cardhub.view.view import View

Plant = type[Magpie]
# Each fault shows within this many random games.
FEW = 4


def findings(game: Game[Any]) -> tuple[GameFinding, ...]:
    """Return the findings of a few games, up to the first game with any."""
    collected = GameFindings(game)
    collected(check_rules_page, game, None)
    if collected(check_options, game, None):
        for number in range(FEW):
            check_trial(game, default_trial(game, 2, number), collected, is_first=not number)
            if collected.by_check:
                break
    return collected.root_causes()


HIDDEN = "is hidden from this seat"
PLANTED: list[tuple[Plant, tuple[str, ...], str]] = [
    (faulty.Stumbles, ("rules",), " fails: ZeroDivisionError: integer division or modulo by zero"),
    (faulty.StumblesAtOnce, ("rules",), "the deal fails: IndexError: list index out of range"),
    (faulty.SeatsNobody, ("seat",), "which is no seat"),
    (faulty.OffersNothing, ("legal",), "no legal action for seat 0"),
    (faulty.OffersTwice, ("legal",), "offered more than once: draw"),
    (faulty.OffersTooMuch, ("legal",), "is not within 57 actions"),
    (faulty.ForgetsOnLooking, ("legal",), "legal() changes the state or its answer"),
    (faulty.LosesCards, ("cards",), "nowhere: D1 (token 6)"),
    (faulty.Averages, ("scores",), "scores are [0.0, 0.0], not one int per seat"),
    (faulty.ScoresTwice, ("scores",), "scores are [0, 0, 0], not one int per seat"),
    (goals.CallsItDecided, ("score_swing",), "and score_swing() fell from 0 to 0"),
    (goals.SwingsInHalves, ("score_swing",), "score_swing() returns 99.5, not an int from 0"),
    (goals.KeepsAccounts, ("team_scores",), "scores of a common cause differ between members"),
    (goals.ForgetsPartners, ("team_scores",), "of the teams [1, 1] differ between members"),
    (goals.LeavesOutASeat, ("teams",), "teams() returns (0,) for 2 seats"),
    (goals.AimsAlone, ("teams",), "target() returns 9, but the goal is RANK"),
    (goals.CountsTheNameless, ("teams",), "unit is ' ', not a plural noun such as 'chips'"),
    (goals.WinsInWords, ("teams",), "goal is 'win', not a member of Goal"),
    (goals.CountsInNothing, ("teams",), "unit_size() returns 0, not an int of at least 1"),
    (sides.AlliesTwice, ("teams",), "the game has both teams and sides"),
    (sides.NamesTwice, ("teams",), "sides are ('black', 'black'), not different names"),
    (sides.GoesBeyond, ("sides",), "side(): TypeError: magpie: side() returns 2 for seat 0"),
    (sides.Guesses, ("sides",), "seat 0 reads that seat 1 is 'black', but it is 'white'"),
    (sides.NeverTells, ("sides",), "not everybody knows the side of seat 0 and seat 1 at the end"),
    (sides.DividesScores, ("sides",), "the members of 'black' have different scores at the end"),
    (sides.Whispers, ("reachable", "same_view"), "state.white depends on hidden faces"),
    (faulty.SharesPile, ("clone",), "a clone shares discard"),
    (faulty.ChangesThePast, ("apply", "memory"), "on a clone changes debts of the original"),
    (faulty.HoldsLock, ("pickle",), "cannot pickle '_thread.lock' object"),
    (faulty.SharesLots, ("randomness",), "the rules draw from the module `random`, or seed it"),
    (faulty.RemembersGames, ("memory",), "a game has changed plays of the game object"),
    (faulty.DrawsLots, ("replay",), "the game does not replay"),
    (leaking.SortsHands, ("deal_is_blind",), "dealing other hidden cards gives another hand"),
    (leaking.NotesStack, ("deal_is_blind",), "dealing other hidden cards gives another note"),
    (faulty.ShufflesOpenly, ("shuffles",), "are shuffled where discard shows their faces"),
    (faulty.LoadsTooFew, ("weights",), "[3, 2, 1, 1] for roll 1, roll 2, roll 3"),
    (faulty.NeverDrops, ("random_action",), "never drawn: "),
    (faulty.DrawsAnything, ("random_action",), " is not legal"),
    (
        faulty.PlaysOutAnything,
        ("heuristics",),
        "playout_action() returns an action that is not legal",
    ),
    (
        faulty.PromisesTooMuch,
        ("heuristics",),
        "evaluate() returns [0.5, 0.5, 0.5], not a number per",
    ),
    (faulty.IsTooSure, ("heuristics",), "likelihood() returns 3.0, which is not from 0 to 1"),
    (faulty.BluffsUnheard, ("heuristics",), "`bluffs` has unknown verbs: wink"),
    (faulty.ClassesSomeFaces, ("heuristics",), "`face_classes` has 2 numbers, not one per face"),
    (faulty.UnequalRows, ("heuristics",), "`face_rows` has rows of different lengths"),
    (faulty.SharedRows, ("heuristics",), "`face_rows` has a face twice, or one that does not"),
    (faulty.NumbersUnheard, ("heuristics",), "`row_numbers` has unknown fields or verbs: colour"),
    (faulty.SitesUnheard, ("heuristics",), "`site_fields` has unknown fields of cards: colour"),
    (
        faulty.ConfirmsUnheard,
        ("scene",),
        "`needs_confirmation`, `primary` or `sentences` has unknown verbs: wink",
    ),
    (
        faulty.SpeaksUnheard,
        ("scene",),
        "`needs_confirmation`, `primary` or `sentences` has unknown verbs: wink 1",
    ),
    (faulty.InventsLevels, ("scene",), "`opponents` has unknown levels: wizard"),
    (faulty.NamesAlike, ("notations",), "two actions have the same notation: ['draw']"),
    (displays.Stammers, ("notations",), "two actions have the same notation: ['roll x']"),
    (faulty.NamesNothing, ("notations", "labels", "narration"), "'' cannot be read back"),
    (displays.SaysNothing, ("narration",), "seat 0 is told ()"),
    (leaking.TellsStack, ("narration",), f"{HIDDEN} (games/leaking_magpies.py:"),
    (displays.SumsUpUnevenly, ("summary",), "gets Summary(title='Action', rows=(('player',), ("),
    (leaking.SumsUpStack, ("summary",), f"{HIDDEN} (games/leaking_magpies.py:"),
    (displays.ExplainsEverything, ("why_not",), "is legal, and why_not() returns 'that is never"),
    (displays.ExplainsAtLength, ("why_not",), "'it is not allowed.\\nThat is all'"),
    (leaking.ReadsForReason, ("why_not",), f"{HIDDEN} (games/leaking_magpies.py:"),
    (displays.SaysAtLength, ("consequence",), "says 'your nest grows\\nby a card'"),
    (displays.NumbersForEach, ("chapter",), "viewers are told different chapters: {0: 'cards "),
    (displays.ForgetsCauses, ("breakdown",), "the points of seat 0 add up to "),
    (displays.CountsTooMuch, ("player_statistics",), "gets 'draws': Frequency(count="),
    (displays.PointsNowhere, ("scene",), "'draw' points at the area 'stak', which is not shown"),
    (displays.ShowsTooMuch, ("scene",), "'more' shows tokens [20], which do not exist"),
    (displays.PausesForNobody, ("beats",), "'{player} waits', and its `by` is None"),
    (displays.LogsLines, ("narration",), "'Anna acts.\\nThat is all')"),
    (displays.CountsViewers, ("beats",), "changes the state in another way if it is watched"),
    (leaking.ShowsStack, ("scene",), f"{HIDDEN} (games/leaking_magpies.py:"),
    (
        leaking.PeeksAtStack,
        ("legal_is_public",),
        "legal actions depend on what is hidden",
    ),
    (leaking.DeniesTruth, ("truth_is_allowed",), "allows() denies that token"),
    (leaking.MasksTruth, ("truth_is_allowed",), "possible() denies that token"),
    (leaking.DoubtsTruth, ("truth_is_allowed",), "plausible() denies the truth"),
    (leaking.HidesHighOnly, ("reachable",), "allows() or plausible() must exclude it"),
    (
        leaking.NotesHiddenCard,
        ("reachable",),
        "state.note depends on hidden faces: this reveals hidden cards to seat",
    ),
    (leaking.ShowsNote, ("reachable", "same_scene"), "state.note depends on hidden faces"),
    (leaking.TellsNote, ("reachable", "same_narration"), "state.note depends on hidden faces"),
    (leaking.SumsUpNote, ("reachable", "same_summary"), "state.note depends on hidden faces"),
    (leaking.LogsNote, ("reachable", "same_narration"), "state.note depends on hidden faces"),
    (
        leaking.PausesAtNote,
        ("reachable", "same_narration", "same_beats"),
        "state.note depends on hidden faces",
    ),
    (
        leaking.NamesChapterByNote,
        ("reachable", "same_view", "same_chapter"),
        "state.note depends on hidden",
    ),
    (leaking.NamesAnyCard, ("notations",), "stands for action"),
    (leaking.ReadsHands, ("record",), f"{HIDDEN} (games/leaking_magpies.py:"),
    (faulty.HelpsNobody, ("options",), "no help for peek"),
    (faulty.ExpectsTooMuch, ("options",), "nest cannot be '9': it is a number from 3 to 5"),
    (faulty.ForgetsItsPage, ("rules_page",), "does not name the option glitter"),
    (faulty.HasNoPage, ("rules_page",), "`rules.md` is missing"),
]
# Faults whose consequences depend on the positions that are checked thoroughly.
SPREADING = (faulty.NamesAlike, faulty.NamesNothing)


@pytest.mark.usefixtures("without_taint", "short_suite")
@pytest.mark.parametrize("game", [sides.Feathers, sides.Undecided])
def test_sides_pass_that_all_know_or_that_nobody_has_at_the_end(game: Plant) -> None:
    assert findings(game()) == ()


@pytest.mark.usefixtures("without_taint")
@pytest.mark.parametrize(
    ("plant", "checks", "problem"), PLANTED, ids=[p[0].__name__ for p in PLANTED]
)
def test_a_planted_fault_is_found_in_a_few_games_and_named(
    plant: Plant, checks: tuple[str, ...], problem: str, request: pytest.FixtureRequest
) -> None:
    """Every check can fail, and each fails on its own fault, not on a consequence."""
    if plant not in SPREADING:
        request.getfixturevalue("short_suite")
    reported = findings(plant())
    assert tuple(finding.check for finding in reported) == checks
    assert problem in reported[0].problem
    assert reported[0].game == "magpie"


@pytest.mark.usefixtures("short_suite")
def test_a_good_game_passes() -> None:
    """All planted faults are changes of this game."""
    assert findings(Magpie()) == ()


def finding(game: Game[Any]) -> str:
    """Return the name of the check that the game fails first."""
    with pytest.raises(ConformanceError) as caught:
        check_game(game, games=1)
    assert str(caught.value).startswith(f"{game.name}, "), "the message begins with the game"
    return caught.value.check


def test_the_first_fault_ends_the_check_that_raises() -> None:
    with pytest.raises(ConformanceError, match=r"magpie, 2 seats, .*, step \d+: .* \(cards\)$"):
        check_game(faulty.LosesCards())


def test_a_game_whose_scores_never_differ_has_to_be_a_common_cause() -> None:
    """One game with different scores is enough; a game without end does not count."""
    trial = default_trial(goals.SumsUp(), 2, 0)
    with pytest.raises(ConformanceError, match="equal scores, but the goal is RANK") as caught:
        check_goal(goals.SumsUp(), trial, games=5)
    assert caught.value.check == "goal"
    check_goal(Magpie(), trial)
    check_goal(goals.KeepsAccounts(), trial)


def test_a_game_without_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random play ends within a bounded number of steps."""
    monkeypatch.setattr(random_play, "MOST_ACTIONS", 500)
    assert finding(faulty.GoesOn()) == "end"


@pytest.mark.usefixtures("without_taint")
def test_legal_actions_may_not_follow_from_hidden_cards_through_the_state() -> None:
    """A hidden value in the state is reported, and so are the actions that depend on it."""
    collected, game = GameFindings(leaking.AllowsByNote()), leaking.AllowsByNote()
    for number in range(6):
        check_trial(game, default_trial(game, 2, number), collected, is_first=True)
    assert [cause.check for cause in collected.root_causes()] == ["reachable", "same_legal"]


def test_a_list_shared_with_clones_is_found_even_if_nothing_has_changed_it_yet() -> None:
    """Clones share no list with the original but the faces and backs."""
    (finding,) = findings(faulty.SharesPrices())
    assert (finding.check, finding.problem) == ("clone", "a clone shares prices")


def test_a_deck_that_is_not_shuffled_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens are numbered in shuffled order, because the number must not carry information."""

    def unshuffled(game: Magpie, settings: Settings, seats: int, rng: Random) -> list[int]:
        (deck,) = split_decks(game, settings, seats)
        cut = rng.randrange(len(deck) // 2)  # cut near the top, but not shuffled
        return deck[cut:] + deck[:cut]

    monkeypatch.setattr(setup_checks, "shuffled_pack", unshuffled)
    assert finding(Magpie()) == "deal_is_fair"


@pytest.fixture
def peek(monkeypatch: pytest.MonkeyPatch) -> dict[int, State]:
    """Make every observation store the true state, by the observation's id."""
    truths: dict[int, State] = {}
    make = Observation.__init__

    def keep(
        self: Observation[Any],
        game: Game[Any],
        state: State,
        seat: int,
        history: Sequence[Step] = (),
    ) -> None:
        make(self, game, state, seat, history)
        truths[id(self)] = state

    monkeypatch.setattr(Observation, "__init__", keep)
    return truths


def test_determinizations_that_are_the_truth_are_found(
    peek: dict[int, State], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two cards of one back that could lie the other way round are drawn either way."""
    monkeypatch.setattr(Observation, "determinize", lambda self, rng: peek[id(self)].clone())
    assert finding(Magpie()) == "variety"


def test_determinizations_that_change_known_faces_are_found(
    peek: dict[int, State], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every determinization agrees with the faces that the seat knows."""

    def elsewhere(self: Observation[Any], rng: Random) -> State:
        drawn = peek[id(self)].clone()
        drawn.phase += 1
        return drawn

    monkeypatch.setattr(Observation, "determinize_whole", elsewhere)
    assert finding(Magpie()) == "determinization"


def test_determinizations_that_know_one_card_too_many_are_found(
    peek: dict[int, State], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The true face of a hidden card is drawn only as often as by chance."""
    fair = Observation.determinize

    def knowing(self: Observation[Any], rng: Random) -> State:
        drawn, truth = fair(self, rng), peek[id(self)].face
        assert isinstance(drawn, State)
        hidden = [token for token, face in enumerate(blanked(self.state.face)) if face == BLANK]
        faces = blanked(drawn.face)
        bearers = [token for token in hidden if faces[token] == truth[hidden[0]]]
        if bearers:
            faces[bearers[0]], faces[hidden[0]] = faces[hidden[0]], faces[bearers[0]]
        drawn.face = faces
        return drawn

    monkeypatch.setattr(Observation, "determinize", knowing)
    with pytest.raises(ConformanceError, match=r"\(guesses\)"):
        check_guesses(Magpie(), default_trial(Magpie(), 3, 0))


def test_a_record_for_one_seat_that_reveals_more_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record redacted for one seat is the same in every world that seat takes for possible."""
    monkeypatch.setattr(redaction, "replace", lambda entry, **_: entry)
    assert finding(Magpie()) == "same_record"


def test_a_table_without_text_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text is not empty and contains every legal action."""
    monkeypatch.setattr(plain_text, "table_lines", lambda *_, **__: [])
    assert finding(Magpie()) == "layout"


def test_a_view_with_the_face_of_an_unseen_card_is_found(
    peek: dict[int, State], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bytes that a client gets are the same in every world that its viewer takes for possible.

    The planted leak is one number in the JSON form: the true face of the first hidden card.
    """

    def leaking(observation: Observation[Any], names: Sequence[str]) -> View:
        truth = blanked(peek[id(observation)].face)
        seen = enumerate(blanked(observation.state.face))
        hidden = next((truth[token] for token, face in seen if face == BLANK), 0)
        return msgspec.structs.replace(build_view(observation, names), revision=hidden)

    monkeypatch.setattr(comparisons, "build_view", leaking)
    assert finding(Magpie()) == "same_view"


def test_words_that_are_not_the_same_in_all_worlds_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The names of actions may not depend on cards that a seat does not see."""
    numbers, label = count(), Labels.past_label
    monkeypatch.setattr(Labels, "past_label", lambda self, a: f"{label(self, a)} {next(numbers)}")
    game = Magpie()
    position = random_position(game, 2, 0, Random(3))
    collected = GameFindings(game)
    secrecy.check_secrecy(game, position, Random(0), 1, collected)
    assert "same_words" in collected.by_check


def test_consequences_that_are_not_the_same_in_all_worlds_are_found() -> None:
    """A consequence may depend only on cards that the seat sees."""
    game, collected = leaking.SaysNote(), GameFindings(leaking.SaysNote())
    for seed in range(10):
        position = random_position(game, 2, seed, Random(3))
        secrecy.check_secrecy(game, position, Random(0), 1, collected)
    assert "same_consequence" in collected.by_check


ROOM = (
    r"'cards' exceeds its room in \d+ of \d+ positions, with up to 5 cards after \d+ actions of "
    "the game with seed 0 and 2 players"
)


def test_too_little_room_is_found_and_a_position_is_named() -> None:
    with pytest.raises(ConformanceError, match=ROOM):
        check_room(displays.CrampsHands(), default_trial(Magpie(), 2, 0), games=1)
    check_room(Magpie(), default_trial(Magpie(), 2, 0), games=1)


def test_a_table_that_moves_is_found() -> None:
    """An area is missing while it is empty."""
    with pytest.raises(
        ConformanceError, match=r"seat 0 changes on a terminal of 60x20: "
    ) as caught:
        check_plan(displays.LeavesOutPiles(), default_trial(Magpie(), 2, 0))
    assert caught.value.check == "plan"
    assert "is not in the scene before. fix: keep it there while it is empty" in str(caught.value)
    check_plan(Magpie(), default_trial(Magpie(), 2, 0))


@pytest.mark.parametrize("name", ["big_two", "gin_rummy", "goofspiel", "hearts", "spades"])
def test_the_default_scene_never_moves(name: str) -> None:
    """Hands are dealt after the start, and cards in front of the seats grow in number."""
    kind = type(find_plugins().game(name))
    game = type("Undrawn", (kind,), {"display_type": Display})()
    check_plan(game, default_trial(game, game.seats.default, 0))
    check_room(game, default_trial(game, game.seats.default, 0))


def test_an_area_without_room_that_grows_is_named() -> None:
    class GrowingDisplay(MagpieDisplay):
        def scene(self, state: Any, viewer: int) -> Scene:
            scene = super().scene(state, viewer)
            nests = [Area("nest", nest, n, place="front") for n, nest in enumerate(state.nest)]
            return Scene(scene.prompt, [*scene.areas[:2], *nests], scene.points)

    class Growing(Magpie):
        display_type = GrowingDisplay

    growth = r"step \d+: .*Area 'nest' of seat \d grows to \d cards without `room`. fix: room=\d"
    with pytest.raises(ConformanceError, match=growth):
        check_plan(Growing(), default_trial(Magpie(), 2, 0))


def test_a_lesson_that_cannot_be_played_is_found(tmp_path: Path) -> None:
    """Its script is read and replayed; a game without a lesson passes."""
    script = tmp_path / "lesson.yaml"
    script.write_text("steps: none\n", "utf-8")

    class TeachingDisplay(MagpieDisplay):
        def lesson(self) -> Path | None:
            return script

    class Teaching(Magpie):
        display_type = TeachingDisplay

    with pytest.raises(ConformanceError, match=r"lesson\.yaml") as caught:
        check_lesson(Teaching())
    assert caught.value.check == "lesson"
    check_lesson(Magpie())


def test_every_check_is_planted_against() -> None:
    """No check is without a test; the check of records is tested elsewhere."""
    planted = {check for _, checks, _ in PLANTED for check in checks}
    by_hand = {"end", "time", "same_legal", "deal_is_fair", "variety", "determinization"}
    by_hand |= {"goal", "guesses", "room", "plan", "same_consequence", "lesson"}
    by_hand |= {"same_record", "same_errors", "layout", "same_view", "same_words"}
    by_hand |= {"golden", "same_messages", "source", "recognition", "order", "examples"}
    by_hand |= {"same_result", "published", "final_scores", "sight", "ranges", "prompts"}
    assert planted | by_hand == set(PROMISES)
