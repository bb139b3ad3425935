"""Where bots go wrong: decisions that a review found to lose most."""

import re

from tests.lab.report.conftest import Played

from cardhub.lab.analysis.review.review_schema import (
    BotReview,
    MatchReview,
    Mistake,
    ReviewHeader,
    VerbLoss,
)
from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.report.rendering import html
from cardhub.lab.report.view.page import Page, read_page


def mistake(game_id: str, loss: float, *, is_confirmed: bool = True) -> Mistake:
    """Return a decision with this loss."""
    return Mistake(
        game_id=game_id,
        seat=1,
        step=3,
        chosen_by="sample",
        legal=2,
        verb="bet",
        taken="bet",
        better="check <b>",
        loss=loss,
        error=0.2,
        is_confirmed=is_confirmed,
        times=2,
        taken_worth="-1.00",
        better_worth="+0.50",
        facts=("it holds the Jack",),
        table=("Jack",),
    )


def review_of(cup: Played, *, is_whole: bool = True) -> MatchReview:
    """Return a review of the first game, with two mistakes, one of them unconfirmed."""
    first, second = (game.id for game in cup.games[:2])
    header = ReviewHeader(1, "", 40, "ismcts:100", ("dice",), ("leduc",), 5, 2, 3, 7, {})
    verbs = (VerbLoss("bet", 6, 2, 0.5, 3.0), VerbLoss("check", 4, 4, 0.25, 1.0))
    bot = BotReview(
        game="leduc",
        bot="dice",
        unit="chips",
        seats=5,
        blocks=3,
        decisions=10,
        agreed=6,
        mean_loss=OpenEstimate(0.4, 0.1, 0.7),
        verbs=verbs,
        mistakes=(mistake(first, 1.5), mistake(second, 0.9, is_confirmed=False)),
    )
    return MatchReview(header, 0.95, is_whole, (bot,))


def page_of(cup: Played, *, is_whole: bool = True) -> Page:
    """Return the page of the match with its review, and with pages of two games."""
    return read_page(cup.typed, iter(cup.games), review_of(cup, is_whole=is_whole), 60)


def words(page: Page) -> str:
    """Return the text of a page in one line."""
    return " ".join(re.sub(r"<[^>]*>", " ", html(page)).split())


def test_a_mistake_leads_into_the_page_of_its_game(cup: Played) -> None:
    page = page_of(cup)
    name = cup.games[0].id
    assert name in page.pages
    assert f'href="games/{name}.html#step=3&amp;viewer=1"' in html(page)


def test_losses_stand_with_their_errors_and_units(cup: Played) -> None:
    text = words(page_of(cup))
    assert "Where bots go wrong" in text
    assert "1.50 ± 0.20 chips 2 times" in text
    assert "bet -1.00 check &lt;b&gt; +0.50" in text
    assert "10 decisions in 5 games, 60 % of them agree with the search." in text
    assert "A decision loses 0.40 chips on average (0.10 to 0.70 at 95 %)." in text
    assert "0.50 chips 3.00 chips" in text


def test_mistakes_that_further_searches_do_not_confirm_are_only_counted(cup: Played) -> None:
    """They would mislead the author of the bot."""
    text = words(page_of(cup))
    assert "0.90" not in text
    assert "Further searches did not confirm the loss of 1 other decision." in text


def test_a_review_of_fewer_games_or_an_unfinished_one_says_so(cup: Played) -> None:
    text = words(page_of(cup, is_whole=False))
    assert "The review is unfinished" in text
    assert "The review is of the first 40 games of the match." in text


def test_mistakes_are_marked_on_the_pages_of_their_games(cup: Played) -> None:
    (mark,) = page_of(cup).marks[cup.games[0].id]
    assert (mark.step, mark.kind) == (3, "mistake")
    assert mark.text == (
        "dice: bet loses 1.50 ± 0.20 chips; check <b> is better, as rated by ismcts:100"
    )


def test_without_a_review_there_is_no_such_part(cup: Played) -> None:
    assert "Where bots go wrong" not in cup.text("report.html")
