"""A game with a card that is worth more than all others, planted to be found by a study."""

import re
from collections import defaultdict
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest
from scipy.special import stdtrit

from cardhub.lab.estimate import Measure
from cardhub.lab.match.log.log_reader import read_games
from cardhub.lab.match.run.runner import run
from cardhub.lab.study.figure_text import headlines, ranked_uses
from cardhub.lab.study.study_figures import StudyOptions, deals_for, study_of
from cardhub.lab.study.study_page import study_html
from cardhub.lab.study.study_request import StudyRequest, prepare
from cardhub.lab.study.study_schema import StudyResult
from cardhub.plugins.registry import find_plugins

GAME = dedent('''
    """Crates: lay two of three crates; the heavier pair wins."""

    from cardhub import (
        OVER, Actions, Area, Display, Game, Scene, Seats, State, Tokens, hookimpl, per_seat, shared
    )
    from cardhub.model.cards import Back, Card, Cards

    # Thirty crates of 1 to 5, and a broken one of 11.
    WEIGHTS = [1 + number % 5 for number in range(30)] + [11]
    FACES = [
        Card(f"c{number}", f"crate {number}", 0, 0, 1, "", {"weight": weight})
        for number, weight in enumerate(WEIGHTS)
    ]


    class Table(State):
        stack = shared(faces="nobody")
        hand = per_seat(faces="owner")
        laid = per_seat(faces="all")


    class CratesDisplay(Display[Table]):
        """Hands and crates."""

        def scene(self, state, viewer):
            hands = [Area("hand", hand, seat) for seat, hand in enumerate(state.hand)]
            laid = [Area("laid", laid, seat) for seat, laid in enumerate(state.laid)]
            return Scene("lay a crate", [*hands, *laid])


    class Crates(Game[Table]):
        """Lay crates."""

        name, title, seats = "crates", "Crates", Seats(2, 2)
        cards = Cards(tuple(FACES), (Back("crate", "crate", "c", "?", "white"),), ("main",))
        actions = Actions(Tokens("lay", len(FACES)))
        state_type, display_type = Table, CratesDisplay

        def deal(self, state):
            for number in range(6):
                state.put(number, state.hand, number % 2)
            for number in range(6, len(FACES)):
                state.put(number, state.stack)

        def legal(self, state):
            return sorted(state.hand[state.seat])

        def apply(self, state, action):
            state.move(action, state.hand[state.seat], state.laid, state.seat)
            both = all(len(laid) == 2 for laid in state.laid)
            state.seat = OVER if both else 1 - state.seat

        def scores(self, state):
            return [sum(WEIGHTS[state.face[token]] for token in laid) for laid in state.laid]


    @hookimpl
    def register_games():
        return [Crates()]
''')
BROKEN = "c30"
DEALS = 120


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("crates")


@pytest.fixture(scope="module")
def crates(folder: Path) -> StudyResult:
    """Return a study of few deals, between random bots."""
    (folder / "crates.py").write_text(GAME, "utf-8")
    registry = find_plugins((folder,))
    request = StudyRequest("crates", 2, {}, ("random",), deals=DEALS)
    parts = prepare(folder / "study", request, registry)
    for part in parts:
        run(part.match, registry, part.folder)
    return study_of(request, parts, registry, StudyOptions())[0]


def test_the_broken_card_is_in_the_first_row(crates: StudyResult) -> None:
    assert BROKEN in ranked_uses(crates.uses)[0].name


def test_a_main_figure_says_it_in_words(crates: StudyResult) -> None:
    (row,) = [row for row in headlines(crates) if row.label == "Strongest card or action"]
    assert re.fullmatch(rf".*{BROKEN}: \+\d\d\.\d %", row.value)
    assert re.match(
        rf"Seats that .*{BROKEN}”? score \d\d\.\d % more than seats without", row.sentence
    )


def test_only_rows_with_an_interval_are_ranked_and_certainty_orders_them(
    crates: StudyResult,
) -> None:
    ranked = ranked_uses(crates.uses)
    without = [row for row in crates.uses if row.p_value is None]
    assert without
    assert len(ranked) + len(without) == len(crates.uses)
    p_values = [row.p_value for row in ranked if row.p_value is not None]
    assert p_values == sorted(p_values)
    assert len(p_values) == len(ranked)


def test_the_worth_of_the_broken_card_is_that_of_a_regression_by_deal(
    crates: StudyResult, folder: Path
) -> None:
    """Computed from the log alone, with other formulas: residuals of the regression by deal."""
    rows = []
    for _, game in read_games(folder / "study" / "plain"):
        for seat, place in enumerate(game.places):
            score = {1: 1.0, 2: 0.0}[place] if game.places.count(1) == 1 else 0.5
            dealt = BROKEN in [game.cards[token] for token in range(seat, 6, 2)]
            rows.append((game.deal, seat, score, float(dealt)))
    deals, seats, scores, has_card = (np.array(column) for column in zip(*rows, strict=True))
    means = np.stack([seats == 0, seats == 1], axis=1).astype(float)
    design = np.column_stack([means, has_card])
    solution, *_ = np.linalg.lstsq(design, scores, rcond=None)
    residuals = scores - design @ solution
    centred = has_card - means @ (means.T @ has_card / means.sum(axis=0))
    sums: defaultdict[int, float] = defaultdict(float)
    weights: defaultdict[int, float] = defaultdict(float)
    for deal, product, weight in zip(deals, centred * residuals, centred**2, strict=True):
        sums[deal] += product
        weights[deal] += weight
    clusters, whole = len(sums), sum(weights.values())
    error = (clusters / (clusters - 1) * sum(s**2 for s in sums.values())) ** 0.5 / whole
    freedom = whole**2 / sum(weight**2 for weight in weights.values()) - 1
    (row,) = [row for row in crates.uses if (row.kind, row.name) == ("dealt", BROKEN)]
    assert row.worth is not None
    assert row.worth.value == pytest.approx(solution[2])
    assert row.worth.error == pytest.approx(error)
    assert row.worth.high == pytest.approx(solution[2] + stdtrit(freedom, 0.975) * error)


def test_an_advantage_that_is_not_certain_is_no_answer(crates: StudyResult) -> None:
    """The headline has its interval only, and a note says how many deals settle it."""
    assert not any(row.is_certain for row in crates.skilled.seats)
    fairness = headlines(crates)[0]
    assert fairness.value.endswith(": open")
    assert fairness.span != "–"
    assert crates.settling is not None
    assert crates.settling.reach == 0.05
    note = f"About {crates.settling.seats:,} deals settle the advantage of every seat to ±5.0 %."
    assert note in crates.notes
    assert note in study_html(crates)


def test_four_times_the_deals_halve_an_interval() -> None:
    at_100 = Measure(0.5, 0.4, 0.6, 0.05, 99.0, 100)
    assert deals_for(at_100, 0.05 * 1.959964, 0.95) == 100
    assert deals_for(at_100, 0.025 * 1.959964, 0.95) == 400
    assert deals_for(Measure(0.5, None, None, None, 0.0, 1), 0.05, 0.95) is None
