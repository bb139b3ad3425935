"""The display of Gamon: the table and all texts for people."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from typing_extensions import override

from cardhub import (
    BreakdownRow,
    BreakdownSection,
    Card,
    Counter,
    Display,
    Frequency,
    Names,
    Opponent,
    PlayedStep,
    Scene,
    SeatLine,
    Summary,
    signed,
)
from cardhub_gamon.display import consequences, hints, reasons, scene
from cardhub_gamon.rounds import TURNS_TO_WIN
from cardhub_gamon.table import (
    ACTIONS,
    BASE,
    CARDS,
    Table,
)

# The largest prize whose coins are drawn one by one.
MOST_PIPS = 9


class GamonDisplay(Display[Table]):
    """Both sides with their calls, the coins, and sentences about lies."""

    opponents: ClassVar[Mapping[str, Opponent]] = {
        "beginner": Opponent("Pip", "calls whatever comes to mind"),
        "easy": Opponent("Molly", "counts cards, bluffs now and then"),
        "medium": Opponent("Quinn", "knows the ropes, but slips now and then"),
        "hard": Opponent("Captain Reed", "has fought countless battles"),
        "expert": Opponent("Admiral Grace", "has fought them all, and looks far ahead"),
    }

    sentences: ClassVar[Mapping[str, str]] = {
        "gamon": "{player} doubts {other}'s {called} and cries GAMON!",
        "believe": "{player} believes {other}'s {called}",
        "prize": "{player} raises the prize to {value:coin}",
        "prize 1": "{player} leaves the prize at 1 coin",
        "move": "{player} moves {value:coin} from {other}'s purse to the prize",
        "remove": "{player} removes {value:coin} from the prize",
        "pay": "{player} pays a coin into the prize: +2 for the next card",
        "pay 0": "{player} pays nothing into the prize: no +2 for the next card",
    }

    @override
    def sentence_values(self, state: Table) -> Mapping[str, int]:
        """Return the value that the other side has called."""
        return {"called": state.called[1 - state.seat]}

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the scene: the coins, then both sides, the viewer's last."""
        own = viewer if viewer < state.seats else state.seats - 1
        seats = range(state.seats)
        return Scene(
            scene.prompt(state),
            [area for seat in (1 - own, own) for area in scene.side(state, seat, viewer)],
            status=scene.status(state),
            seats={s: SeatLine(scene.turns(state, s), scene.badges(state, s)) for s in seats},
            counters=[
                Counter("prize", state.prize, pips=MOST_PIPS),
                Counter("pile", state.pile),
                *(Counter("purse", state.purse[seat], seat) for seat in seats),
            ],
        )

    @override
    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        """Return the turns, purses and cards of the round that an action has ended, if it has."""
        if len(after.rounds) == len(before.rounds):
            return None
        winner, prize, *counts = after.rounds[-1]
        rows = [["", "turns", "purse", "cards, with calls"]]
        for seat, (purse, turns) in enumerate(zip(counts[:2], counts[2:], strict=True)):
            cards = _cards(before, after, seat, names)
            rows.append([names.player(seat), str(turns), str(purse), cards])
        won = consequences.coins(prize)
        return Summary(f"Round {before.round}: {names.player(winner)} wins {won}", rows)

    @override
    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        verb, value = ACTIONS.verb_and_value[action]
        if verb == "first":
            return "chance decides which side attacks first"
        if state.phase != reasons.PHASE_OF[verb]:
            return reasons.duty(state)
        match verb:
            case "place":
                return reasons.place(state, value)
            case "call":
                return reasons.call(state, value)
            case "prize":
                return reasons.prize(state, action)
            case "move" | "remove" | "pay":
                return reasons.choice(state, action, names)
        return None

    @override
    def consequence(self, state: Table, action: int, names: Names) -> str:
        """Return one or two sentences on a legal action."""
        verb, value = ACTIONS.verb_and_value[action]
        other = names.player(1 - state.seat)
        match verb:
            case "prize":
                return consequences.prize(state, value)
            case "place":
                return consequences.place(state, value)
            case "call":
                return consequences.call(state, value, other)
            case "gamon":
                return consequences.gamon(state, other)
            case "believe":
                return consequences.believe(state, other)
            case _:
                return consequences.choice(state, verb, value, other)

    @override
    def hint(self, state: Table, action: int, names: Names) -> str:
        """Return the consequence of an action, with the cards that the other side may have."""
        verb, value = ACTIONS.verb_and_value[action]
        other, text = names.player(1 - state.seat), self.consequence(state, action, names)
        match verb:
            case "place":
                return f"{text} {hints.rivals(state, value, other)}".strip()
            case "call":
                return f"{text} {hints.credit(state, value, other)}"
            case "believe":
                return f"{text} {hints.stronger(state, other)}"
        return text

    @override
    def breakdown(self, state: Table) -> list[BreakdownSection]:
        """Return a row for each round: the change of both purses, by prize and effects of cards."""
        before, rows = [0] * state.seats, []
        for number, (winner, prize, *purses, _, _) in enumerate(state.rounds, 1):
            points = [now - was for was, now in zip(before, purses, strict=True)]
            by_cards = list(points)
            by_cards[winner] -= prize
            notes = [f"cards {signed(coins)}" if coins else "" for coins in by_cards]
            notes[winner] = ", ".join(filter(None, [f"prize {prize}", notes[winner]]))
            rows.append(BreakdownRow(f"Round {number}", points, notes))
            before = purses
        return [BreakdownSection("", rows)]

    @override
    def chapter(self, state: Table) -> str:
        return f"round {state.round}" if state.round else ""

    @override
    def player_statistics(
        self, steps: Sequence[PlayedStep[Table]], seat: int
    ) -> Mapping[str, Frequency]:
        """Return how often a player was right in crying Gamon, lied, was caught, and won rounds."""
        cries = right = lies = calls = caught = 0
        for step in steps:
            verb, value = ACTIONS.verb_and_value[step.action]
            is_own = step.before.seat == seat
            if verb == "gamon" and is_own:
                cries += 1
                right += step.after.winner == seat
            elif verb == "gamon":
                caught += step.after.winner != seat
            elif verb == "call" and is_own:
                calls += 1
                lies += BASE[step.before.face[step.before.placed[seat][0]]] != value
        rounds = steps[-1].after.rounds if steps else ()
        return {
            "cried Gamon rightly": Frequency(right, of=cries),
            "lied in a call": Frequency(lies, of=calls),
            "lies caught by the opponent": Frequency(caught, of=lies),
            "rounds won": Frequency(sum(winner == seat for winner, *_ in rounds), of=len(rounds)),
        }

    @override
    def detail(self, card: Card) -> str:
        """Return the text of a card in brief: its value is in its corner."""
        return str(card.fields["hint"])


def _cards(before: Table, after: Table, seat: int, names: Names) -> str:
    """Return the cards that a side has played in the round, which are discarded at its end.

    A card has its call, and the cry of Gamon against it.
    """
    played = after.discard[seat][len(before.discard[seat]) :]
    # The attacker calls first, then both by turns.
    calls = before.calls[0::2] if seat == before.attacker else before.calls[1::2]
    # The action has ended the last turn, or only an effect after it.
    callers = [*(caller for _, caller, *_ in before.outcomes), after.caller]
    cards = []
    for token, call, caller in zip(played, calls, callers, strict=False):
        text = f"{CARDS.faces[after.face[token]].title} {call}"
        if caller == 1 - seat:
            text += f" ({names.player(caller)} cried Gamon)"
        cards.append(text)
    winner, _, _, _, *won = after.rounds[-1]
    # A turn can also be won because the other side could place no card, or had none left.
    if winner != seat and sum(won) > len(played):
        cards.append("no card could be placed")
    elif winner != seat and won[winner] < TURNS_TO_WIN:
        cards.append("no card left")
    return ", ".join(cards)
