"""Print the result of a match and its review as tables and sentences."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote

from cardhub.base import writing
from cardhub.base.writing import amount, listed, percent
from cardhub.cli.console import echo
from cardhub.cli.output import print_table
from cardhub.lab.analysis.review.review_schema import BotReview, MatchReview, Mistake, VerbLoss
from cardhub.lab.analysis.schema import (
    AllGames,
    BotRow,
    GameStatistics,
    MatchResult,
    PairRow,
    SprtEstimate,
)
from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.match.run.stop_rule import SprtState
from cardhub.lab.report import number_format as fmt
from cardhub.lab.report.number_format import POINTS, elo_bounds, equals
from cardhub.lab.report.number_format import loss as lost
from cardhub.lab.report.tables import ad_hoc, partners, partners_caption
from cardhub.lab.report.view.mistakes import loss_scale
from cardhub.lab.report.view.verdict import conclude_game, mirrored, score_sentence

OPEN = "it is open which bot is better"
UNRATED = "unrated", "", ""
NO_INTERVAL = "without an interval, because the number of blocks may depend on the results"


def print_summary(result: MatchResult, folder: object) -> None:
    """Print the ratings of all games, the verdict of the test and the folder."""
    statistics = result.statistics
    for game in statistics.games:
        _print_game(game, statistics.level)
    if statistics.overall is not None:
        _print_overall(statistics.overall)
    if statistics.shared is not None:
        _print_overall(statistics.shared, "Games that all bots play")
    for note in statistics.notes:
        echo(note)
    for bot, games in result.withdrawn.items():
        echo(f"{bot} was withdrawn after {amount(games, 'game')}: it was at fault too often.")
    if result.test is not None:
        (game,) = (game for game in statistics.games if game.game == result.test.game)
        unit = game.unit if game.scoring == POINTS else ""
        echo(_verdict(result.test, statistics.test, unit))
    echo(f"{amount(result.games, 'game')} in {amount(result.blocks, 'block')}: {folder}")


def _print_game(game: GameStatistics, level: float) -> None:
    counts = f"{amount(game.games, 'game')} in {amount(game.blocks, 'block')}"
    is_in_points = game.scoring == POINTS
    measured = f"{game.unit} a game" if is_in_points else "Elo"
    if game.is_common:
        measured = f"{game.unit} of a table" + (f" (target {game.target})" if game.target else "")
    has_intervals = game.p_value_of == "sign_flip"
    interval = f"with its interval at {level * 100:g}%" if has_intervals else NO_INTERVAL
    echo(f"{game.game}: {counts}; {measured} {interval}")
    faults: dict[str, list[str]] = {}
    for row in game.faults:
        faults.setdefault(row.bot, []).append(f"{row.count} {row.fault}")
    rows = [
        (
            bot.bot,
            *(_points(bot.points, game) if is_in_points else _elo(bot.elo)),
            _range(bot.best, bot.worst),
            str(bot.games),
            _last_cell(bot, game),
            ", ".join(faults.get(bot.bot, [])),
        )
        for bot in game.bots
    ]
    last = "reached" if game.is_common else "Elo by places" if is_in_points else "score"
    print_table(("bot", measured, "from", "to", "rank", "games", last, "faults"), rows)
    if game.partners:
        _print_partners(game)
    for line in _remarks(game, level):
        echo(line)
    echo()


def _print_partners(game: GameStatistics) -> None:
    echo(f"{writing.capitalized(partners_caption(game))}:")
    matrix = partners(game)
    print_table(("", *(head.removeprefix(">") for head in matrix.heads[1:])), matrix.rows)
    table = ad_hoc(game)
    print_table([head.removeprefix(">").lower() for head in table.heads], table.rows)


def _remarks(game: GameStatistics, level: float) -> Iterator[str]:
    """Yield strings on the pairs, cycles and the audit of a game."""
    if len(game.pairs) == 1:
        yield from _pair(game.pairs[0], game)
    if len(game.pairs) > 1:
        settled = sum(pair.verdict != "open" for pair in game.pairs)
        yield f"{settled} of {amount(len(game.pairs), 'pair')} settled."
        yield conclude_game(game, level).sentence
    for three in game.transitivity.certified_cycles if game.transitivity else ():
        yield f"Not transitive: {' beats '.join([*three, three[0]])}."
    audit = game.audit
    for blocks, kind in (
        (audit.other_cards, "other cards"),
        (audit.uneven_seats, "uneven seats"),
        (audit.uneven_scores, "uneven scores"),
    ):
        if blocks:
            yield f"Wrong in {amount(blocks, 'block')}: {kind} (see game {audit.game_ids[0]})."
    yield from game.notes


def _pair(pair: PairRow, game: GameStatistics) -> Iterator[str]:
    """Yield the score of the better bot with the verdict, then the anytime-valid interval.

    The verdict rests on the interval and the p-value in the same line.
    """
    if pair.evidence is None or pair.score is None or pair.score.value is None:
        return
    # The test of the match has a separate line with its evidence.
    if pair.evidence.kind == "test":
        yield f"{score_sentence(pair, game)}."
        return
    p_value = pair.evidence.p_value
    chance = "" if p_value is None else f", p {equals(p_value)}"
    yield f"{score_sentence(pair, game)}{chance}: {_verdict_on(pair)}."
    if pair.evidence.kind == "sign_flip":
        even = 0.0 if game.scoring == POINTS else 0.5
        is_swapped = pair.score.value < even
        score = mirrored(pair.score, even) if is_swapped else pair.score
        span = _score_span(score, game.scoring)
        yield f"Anytime-valid, if you watched and chose the end: {span}."


def _verdict_on(pair: PairRow) -> str:
    if pair.verdict == "open":
        return OPEN
    if pair.verdict == "equal":
        return "too close to matter"
    return f"{pair.a if pair.verdict == 'better' else pair.b} is better"


def _score_span(estimate: OpenEstimate, scoring: str) -> str:
    span = fmt.score_span(estimate, scoring)
    return "no interval yet" if span == writing.NONE else span


def _last_cell(bot: BotRow, game: GameStatistics) -> str:
    if game.is_common:
        return "" if bot.reached is None else f"{bot.reached.value:.0%}"
    if game.scoring == POINTS:
        return _elo(bot.elo)[0]
    return "" if bot.score is None else f"{bot.score:.3f}"


def _points(estimate: OpenEstimate | None, game: GameStatistics) -> Sequence[str]:
    """Return a mean in points and the bounds of its interval as strings."""
    if estimate is None:
        return UNRATED
    sign = "" if game.is_common else "+"
    ends = estimate.value, estimate.low, estimate.high
    return tuple("" if end is None else f"{end:{sign}.2f}" for end in ends)


def _print_overall(overall: AllGames, title: str = "All games") -> None:
    views = overall.views
    names = "" if title == "All games" else f" ({listed(overall.games)})"
    echo(f"{title}{names}, by {', '.join(view.title for view in views)}")
    heads, rows = ["bot"], []
    for view in views:
        heads += [view.view, "interval", "rank"] if view.view != "kemeny" else ["kemeny rank"]
    for bot in [row.bot for row in views[0].bots]:
        cells = [bot]
        for view in views:
            row = view.find(bot)
            if row is None:
                raise AssertionError(bot)  # all rankings have the same set of bots
            ranks = _range(row.best, row.worst)
            cells += [ranks] if view.view == "kemeny" else [*_value_and_range(row.elo), ranks]
        rows.append(cells)
    print_table(heads, rows)
    if any(view.view == "nash" for view in views):
        mixture = ", ".join(f"{row.game} {fmt.share(row.share)}" for row in overall.game_mixture)
        echo(f"Weights of games in Nash averaging: {mixture}.")
    for unrated in overall.left_out:
        games = listed(unrated.games)
        echo(f"{unrated.bot} is not compared here: it is not rated in {games}.")
    for sentence in overall.disagreements:
        echo(sentence)
    echo()


def _value_and_range(elo: OpenEstimate | None) -> Sequence[str]:
    value, low, high = _elo(elo)
    return value, f"{low} to {high}" if low and high else ""


def _verdict(test: SprtState, estimated: SprtEstimate | None, unit: str) -> str:
    result = f"{test.a} against {test.b} in {test.game}: {test.verdict}"
    details = f"after {amount(test.blocks, 'block')}, LLR {writing.number(test.llr, 2)}"
    return f"{result} {details}{_strength(estimated, unit) if estimated else ''}."


def _strength(estimated: SprtEstimate, unit: str) -> str:
    """Return the Elo after a test as a string, or else the anytime-valid interval and the reason.

    With a `unit`, return the mean difference in points.
    """
    if unit:
        score = estimated.score_always
        if score is None or score.value is None:
            return ""
        span = _score_span(score, POINTS)
        return f"; {writing.signed(score.value, 2)} {unit} a game ({span}, anytime-valid)"
    elo, note, always = estimated.elo, estimated.elo_note, estimated.elo_always
    if note is None:
        span = fmt.bracketed(fmt.elo_range(elo))
        return f"; Elo {fmt.elo(elo)}{span}, allowing for the stop" if elo else ""
    note = note.removesuffix(".")
    return f"; Elo {elo_bounds(always)}, anytime-valid. {note}" if always else ""


def _elo(elo: OpenEstimate | None) -> Sequence[str]:
    """Return an estimate in Elo and the bounds of its interval as strings."""
    if elo is None:
        return UNRATED
    # A bound, and a value without an interval; the Elo of the anchor is given.
    if elo.value is None or elo.low == elo.high:
        return fmt.elo(elo).replace(writing.MINUS, "-").replace("+", ""), "", ""
    return f"{round(elo.value)}", _rounded(elo.low, "-∞"), _rounded(elo.high, "∞")


def _rounded(number: float | None, unbounded: str) -> str:
    return unbounded if number is None else f"{round(number)}"


def _range(best: int | None, worst: int | None) -> str:
    """Return a range of ranks as a string, such as `2-4`."""
    if best is None:
        return ""
    return f"{best}" if best == worst else f"{best}-{worst}"


INDENT = " " * 4
# Maximum number of kinds of actions in a table.
MOST_VERBS = 8


def print_mistakes(review: MatchReview, folder: Path, *, has_tables: bool) -> None:
    """Print a review; with `has_tables`, the whole table of each decision."""
    header = review.header
    scale = loss_scale(review)
    meaning = f" ({scale})" if scale else ""
    echo(f"Decisions of {folder} as rated by {header.reviewer}{meaning}.")
    if not review.is_whole:
        echo("The review is not complete: the same command continues it.")
    for bot in review.bots:
        echo()
        _print_bot(bot, review.level)
        _print_worst(bot, folder, has_tables=has_tables)


def _print_bot(bot: BotReview, level: float) -> None:
    games = f"{amount(bot.seats, 'game')} in {amount(bot.blocks, 'block')}"
    echo(f"{bot.game}: {bot.bot}, {games}, {amount(bot.decisions, 'decision')}")
    if bot.mean_loss is None or not bot.decisions:
        echo("No game is reviewed completely yet, so there is no mean loss.")
        return
    agreed = f"the search agrees with {bot.agreed} ({percent(bot.agreed / bot.decisions)})"
    loss = bot.mean_loss
    span = (
        "no interval from fewer than two blocks"
        if loss.low is None or loss.high is None
        else f"{loss.low:.2f} to {loss.high:.2f}, at {percent(level)}"
    )
    echo(f"mean loss {lost(loss.value or 0.0, bot.unit)} a decision ({span}); {agreed}")
    heads = ("action", "decisions", "agreed", "mean loss", "total loss")
    print_table(heads, [_verb_row(verb, bot.unit) for verb in bot.verbs[:MOST_VERBS]])


def _verb_row(verb: VerbLoss, unit: str) -> tuple[str, ...]:
    agreed = percent(verb.agreed / verb.decisions)
    losses = lost(verb.mean_loss, unit), lost(verb.total_loss, unit)
    return verb.verb, str(verb.decisions), agreed, *losses


def _print_worst(bot: BotReview, folder: Path, *, has_tables: bool) -> None:
    for number, mistake in enumerate(bot.confirmed, 1):
        echo(f"{number:2}. {_sentence(mistake, bot.unit)}")
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
