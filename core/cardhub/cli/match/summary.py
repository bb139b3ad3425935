"""A summary of the result of a match, printed as tables and sentences."""

from collections.abc import Iterator, Sequence

from cardhub.analysis.game_schema import BotRow, GameStatistics, IntervalEstimate, PairRow
from cardhub.analysis.schema import AllGames, MatchResult, SprtEstimate
from cardhub.cli.console import echo
from cardhub.cli.output import print_table
from cardhub.match.run.stop_rule import SprtState
from cardhub.report import number_format as fmt
from cardhub.report.number_format import POINTS, equals, interval
from cardhub.report.partner_tables import ad_hoc, partners, partners_caption

OPEN = "the blocks leave open who is better"
UNRATED = "unrated", "", ""


def print_summary(result: MatchResult, folder: object) -> None:
    """Print the ratings of all games, the verdict of the test and the folder."""
    statistics = result.statistics
    for game in statistics.games:
        _print_game(game, statistics.level)
    if statistics.overall is not None:
        _print_overall(statistics.overall)
    for note in statistics.notes:
        echo(note)
    for bot, games in result.withdrawn.items():
        echo(f"{bot} was withdrawn after {games} games: it was at fault too often.")
    if result.test is not None:
        (game,) = (found for found in statistics.games if found.game == result.test.game)
        unit = game.unit if game.scoring == POINTS else ""
        echo(_verdict(result.test, statistics.test, unit))
    echo(f"{result.games} games in {result.blocks} blocks: {folder}")


def _print_game(game: GameStatistics, level: float) -> None:
    counts = f"{game.games} games in {game.blocks} blocks"
    is_in_points = game.scoring == POINTS
    what = f"{game.unit} a game" if is_in_points else "Elo"
    if game.is_common:
        what = f"{game.unit} of a table" + (f" (target {game.target})" if game.target else "")
    echo(f"{game.game}: {counts}; {what} with its interval at {level * 100:g}%")
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
    print_table(("bot", what, "from", "to", "rank", "games", last, "faults"), rows)
    if game.partners:
        _print_partners(game)
    for line in _remarks(game):
        echo(line)
    echo()


def _print_partners(game: GameStatistics) -> None:
    echo(f"{fmt.opening(partners_caption(game))}:")
    matrix = partners(game)
    print_table(("", *(head.removeprefix(">") for head in matrix.heads[1:])), matrix.rows)
    table = ad_hoc(game)
    print_table([head.removeprefix(">").lower() for head in table.heads], table.rows)


def _remarks(game: GameStatistics) -> Iterator[str]:
    """Yield strings on the pairs, cycles and the audit of a game."""
    if len(game.pairs) == 1:
        yield from _pair(game.pairs[0], game)
    raced = [pair.race for pair in game.pairs if pair.race is not None]
    if raced:
        yield f"{len(raced) - raced.count('open')} of {len(raced)} pairs are settled."
    for three in game.transitivity.certified_cycles if game.transitivity else ():
        yield f"Not transitive: {' beats '.join([*three, three[0]])}."
    audit = game.audit
    for blocks, kind in (
        (audit.other_cards, "other cards"),
        (audit.uneven_seats, "uneven seats"),
        (audit.uneven_scores, "uneven scores"),
    ):
        if blocks:
            yield f"Wrong in {blocks} blocks: {kind} (see game {audit.game_ids[0]})."
    yield from game.notes


def _pair(pair: PairRow, game: GameStatistics) -> Iterator[str]:
    """Yield the score of the better of two bots and the verdict, then the anytime-valid interval.

    The interval and p-value beside the verdict are those that it rests on.
    """
    is_planned = game.p_value_of == "sign_flip"
    found = pair.score_fixed if is_planned else pair.score
    if found is None or found.value is None or pair.score is None:
        return
    # Both readings have the same meaning; the better bot comes first.
    even = 0.0 if game.scoring == POINTS else 0.5
    is_swapped = found.value < even
    a, b = (pair.b, pair.a) if is_swapped else (pair.a, pair.b)
    score = 2 * even - found.value if is_swapped else found.value
    span = _span(found, game, is_swapped=is_swapped) + ("" if is_planned else ", anytime-valid")
    p_value = equals(pair.p_value if is_planned else pair.p_always)
    verdict = OPEN if pair.verdict == "open" else f"{a} is better"
    if game.scoring == POINTS:
        text = f"{a} is ahead of {b} by {score:.2f} {game.unit} a game ({span})"
    else:
        text = f"{a} scores {score:.3f} ({span}) against {b}"
    yield f"{text}, p {p_value}: {verdict}."
    if is_planned:
        anytime = _span(pair.score, game, is_swapped=is_swapped)
        yield f"Anytime-valid, if you watched and chose the end: {anytime}."


def _span(found: IntervalEstimate, game: GameStatistics, *, is_swapped: bool) -> str:
    """Return the bounds of a score, or those of the opponent's score."""
    if game.scoring == POINTS:
        return _points_span(found, is_swapped=is_swapped)
    low, high = 0.0 if found.low is None else found.low, 1.0 if found.high is None else found.high
    return f"{1 - high:.3f} to {1 - low:.3f}" if is_swapped else f"{low:.3f} to {high:.3f}"


def _points_span(found: IntervalEstimate, *, is_swapped: bool = False) -> str:
    if found.low is None or found.high is None:
        return "no interval yet"
    low, high = (-found.high, -found.low) if is_swapped else (found.low, found.high)
    return f"{low:+.2f} to {high:+.2f}"


def _last_cell(bot: BotRow, game: GameStatistics) -> str:
    if game.is_common:
        return "" if bot.reached is None else f"{bot.reached.value:.0%}"
    if game.scoring == POINTS:
        return _elo(bot.elo)[0]
    return "" if bot.score is None else f"{bot.score:.3f}"


def _points(found: IntervalEstimate | None, game: GameStatistics) -> Sequence[str]:
    """Return a mean in points and the bounds of its interval as strings."""
    if found is None:
        return UNRATED
    sign = "" if game.is_common else "+"
    ends = found.value, found.low, found.high
    return tuple("" if end is None else f"{end:{sign}.2f}" for end in ends)


def _print_overall(overall: AllGames) -> None:
    views = overall.views
    echo("All games, by " + ", ".join(view.title for view in views))
    heads, rows = ["bot"], []
    for view in views:
        heads += [view.view, "rank"] if view.view != "kemeny" else ["kemeny rank"]
    for bot in [row.bot for row in views[0].bots]:
        cells = [bot]
        for view in views:
            # All rankings have the same bots.
            (row,) = (row for row in view.bots if row.bot == bot)
            ranks = _range(row.best, row.worst)
            cells += [ranks] if row.elo is None else [_elo(row.elo)[0], ranks]
        rows.append(cells)
    print_table(heads, rows)
    if any(view.view == "nash" for view in views):
        shares = ((row.game, row.share.value or 0) for row in overall.game_mixture)
        mixture = ", ".join(f"{share:.0%} {game}" for game, share in shares if share > 0)
        echo(f"Weights of games in Nash averaging: {mixture}.")
    for sentence in overall.disagreements:
        echo(sentence)
    echo()


def _verdict(test: SprtState, estimated: SprtEstimate | None, unit: str) -> str:
    result = f"{test.a} against {test.b} in {test.game}: {test.verdict}"
    details = f"after {test.blocks} blocks, LLR {test.llr:.2f}"
    return f"{result} {details}{_strength(estimated, unit) if estimated else ''}."


def _strength(estimated: SprtEstimate, unit: str) -> str:
    """Return the Elo after a test as a string; without a value, its interval and the reason.

    With a `unit` it is the mean difference in points.
    """
    if unit:
        found = estimated.score_always
        if found is None or found.value is None:
            return ""
        span = _points_span(found)
        return f"; {found.value:+.2f} {unit} a game ({span}, anytime-valid)"
    elo, note, always = estimated.elo, estimated.elo_note, estimated.elo_always
    if note is None:
        value, low, high = _elo(elo)
        return f"; Elo {value} ({low} to {high}), allowing for the stop" if elo else ""
    note = note.removesuffix(".")
    if elo is not None:
        return f"; Elo {interval(elo)}, allowing for the stop. {note}"
    return f"; Elo {interval(always)}, anytime-valid. {note}" if always else ""


def _elo(elo: IntervalEstimate | None) -> Sequence[str]:
    """Return an estimate in Elo and the bounds of its interval as strings."""
    if elo is None:
        return UNRATED
    value = _rounded(elo.value, "endless")
    low, high = _rounded(elo.low, "-∞"), _rounded(elo.high, "∞")
    # The Elo of the anchor is given: its interval is a single point.
    return (value, "", "") if low == value == high else (value, low, high)


def _rounded(number: float | None, unbounded: str) -> str:
    return unbounded if number is None else f"{round(number)}"


def _range(best: int | None, worst: int | None) -> str:
    """Return a range of ranks as a string, such as `2-4`."""
    if best is None:
        return ""
    return f"{best}" if best == worst else f"{best}-{worst}"
