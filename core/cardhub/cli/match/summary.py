"""Print the result of a match and its review: the verdict, then the tables of the report."""

from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from cardhub.base import writing
from cardhub.base.writing import amount, listed, percent
from cardhub.cli.console import echo
from cardhub.cli.output import print_paragraph, print_table
from cardhub.lab.analysis.model_figures import MatchModels, models_in
from cardhub.lab.analysis.review.review_schema import BotReview, MatchReview, Mistake, VerbLoss
from cardhub.lab.analysis.schema import GameStatistics, MatchResult, PairRow
from cardhub.lab.match.run.rounds import RoundsRow
from cardhub.lab.report import number_format as fmt
from cardhub.lab.report.number_format import NO_INTERVALS
from cardhub.lab.report.number_format import loss as lost
from cardhub.lab.report.tables import (
    ad_hoc,
    encounters,
    final_places,
    partners,
    partners_caption,
    ratings,
    standings,
)
from cardhub.lab.report.view.game_view import GameView
from cardhub.lab.report.view.model_view import model_sentence, settled_sentences
from cardhub.lab.report.view.overview import ranking_notes, warnings_of
from cardhub.lab.report.view.page import (
    AllGamesView,
    loss_scale,
    rater_name,
    read_page,
    review_methods,
    review_notes,
    review_summary,
)
from cardhub.lab.report.view.rounds_view import rounds_sentence
from cardhub.lab.report.view.verdict import (
    LEGENDS,
    Conclusion,
    less_luck_sentences,
    mirrored,
    places_sentence,
)


def print_summary(result: MatchResult, folder: Path, file: str = "FILE") -> None:
    """Print the verdict of a match with its reasons, ratings and warnings, and its models' work.

    `file`: the path of the match file, for the command that plays the same deals again.
    """
    # Without games, because the lists of games behind the figures are not printed.
    page = read_page(result, ())
    conclusion = page.conclusion
    print_paragraph(f"{page.heading}: {conclusion.sentence}")
    _print_reasons(conclusion)
    if page.overall is not None:
        _print_ranking(page.overall, "All games")
    if page.shared is not None:
        _print_ranking(page.shared, "Games that all bots play")
    for game in page.games:
        _print_game(game, result.statistics.level)
        _print_rounds(result.rounds_of(game.stats.game))
        if game.conclusion != conclusion:
            # The reasons for a conclusion over several games are the sentences of the games.
            if game.conclusion.sentence not in conclusion.reasons:
                print_paragraph(game.conclusion.sentence)
            _print_reasons(game.conclusion)
        for note in _notes(game.stats):
            print_paragraph(note)
    echo()
    if any(game.stats.p_value_of != "sign_flip" for game in page.games):
        print_paragraph(NO_INTERVALS)
    for warning in warnings_of(result, file):
        title = warning.title.upper() if warning.is_loud else warning.title
        print_paragraph(f"{title}: {warning.text}")
        if warning.command:
            echo(warning.command)  # on one line, to be copied
    _print_models(models_in(folder), result)
    echo(f"{amount(result.games, 'game')} in {amount(result.blocks, 'block')}: {folder}")


def _print_models(models: MatchModels | None, result: MatchResult) -> None:
    if models is None:
        return
    for bot in models.bots:
        print_paragraph(model_sentence(bot))
    for sentence in settled_sentences(models, result):
        print_paragraph(sentence)


def _print_reasons(conclusion: Conclusion) -> None:
    for reason in conclusion.reasons:
        print_paragraph(reason, "- ")


def _print_ranking(ranking: AllGamesView, title: str) -> None:
    echo(f"\n{title}: {listed(ranking.data.games)}")
    print_table(*standings(ranking))
    if ranking.data.leads:
        print_paragraph(LEGENDS["LEADS"])
    for sentence in (*ranking.data.disagreements, *ranking_notes(ranking.data)):
        print_paragraph(sentence)


def _print_game(game: GameView, level: float) -> None:
    stats = game.stats
    counts = f"{amount(stats.games, 'game')} in {amount(stats.blocks, 'block')}"
    intervals = f", intervals at {percent(level)}" if stats.p_value_of == "sign_flip" else ""
    echo(f"\n{stats.game}: {counts}{intervals}")
    print_table(*ratings(game).without("Above the mean bot", "Blocks"))
    if stats.partners:
        echo(f"{writing.capitalized(partners_caption(stats))}:")
        print_table(*partners(stats))
        print_table(*ad_hoc(stats))


def _print_rounds(rounds: RoundsRow | None) -> None:
    if rounds is None:
        return
    print_paragraph(rounds_sentence(rounds))
    print_table(*final_places(rounds))
    print_table(*encounters(rounds))
    print_paragraph(LEGENDS["ROUNDS"])


def _notes(game: GameStatistics) -> Iterator[str]:
    """Yield sentences on what the tables and the conclusion of a game lack."""
    if sentence := places_sentence(game):
        yield sentence
    yield from less_luck_sentences(game)
    if len(game.pairs) == 1:
        yield from _anytime_valid(game.pairs[0], game.scoring)
    for fault in game.faults:
        yield f"{fault.bot} was at fault: {fault.fault}, {amount(fault.count, 'time')}."
    for three in game.transitivity.certified_cycles if game.transitivity else ():
        yield f"Not transitive: {' beats '.join([*three, three[0]])}."
    if game.audit.game_ids:
        yield f"Game {game.audit.game_ids[0]} belongs to the first uneven block."
    yield from game.notes


def _anytime_valid(pair: PairRow, scoring: str) -> Iterator[str]:
    """Yield the anytime-valid interval of the better bot, if the verdict rests on another one."""
    score = pair.score
    if not pair.evidence or pair.evidence.kind != "sign_flip" or not score or score.value is None:
        return
    even = 0.0 if scoring == fmt.POINTS else 0.5
    span = fmt.score_span(mirrored(score, even) if score.value < even else score, scoring)
    span = "no interval yet" if span == writing.NONE else span
    yield f"Anytime-valid, even if you chose when to stop: {span}."


INDENT = " " * 4
# Maximum number of kinds of actions in a table.
MOST_VERBS = 8


def print_mistakes(review: MatchReview, folder: Path, *, has_tables: bool) -> None:
    """Print a review; with `has_tables`, the whole table of each decision."""
    header = review.header
    scale = loss_scale(review)
    meaning = f" ({scale})" if scale else ""
    print_paragraph(f"Decisions of {folder} as rated by {rater_name(review)}{meaning}.")
    for note in (*review_methods(review), *review_notes(review, header.games)):
        print_paragraph(note)
    for bot in review.bots:
        echo(f"\n{bot.bot} in {bot.game}, in {amount(bot.blocks, 'block')}")
        print_paragraph(review_summary(bot, review.level))
        if bot.decisions:
            heads = ("Action", ">Decisions", ">Agreed", ">Mean loss", ">Total loss")
            print_table(heads, [_verb_row(verb, bot.unit) for verb in bot.verbs[:MOST_VERBS]])
        _print_worst(bot, folder, has_tables=has_tables)


def _verb_row(verb: VerbLoss, unit: str) -> tuple[str, ...]:
    agreed = percent(verb.agreed / verb.decisions)
    losses = lost(verb.mean_loss, unit), lost(verb.total_loss, unit)
    return verb.verb, str(verb.decisions), agreed, *losses


def _print_worst(bot: BotReview, folder: Path, *, has_tables: bool) -> None:
    for number, mistake in enumerate(bot.confirmed, 1):
        print_paragraph(_sentence(mistake, bot.unit), f"{number:2}. ")
        for line in _details(mistake, folder, has_tables=has_tables):
            echo(f"{INDENT}{line}".rstrip())
    others = len(bot.mistakes) - len(bot.confirmed)
    if others:
        count = amount(others, "other decision")
        echo(f"Further searches did not confirm the loss of {count}.")


def _sentence(mistake: Mistake, unit: str) -> str:
    loss = f"loses {lost(mistake.loss, unit, mistake.error)}"
    taken = f"{mistake.taken} ({mistake.taken_worth})"
    better = f"better {mistake.better} ({mistake.better_worth})"
    often = f"; {mistake.times} times" if mistake.times > 1 else ""
    return f"{loss}: {taken}; {better}, of {mistake.legal} actions{often}"


def _details(mistake: Mistake, folder: Path, *, has_tables: bool) -> Iterator[str]:
    yield from mistake.table if has_tables else mistake.facts
    chosen = ", a game chosen as a loss" if mistake.chosen_by == "result" else ""
    where = f"step {mistake.step}, seat {mistake.seat}{chosen}"
    yield f"{where}: cardhub match show {quote(str(folder))} {mistake.game_id}"
