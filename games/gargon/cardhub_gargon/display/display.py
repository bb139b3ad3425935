"""The display of Gargon: the table and all texts for people."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from typing_extensions import override

from cardhub import (
    OVER,
    Area,
    BreakdownRow,
    BreakdownSection,
    Card,
    Display,
    Frequency,
    Names,
    Opponent,
    PlayedStep,
    Scene,
    Summary,
    clockwise,
)
from cardhub_gargon import battle
from cardhub_gargon.display import consequences, event_texts, hints, reasons, scene
from cardhub_gargon.scoring import amulets, bonuses, colour_scores, total_scores
from cardhub_gargon.table import (
    ACTIONS,
    COLOURS,
    CREATURES,
    LAYING,
    SPLITS,
    STACKS,
    TAKE,
    VALUE,
    Table,
)


class GargonDisplay(Display[Table]):
    """The stacks, the laid cards of all seats, and sentences about battles."""

    primary = ("done",)
    opponents: ClassVar[Mapping[str, Opponent]] = {
        "beginner": Opponent("Wisp", "lays whatever creature is near"),
        "easy": Opponent("Hob", "counts colours, when he remembers to"),
        "medium": Opponent("Sable", "counts colours, looks no further"),
        "hard": Opponent("Orin", "has learned which colours win"),
        "expert": Opponent("Archmage Vell", "thinks long before every battle"),
    }

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the scene: the stacks, the cards of each seat, and the viewer's own last."""
        areas = [scene.stack(state, number) for number in range(len(STACKS))]
        areas.append(Area("discarded", state.discard, look="pile", place="centre"))
        own = viewer if viewer < state.seats else state.seats - 1
        for seat in clockwise(own + 1, state.seats):
            areas += scene.player(state, seat, viewer)
        scores = total_scores(state) if state.seat == OVER else None
        seats = {seat: scene.seat_line(state, seat, scores) for seat in range(state.seats)}
        prompt, points = scene.prompt(state), scene.points(state)
        return Scene(
            prompt,
            areas,
            points,
            status=scene.status(state),
            seats=seats,
            counts=scene.COUNTS if state.phase == LAYING else {},
        )

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
        """Describe an action; the rules log the cards turned up and the battles."""
        return [event_texts.action_text(before, action, after, names)]

    @override
    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        """Return the cards won and discarded in a round if an action has ended it."""
        if before.phase == LAYING or (after.phase != LAYING and after.seat != OVER):
            return None
        *won_before, discarded_before = before.won_before
        rows = [["", "won", "total", "cards"]]
        for seat, (won, count) in enumerate(zip(after.won, won_before, strict=True)):
            rows.append([names.player(seat), *event_texts.gained_cards(won, count, names)])
        discarded = event_texts.gained_cards(after.discard, discarded_before, names)
        return Summary(f"Round {before.round}", [*rows, ["discarded", *discarded]])

    @override
    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        verb, index = ACTIONS.verb_and_index[action]
        if state.phase != reasons.PHASE_OF[verb]:
            return reasons.other_phase(state, verb)
        match verb:
            case "lay":
                return reasons.lay(state, index)
            case "done":
                return reasons.done(state)
            case "pass":
                return reasons.pass_turn(state, index)
            case "fight" if action not in battle.legal_fights(state):
                return f"you have laid no {COLOURS[index]} card"
            case "take" if TAKE + index not in battle.legal_draws(state):
                return f"the {STACKS[index]} stack is empty"
        return None

    @override
    def consequence(self, state: Table, action: int, names: Names) -> str:
        """Return one or two sentences on a legal action."""
        verb, index = ACTIONS.verb_and_index[action]
        match verb:
            case "lay":
                return consequences.lay(state, index, names)
            case "done":
                return consequences.done(state)
            case "pass":
                return consequences.pass_turn(state, SPLITS[index], names)
            case "fight":
                return consequences.fight(state, index, names)
            case _:
                return f"You draw {names.phrase(state.stacks[index][-1])}."

    @override
    def hint(self, state: Table, action: int, names: Names) -> str:
        """Return which cards beat a card that is laid, and the consequence of other actions."""
        verb, token = ACTIONS.verb_and_index[action]
        if verb == "lay":
            return hints.lay(state, token, names)
        return self.consequence(state, action, names)

    @override
    def breakdown(self, state: Table) -> list[BreakdownSection]:
        """Return a row for each colour; amulets times factor plus bonus are its points."""
        rows = [_row(state, colour) for colour in range(len(COLOURS))]
        subtotals = [
            BreakdownRow("amulets", amulets(state)),
            BreakdownRow("most cards", bonuses(state)),
        ]
        return [BreakdownSection("", rows, subtotals)]

    @override
    def chapter(self, state: Table) -> str:
        return f"round {state.round}"

    @override
    def player_statistics(
        self, steps: Sequence[PlayedStep[Table]], seat: int
    ) -> Mapping[str, Frequency]:
        """Return how often a player passed, and the zeros and bonuses won."""
        if not steps:
            return {}
        end = steps[-1].after
        passes = sum(
            ACTIONS.verb_and_index[step.action][0] == "pass" and step.before.seat == seat
            for step in steps
        )
        zeros = sum(VALUE[end.face[token]] == 0 for token in end.won[seat])
        won = sum(colour_scores(end, colour)[seat].bonus > 0 for colour in range(len(COLOURS)))
        return {
            "rounds passed": Frequency(passes, of=end.round),
            "zeros won": Frequency(zeros, of=2 * len(COLOURS)),
            "colours with a bonus": Frequency(won, of=len(COLOURS)),
        }

    @override
    def detail(self, card: Card) -> str:
        """Return the amulets of a card; a zero doubles the amulets of its colour."""
        if card.fields["value"] == 0:
            return "×2"
        return f"{card.fields['amulets']}●" if card.fields["amulets"] else ""


def _row(state: Table, colour: int) -> BreakdownRow:
    points, notes = [], []
    for count, factor, bonus in colour_scores(state, colour):
        points.append(count * factor + bonus)
        parts = [f"{count}●" + (f"×{factor}" if factor > 1 else "")] if count else []
        parts += [f"+{bonus}"] if bonus else []
        notes.append(" ".join(parts))
    won = [[token for token in tokens if state.back[token] == colour] for tokens in state.won]
    return BreakdownRow(CREATURES[colour], points, notes, COLOURS[colour], won)
