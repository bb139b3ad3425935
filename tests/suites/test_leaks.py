"""Leaks and broken promises planted on purpose, each found by the check that ought to find it."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from tests.games import faulty_magpies as faulty
from tests.games.magpie import Magpie

from cardhub import Game, Settings
from cardhub.game.opening import split_decks
from cardhub.hidden.observation import Observation, Step
from cardhub.play.redaction import Redactor
from cardhub.table.faces import BLANK, blanked
from cardhub.table.state import State
from cardhub.testing import ConformanceError, check_game, dealing, playout
from cardhub.testing.copying import check_clone
from cardhub.testing.guessing import check_guesses, pick

Plant = type[Magpie]


def finding(game: Game[Any]) -> str:
    """Return the name of the check that the game fails."""
    with pytest.raises(ConformanceError) as caught:
        check_game(game, games=6)
    assert str(caught.value).startswith(f"{game.name}, "), "the message begins with the game"
    return caught.value.check


CAUGHT: list[tuple[Plant, str]] = [
    (faulty.ShowsNote, "check_same_scene"),
    (faulty.TellsNote, "check_same_story"),
    (faulty.NotesHiddenCard, "check_reachable"),
    (faulty.AllowsByNote, "check_reachable"),
    (faulty.PeeksAtStack, "check_legal_is_public"),
    (faulty.ShowsStack, "check_scene"),
    (faulty.TellsStack, "check_story"),
    (faulty.SortsHands, "check_deal_is_blind"),
    (faulty.NotesStack, "check_deal_is_blind"),
    (faulty.DeniesTruth, "check_truth_is_allowed"),
    (faulty.DoubtsTruth, "check_truth_is_allowed"),
    (faulty.Averages, "check_scores"),
    (faulty.ScoresTwice, "check_scores"),
    (faulty.OffersTwice, "check_legal"),
    (faulty.OffersNothing, "check_legal"),
    (faulty.OffersTooMuch, "check_legal"),
    (faulty.ForgetsOnLooking, "check_legal"),
    (faulty.LosesCards, "check_cards"),
    (faulty.ReadsHands, "check_record"),
    (faulty.SharesPile, "check_apply"),
    (faulty.RemembersGames, "check_game"),
    (faulty.DrawsLots, "check_replay"),
    (faulty.ShufflesOpenly, "check_shuffles"),
    (faulty.NeverDrops, "check_random_action"),
    (faulty.DrawsAnything, "check_random_action"),
    (faulty.LoadsTooFew, "check_weights"),
    (faulty.PlaysOutAnything, "check_hints"),
    (faulty.PromisesTooMuch, "check_hints"),
    (faulty.IsTooSure, "check_hints"),
    (faulty.BluffsUnheard, "check_hints"),
    (faulty.PointsNowhere, "check_scene"),
    (faulty.ShowsTooMuch, "check_scene"),
    (faulty.Stammers, "check_notations"),
    (faulty.SaysNothing, "check_story"),
]


@pytest.mark.parametrize(("plant", "check"), CAUGHT)
def test_a_planted_fault_is_found_by_the_check_that_ought_to_find_it(
    plant: Plant, check: str
) -> None:
    """Every check of the kit can fail, and fails for what it is there for."""
    assert finding(plant()) == check


def test_a_rule_whose_consequences_the_game_does_not_tell_is_found_and_the_remedy_named() -> None:
    """What an action tells of unseen cards must be in `allows` or `plausible`."""
    with pytest.raises(ConformanceError, match=r"not legal .*; allows\(\) or plausible\(\) must"):
        check_game(faulty.HidesHighOnly(), games=6)


def test_a_game_without_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random play comes to an end within a bound."""
    monkeypatch.setattr(playout, "MOST_ACTIONS", 500)
    assert finding(faulty.GoesOn()) == "check_end"


def test_a_list_shared_with_clones_is_found_even_if_nothing_has_changed_it_yet() -> None:
    """Clones share no list with the original but the faces and backs."""
    game = faulty.SharesPrices()
    with pytest.raises(ConformanceError, match=r"shares prices \(check_clone\)"):
        check_clone(game, pick(game, 2, 0, Random(0)))


def test_a_deck_that_is_not_shuffled_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens are numbered in shuffled order, so that the number itself says nothing."""

    def unshuffled(game: Magpie, settings: Settings, seats: int, rng: Random) -> list[int]:
        (deck,) = split_decks(game, settings, seats)
        cut = rng.randrange(len(deck) // 2)  # cut near the top, but not shuffled
        return deck[cut:] + deck[:cut]

    monkeypatch.setattr(dealing, "shuffled", unshuffled)
    assert finding(Magpie()) == "check_deal_is_fair"


@pytest.fixture
def peek(monkeypatch: pytest.MonkeyPatch) -> dict[int, State]:
    """Have every observation keep the true state behind it, by the observation's id."""
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
    assert finding(Magpie()) == "check_variety"


def test_determinizations_that_know_one_card_too_many_are_found(
    peek: dict[int, State], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The true face of a hidden card is drawn no more often than by chance."""
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
    with pytest.raises(ConformanceError, match="check_guesses"):
        check_guesses(Magpie(), 3, 0)


def test_a_record_for_one_seat_that_tells_more_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record redacted for one seat is the same in every world that seat takes for possible."""

    def pass_on(self: Redactor, seat: int, action: int, notation: str) -> None:
        self._recorder.take(seat, action, notation)

    monkeypatch.setattr(Redactor, "take", pass_on)
    assert finding(Magpie()) == "check_same_record"
