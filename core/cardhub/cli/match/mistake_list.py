"""A review of bots, printed: their mean losses, kinds of actions, and worst decisions."""

from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from cardhub.cli.console import echo
from cardhub.cli.output import print_table
from cardhub.lab.analysis.review.review_schema import BotReview, MatchReview, Mistake, VerbLoss
from cardhub.lab.report.number_format import loss as lost
from cardhub.lab.report.number_format import percent, times
from cardhub.play.advice import PERCENT, SCALE

INDENT = " " * 4
# Maximum number of kinds of actions in a table.
MOST_VERBS = 8


def print_mistakes(review: MatchReview, folder: Path, *, has_tables: bool) -> None:
    """Print a review; with `has_tables`, the whole table of each decision."""
    header = review.header
    scale = f" ({SCALE})" if any(bot.unit == PERCENT for bot in review.bots) else ""
    echo(f"Decisions of {folder} as rated by {header.reviewer}{scale}.")
    if not review.is_whole:
        echo("The review is not complete: the same command continues it.")
    for bot in review.bots:
        echo()
        _print_bot(bot, review.level)
        _print_worst(bot, folder, has_tables=has_tables)


def _print_bot(bot: BotReview, level: float) -> None:
    games = f"{times(bot.seats, 'game')} in {times(bot.blocks, 'block')}"
    echo(f"{bot.game}: {bot.bot}, {games}, {times(bot.decisions, 'decision')}")
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
    found = [mistake for mistake in bot.mistakes if mistake.is_confirmed]
    for number, mistake in enumerate(found, 1):
        echo(f"{number:2}. {_sentence(mistake, bot.unit)}")
        for line in _details(mistake, folder, has_tables=has_tables):
            echo(f"{INDENT}{line}".rstrip())
    others = len(bot.mistakes) - len(found)
    if others:
        verb = "was" if others == 1 else "were"
        echo(f"{times(others, 'other decision')} {verb} no certain loss when rated again.")


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
