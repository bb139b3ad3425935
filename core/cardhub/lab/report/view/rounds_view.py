"""What the rounds of a Swiss or knock-out schedule led to, in sentences and rows of tables."""

from cardhub.base.writing import amount, listed
from cardhub.lab.match.run.rounds import EncounterRow, RoundsRow

# By what a meeting of a knock-out was decided, for a table.
RULINGS = {
    "score": "score",
    "further blocks": "further blocks after a tie",
    "order": "order of the file after a tie",
    "withdrawal": "withdrawal",
    "bye": "bye",
}


def rounds_sentence(rounds: RoundsRow) -> str:
    """Return who is first, or that the rounds are not over."""
    if not rounds.encounters:
        return f"{rounds.game}: no bots have met yet."
    last = rounds.encounters[-1].round
    if rounds.mode == "knockout":
        return _knockout_sentence(rounds, last)
    first = [row.bot for row in rounds.places if row.place == 1]
    verb = "is" if len(first) == 1 else "are"
    return f"{listed(first)} {verb} first in {rounds.game} after {amount(last, 'Swiss round')}."


def _knockout_sentence(rounds: RoundsRow, last: int) -> str:
    final = [row for row in rounds.encounters if row.round == last]
    if len(final) > 1 or final[0].ruling is None:
        return f"The knock-out in {rounds.game} is in round {last}."
    winner = final[0].winner
    if winner is None:
        return f"Nobody wins the knock-out in {rounds.game}: both last bots were withdrawn."
    doubt = _doubt(rounds, winner)
    return f"{winner} wins the knock-out in {rounds.game}, in {amount(last, 'round')}{doubt}."


def _doubt(rounds: RoundsRow, winner: str) -> str:
    """Return how many meetings of the winner were not decided by their planned blocks."""
    rows = [row for row in rounds.encounters if row.winner == winner]
    counts = {
        "after a tie": sum(row.ruling in ("further blocks", "order") for row in rows),
        "by a withdrawal": sum(row.ruling == "withdrawal" for row in rows),
    }
    parts = [f"{amount(count, 'meeting')} {how}" for how, count in counts.items() if count]
    return f"; {listed(parts)}" if parts else ""


def encounter_text(row: EncounterRow) -> str:
    """Return the bots of a meeting; there are none if all that could come were withdrawn."""
    match row.bots:
        case ():
            return "nobody"
        case (bot,):
            return f"{bot} (bye)"
    return " – ".join(row.bots)
