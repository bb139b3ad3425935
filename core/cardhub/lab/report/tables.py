"""Build the tables of a report, with strings as cells."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cardhub.base import writing
from cardhub.lab.analysis.model_figures import ModelFigures
from cardhub.lab.analysis.schema import (
    AdHocRow,
    BotLead,
    BotRow,
    ComparisonRow,
    CrosstableCell,
    GameStatistics,
    PairRow,
    PartnersRow,
    RankedBot,
)
from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.match.run.rounds import EncounterRow, RoundsRow
from cardhub.lab.report import number_format as fmt
from cardhub.lab.report.resources import BotUse
from cardhub.lab.report.view.game_view import MARKS, GameView, partner_bots, partners_by_bots
from cardhub.lab.report.view.model_view import game_cost
from cardhub.lab.report.view.page import AllGamesView, Page
from cardhub.lab.report.view.resource_view import memory_text
from cardhub.lab.report.view.rounds_view import RULINGS, encounter_text
from cardhub.lab.report.view.verdict import QUESTIONS


class TextTable(NamedTuple):
    """Heads of columns and rows of cells, all of them strings without markup.

    Columns with heads that begin with `>` align right.
    """

    heads: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]

    def without(self, *names: str) -> "TextTable":
        """Return the table without columns of these heads, and without their intervals."""
        heads = [head.removeprefix(">") for head in self.heads]
        kept = [
            n
            for n, head in enumerate(heads)
            if head not in names and not (head == "Interval" and heads[n - 1] in names)
        ]
        rows = [tuple(row[n] for n in kept) for row in self.rows]
        return TextTable(tuple(self.heads[n] for n in kept), rows)


def sprt(page: Page) -> TextTable:
    """Return the state of the sequential test of a page that has one."""
    test = page.test
    if test is None:
        # The template asks for this table only if there is a test.
        raise AssertionError(page.name)
    state, estimate = test.state, test.estimate
    row: tuple[str, ...] = (
        state.verdict,
        writing.count(state.blocks),
        writing.number(state.llr, 2),
        " to ".join(writing.number(end, 2) for end in state.bounds),
    )
    heads = ("Verdict", ">Blocks", ">LLR", ">Bounds")
    if test.scoring == fmt.POINTS:
        ahead = estimate.score_always if estimate else None
        more = fmt.score(ahead.value if ahead else None, test.scoring)
        row += (more, fmt.score_span(ahead, test.scoring))
        return TextTable((*heads, f">Ahead by, {test.unit} a game", ">anytime-valid"), [row])
    if estimate and estimate.elo is None and estimate.elo_always:
        row += (fmt.elo_bounds(estimate.elo_always),)
        return TextTable((*heads, ">Elo, anytime-valid"), [row])
    strength = estimate.elo if estimate else None
    row += (fmt.elo(strength), fmt.elo_range(strength))
    return TextTable((*heads, ">Elo, allowing for the stop", ">Interval"), [row])


def standings(overall: AllGamesView) -> TextTable:
    """Return ranks, ranges of ranks and strengths of all bots, a column for each ranking.

    The first column answers the question of the match by the lead over the mean bot.
    """
    data = overall.data
    titles = [QUESTIONS[data.question]] if data.leads else []
    titles += [view.title for view in data.views]
    rows = [
        (
            bot,
            *([_lead(data.lead_of(bot))] if data.leads else []),
            *(_standing(view.find(bot)) for view in data.views),
        )
        for bot in dict.fromkeys([*(row.bot for row in data.leads), *overall.links])
    ]
    return TextTable(("Bot", *(f">{writing.capitalized(title)}" for title in titles)), rows)


def ratings(game: GameView) -> TextTable:
    """Return the bots of a game, best first."""
    column = game.exploits
    exploit = (f">{column.head}",) if column else ()
    heads = (">Rank", "Bot", *_rating_heads(game), *exploit, ">Blocks", ">Games", ">Faults")
    rows = [
        (
            fmt.rank(row.best, row.worst),
            row.bot
            + (" (anchor)" if row.bot == game.rated else "")
            + (" (withdrawn)" if row.is_withdrawn else ""),
            *_rating(row, game.stats),
            *((column.cells.get(row.bot, writing.NONE),) if column else ()),
            writing.count(row.blocks),
            writing.count(row.games),
            writing.count(game.stats.fault_count(row.bot)),
        )
        for row in game.stats.bots
    ]
    return TextTable(heads, rows)


def encounters(rounds: RoundsRow) -> TextTable:
    """Return who met in each round of a schedule, and in a knock-out who went on."""
    is_knockout = rounds.mode == "knockout"
    heads = (">Round", "Meeting", ">Score", ">Blocks")
    rows = [
        (
            writing.count(row.round),
            encounter_text(row),
            writing.NONE if row.score is None else writing.number(row.score),
            writing.count(row.blocks),
            *((row.winner or writing.NONE, _ruling(row)) if is_knockout else ()),
        )
        for row in rounds.encounters
    ]
    return TextTable((*heads, *(("Goes on", "Decided by") if is_knockout else ())), rows)


def _ruling(row: EncounterRow) -> str:
    return RULINGS[row.ruling] if row.ruling else writing.NONE


def final_places(rounds: RoundsRow) -> TextTable:
    """Return the places after the rounds, the best first."""
    head = ">Rounds won" if rounds.mode == "knockout" else ">Above even"
    digits = 0 if rounds.mode == "knockout" else 3
    rows = [
        (writing.count(row.place), row.bot, writing.number(row.points, digits))
        for row in rounds.places
    ]
    return TextTable((">Place", "Bot", head), rows)


def rating_legend(game: GameView) -> str:
    """Return what the columns of points mean; empty for a game without, and a common cause."""
    if game.stats.scoring != fmt.POINTS or game.stats.is_common:
        return ""
    unit = game.stats.unit
    return (
        f"{writing.capitalized(unit)} a game are what a bot itself gets. Ranks rest on its lead "
        "over the mean bot, from the differences of all pairs. In a game of two, what one wins "
        "from the other is a difference of twice as much."
    )


def cross(game: GameView) -> TextTable:
    """Return the crosstable of a game."""
    scoring = game.stats.scoring
    rows = [
        (bot, *(_cell(game.cells.get((bot, other)), scoring) for other in game.heads))
        for bot in game.heads
    ]
    return TextTable(("", *(f">{head}" for head in game.heads)), rows)


def pairs(game: GameView) -> TextTable:
    """Return the verdicts of the pairs, each with the interval and p-value on which it rests."""
    heads = (
        "Pair",
        "Verdict",
        f">{_pair_value(game)}",
        ">Interval",
        ">p",
        ">Limit",
        ">Games",
        ">Won, drawn, lost",
        ">Margin",
    )
    return TextTable(heads, [_pair(pair, game.stats.scoring) for pair in game.pairs])


def comparisons(rows: Iterable[ComparisonRow], unit: str = "") -> TextTable:
    """Return verdicts that rest on more than the pairs' own games; `unit` is the unit of points."""
    ahead = f">Ahead by, {unit} a game" if unit else ">Ahead by, in score"
    heads = ("Pair", "Verdict", ahead, ">Interval", ">p", ">Limit", ">Deals")
    return TextTable(heads, [_comparison(row, 2 if unit else 3) for row in rows])


def overall_pairs(overall: AllGamesView) -> TextTable:
    """Return the verdicts over several games."""
    return comparisons(overall.data.pairs)


def joint_pairs(game: GameView) -> TextTable:
    """Return the verdicts on which the ranks of a game rest, through all opponents."""
    return comparisons(game.stats.joint, game.points_unit)


def places_pairs(game: GameView) -> TextTable:
    """Return the verdicts by places of a game that is played for winning."""
    return comparisons(game.stats.by_places)


def pair_values(game: GameView) -> TextTable:
    """Return values of single pairs, on which no verdict rests; fixed values only if they hold."""
    heads: tuple[str, ...] = ("Pair", ">Anytime-valid", ">p, anytime")
    if _is_fixed(game):
        in_points = game.stats.scoring == fmt.POINTS
        measured = _pair_value(game) if in_points else "Elo"
        heads += (f">{measured}, fixed", ">Interval", ">p, fixed")
    return TextTable(heads, [_values(pair, game) for pair in game.pairs])


def seats(game: GameView) -> TextTable:
    """Return the advantage of each seat."""
    in_points = game.stats.scoring == fmt.POINTS
    measured = f"{writing.capitalized(game.stats.unit)} a game" if in_points else "Score"
    elo = "Elo by places" if in_points else "Elo"
    heads = (">Seat", f">{measured} above the mean", ">Interval", f">{elo}", ">Interval", ">Blocks")
    rows = [
        (
            str(row.seat),
            writing.signed(row.score.value, 3) if row.score else writing.NONE,
            fmt.signed_span(row.score, 3),
            fmt.elo(row.elo),
            fmt.elo_range(row.elo),
            writing.count(row.blocks),
        )
        for row in game.stats.seats
    ]
    return TextTable(heads, rows)


def losses(game: GameView) -> TextTable:
    """Return the worst losses of each bot, with the commands that show them."""
    rows = [
        (row.bot, writing.number(lost.margin, 0), f"cardhub match show . {lost.game_id}")
        for row in game.stats.bots
        for lost in row.worst_games
    ]
    return TextTable(("Bot", f">Behind by, {game.stats.unit}", "Command"), rows)


def mixture(game: GameView) -> TextTable:
    """Return the Nash mixture and the alpha-rank of a game that has them."""
    section = game.stats.transitivity
    if section is None:
        raise AssertionError(game.stats.game)
    masses = {row.bot: row.mass for row in section.alpha_rank}
    rows = [
        (
            row.bot,
            writing.percent(row.share.value, 1),
            fmt.percents(row.share),
            writing.percent(masses[row.bot].value, 1),
            fmt.percents(masses[row.bot]),
        )
        for row in section.nash
    ]
    heads = ("Bot", ">Share of the mixture that none beats", ">Interval", ">α-rank", ">Interval")
    return TextTable(heads, rows)


def faults(page: Page) -> TextTable:
    """Return all kinds of faults, with the commands that reproduce them."""
    rows = [
        (f.row.game, f.row.bot, f.row.fault, writing.count(f.row.count), f.command)
        for f in page.faults
    ]
    return TextTable(("Game", "Bot", "Fault", ">Count", "Command for the first"), rows)


def hashes(page: Page) -> TextTable:
    """Return the hashes that identify a match and its games."""
    result = page.result
    rows = [
        ("SHA-256 of the match", result.spec_sha256),
        ("SHA-256 of games.jsonl", result.games_sha256),
        ("cardhub", str(result.versions["cardhub"])),
    ]
    return TextTable(("", ""), rows)


def partners_caption(game: GameStatistics) -> str:
    """Return a caption for the table of `partners`, with the kind of its intervals."""
    if game.p_value_of == "sign_flip":
        intervals = "an interval for a number of blocks that was fixed in advance"
    else:
        intervals = "its anytime-valid interval"
    return f"{_measured(game)}, with {intervals}"


def _measured(game: GameStatistics) -> str:
    if game.is_common:
        return f"mean {game.unit} of a table of two bots, or of one bot"
    if game.scoring == fmt.POINTS:
        return f"{game.unit} a game by which two partners are ahead of the whole teams of all bots"
    return "mean score of two partners against the whole teams of all bots"


def partners(game: GameStatistics) -> TextTable:
    """Return the matrix of partners; the diagonal has tables or teams of one bot."""
    rows_by_bots = partners_by_bots(game)
    bots = partner_bots(game)
    rows = [
        (bot, *(_partners_cell(rows_by_bots.get((bot, partner)), game) for partner in bots))
        for bot in bots
    ]
    return TextTable(("", *(f">{bot}" for bot in bots)), rows)


def _partners_cell(row: PartnersRow | None, game: GameStatistics) -> str:
    """Return the mean of two partners with its error, and the share of reached targets."""
    if row is None or row.score is None:
        return writing.NONE
    reached = f", {writing.percent(row.reached.value)} reached" if row.reached else ""
    return f"{_mean(row.score, game)}{fmt.error(row.score)}{reached}"


def ad_hoc(game: GameStatistics) -> TextTable:
    """Return the mean of each bot with other partners, and the difference to its whole team."""
    heads = ("Bot", ">With others", ">Interval", ">Above its own", ">Interval", ">Blocks")
    rows = {row.bot: row for row in game.ad_hoc}
    return TextTable(heads, [_ad_hoc(rows[bot], game) for bot in partner_bots(game)])


def _rating_heads(game: GameView) -> tuple[str, ...]:
    if game.stats.scoring != fmt.POINTS:
        return ">Elo", ">Interval", ">Score"
    if game.stats.is_common:
        return (
            ">Mean of a table",
            ">Reached the target",
            ">Interval",
            ">Above the mean bot",
            ">Interval",
        )
    a_game = f"{writing.capitalized(game.stats.unit)} a game"
    return f">{a_game}", ">Interval", ">Above the mean bot", ">Interval", ">Elo by places"


def _rating(row: BotRow, stats: GameStatistics) -> tuple[str, ...]:
    if stats.scoring != fmt.POINTS:
        return fmt.elo(row.elo), fmt.elo_range(row.elo), writing.number(row.score)
    above, reached = row.points_above_mean, row.reached
    ahead = fmt.score(above.value if above else None, fmt.POINTS), fmt.score_span(above, fmt.POINTS)
    if stats.is_common:
        return (
            fmt.of_target(row.points, stats.unit, stats.target),
            writing.percent(reached.value if reached else None),
            fmt.percents(reached) if reached else writing.NONE,
            *ahead,
        )
    mean = fmt.score(row.points.value if row.points else None, fmt.POINTS)
    return mean, fmt.score_span(row.points, fmt.POINTS), *ahead, fmt.elo(row.elo)


def _lead(row: BotLead | None) -> str:
    if row is None:
        return writing.NONE
    return f"{row.rank} (ranks {fmt.rank(row.best, row.worst)}), {writing.signed(row.lead, 3)}"


def _standing(row: RankedBot | None) -> str:
    if row is None:
        return writing.NONE
    text = f"{row.rank} (ranks {fmt.rank(row.best, row.worst)})"
    if row.elo is None:
        return text
    return f"{text}, {fmt.elo(row.elo)}{fmt.bracketed(fmt.elo_range(row.elo))}"


def _cell(cell: CrosstableCell | None, scoring: str) -> str:
    if cell is None:
        return ""
    # A planned pair without a complete block has a dash.
    return (
        f"{MARKS[cell.verdict]} {fmt.score(cell.score, scoring)}" if cell.blocks else writing.NONE
    )


def _is_fixed(game: GameView) -> bool:
    return game.stats.p_value_of == "sign_flip"


def _pair_value(game: GameView) -> str:
    in_points = game.stats.scoring == fmt.POINTS
    return f"Ahead by, {game.stats.unit} a game" if in_points else "Score of the first"


def _pair(row: PairRow, scoring: str) -> tuple[str, ...]:
    evidence = row.evidence
    estimate = evidence.score if evidence else None
    return (
        f"{row.a} – {row.b}",
        row.verdict,
        fmt.score(estimate.value if estimate else None, scoring),
        fmt.score_span(estimate, scoring),
        writing.p_value(evidence.p_value if evidence else None),
        writing.p_value(evidence.limit if evidence else None),
        writing.count(row.games),
        f"{row.wins}, {row.draws}, {row.losses}",
        writing.signed(row.margin.value, 1) if row.margin else writing.NONE,
    )


def _comparison(row: ComparisonRow, digits: int) -> tuple[str, ...]:
    evidence = row.evidence
    estimate = evidence.score if evidence else None
    return (
        f"{row.a} – {row.b}",
        row.verdict,
        writing.signed(estimate.value, digits) if estimate else writing.NONE,
        fmt.signed_span(estimate, digits),
        writing.p_value(evidence.p_value if evidence else None),
        writing.p_value(evidence.limit if evidence else None),
        writing.count(row.blocks),
    )


def _values(row: PairRow, game: GameView) -> tuple[str, ...]:
    scoring = game.stats.scoring
    always = fmt.score_span(row.score, scoring), writing.p_value(row.p_always)
    if not _is_fixed(game):
        return (f"{row.a} – {row.b}", *always)
    strength = fmt.elo(row.elo_fixed), fmt.elo_range(row.elo_fixed)
    if scoring == fmt.POINTS:
        fixed = row.score_fixed
        value = fixed.value if fixed else None
        strength = fmt.score(value, scoring), fmt.score_span(fixed, scoring)
    return (f"{row.a} – {row.b}", *always, *strength, writing.p_value(row.p_value))


def _ad_hoc(row: AdHocRow, game: GameStatistics) -> tuple[str, ...]:
    ahead = row.difference
    return (
        row.bot,
        _mean(row.score, game),
        fmt.span(row.score, 2) if game.is_common else fmt.score_span(row.score, game.scoring),
        writing.signed(ahead.value if ahead else None, _digits(game)),
        fmt.signed_span(ahead, _digits(game)),
        writing.count(row.blocks),
    )


def _digits(game: GameStatistics) -> int:
    return 2 if game.scoring == fmt.POINTS else 3


def _mean(estimate: OpenEstimate | None, game: GameStatistics) -> str:
    if game.is_common:
        return fmt.value(estimate, 2)
    return fmt.score(estimate.value if estimate else None, game.scoring)


# What the kinds of refused answers of language models mean.
REFUSALS = {
    "illegal": "not legal",
    "not understood": "names no action",
    "cut off": "cut off at its limit of tokens",
    "refused to play": "declined by the model or its server",
}
SERVER_FAULT = "fault of the server, tried again"


def models(page: Page) -> TextTable:
    """Return what the language models of a match read, wrote and cost."""
    heads = (
        ">Cost of a game",
        ">Games",
        ">Answers",
        ">Refused",
        ">Tokens read",
        ">Cached",
        ">Tokens written",
        ">Seconds an answer",
        "Model",
    )
    bots = page.models.bots if page.models else ()
    return TextTable(("Bot", *heads), [_model(bot) for bot in bots])


def _model(bot: ModelFigures) -> tuple[str, ...]:
    answers = max(bot.answers, 1)
    cached = bot.tokens_cached / bot.tokens_in if bot.tokens_in else None
    return (
        bot.bot,
        game_cost(bot),
        writing.count(bot.games),
        writing.count(bot.answers),
        writing.percent(sum(bot.refused.values()) / answers),
        writing.count(bot.tokens_in) if bot.tokens_in else writing.NONE,
        writing.percent(cached),
        writing.count(bot.tokens_out) if bot.tokens_in else writing.NONE,
        writing.number(bot.seconds / answers, 1),
        writing.listed(bot.model) or writing.NONE,
    )


def resources(page: Page) -> TextTable:
    """Return what the bots of a match with limits have used."""
    heads = (
        *(">Memory", ">Computed", ">Waited", "Faults"),
        *(">Mean answer", ">Longest", ">Answers", ">Games"),
    )
    return TextTable(("Bot", *heads), [_resources(use) for use in page.resources])


def _resources(use: BotUse) -> tuple[str, ...]:
    memory = use.memory_bytes
    return (
        use.bot,
        writing.NONE if memory is None else memory_text(memory),
        writing.number(use.processor_seconds, 2),
        writing.number(use.waited_seconds, 2),
        use.faults or writing.NONE,
        writing.number(use.seconds / max(use.answers, 1)),
        writing.number(use.longest),
        writing.count(use.answers),
        writing.count(use.games),
    )


def refused_answers(page: Page) -> TextTable:
    """Return the refused answers of language models by kind, and the faults of their servers."""
    bots = page.models.bots if page.models else ()
    kinds = [
        (bot.bot, kind, meaning, writing.count(bot.refused[kind]))
        for bot in bots
        for kind, meaning in REFUSALS.items()
        if kind in bot.refused
    ]
    servers = [
        (bot.bot, "none", SERVER_FAULT, writing.count(bot.faults)) for bot in bots if bot.faults
    ]
    return TextTable(("Bot", "Kind", "Meaning", ">Count"), kinds + servers)


def refusal_reasons(page: Page) -> TextTable:
    """Return the most frequent reasons for which answers of language models were refused."""
    bots = page.models.bots if page.models else ()
    rows = [
        (bot.bot, kind, reason, writing.count(number))
        for bot in bots
        for kind, reason, number in bot.reasons
    ]
    return TextTable(("Bot", "Kind", "Reason", ">Count"), rows)
