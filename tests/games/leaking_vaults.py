"""Vaults with one leak each, in the line with `# leak`."""

from dataclasses import replace

from tests.games.vaults import (
    CARDS,
    DRAW,
    HIDE,
    HIGH,
    TURNS,
    VALUE,
    VOTE_AT,
    Table,
    Vaults,
)

from cardhub import (
    Actions,
    Area,
    Display,
    Names,
    Scene,
    Summary,
    Tokens,
    left_of,
    per_token,
)
from cardhub.model.cards import Cards
from cardhub.model.table.actions import CardName

LOW_FACES = sum(1 << face for face, worth in enumerate(VALUE) if worth <= HIGH)


class NotesValue(Vaults):
    """Notes the value of a hidden card."""

    def on_hide(self, state: Table, token: int) -> None:
        state.note = VALUE[state.face[token]]  # leak


class NotesByBranch(Vaults):
    """Counts high cards in a branch, whose condition no value carries on."""

    def on_hide(self, state: Table, token: int) -> None:
        is_high = VALUE[state.face[token]] > HIGH  # leak
        if is_high:
            state.note += 1


class NotesOneFace(Vaults):
    """Notes one card of six only, late in the game."""

    def on_hide(self, state: Table, token: int) -> None:
        if state.turn > 2 and state.face[token] == 3:  # leak
            state.note += 1


class NotesSum(Vaults):
    """Notes the total of all vaults, whose cards lie on both sides of an exchange."""

    def on_hide(self, state: Table, token: int) -> None:
        vaults = (hidden for vault in state.vault for hidden in vault)
        state.note = sum(VALUE[state.face[hidden]] for hidden in vaults)  # leak


class NotesPairs(Vaults):
    """Notes whether a hidden card has a twin in a vault."""

    def on_hide(self, state: Table, token: int) -> None:
        seat, faces = state.seat, state.face
        twins = [t for t in state.vault[seat] if faces[t] == faces[token]]  # leak
        state.note += len(twins) > 1


class NotesByTable(Vaults):
    """Looks the face up in a table and in a set, and works with bits."""

    def on_hide(self, state: Table, token: int) -> None:
        bit = 1 << state.face[token]  # leak
        state.note |= {1 << face: face % 2 for face in range(6)}[bit]


class ReadsSlice(Vaults):
    """Reads all faces in one call."""

    def on_hide(self, state: Table, token: int) -> None:
        faces = list(state.face)  # leak
        state.note = faces[token]


class DealsNote(Vaults):
    """Notes the top of the stack in the deal."""

    def deal(self, state: Table) -> None:
        super().deal(state)
        state.note = int(state.face[state.stack[-1]] == 5)  # leak


class DealsSorted(Vaults):
    """Sorts hands in the deal."""

    def deal(self, state: Table) -> None:
        super().deal(state)
        for hand in state.hand:
            hand.sort(key=lambda token: VALUE[state.face[token]])  # leak


class DrawsHigher(Vaults):
    """Draws the higher one of two cards that nobody sees."""

    def draw(self, state: Table, seat: int) -> None:
        top = max(state.stack[-2:], key=lambda token: VALUE[state.face[token]])  # leak
        state.move(top, state.stack, state.hand, seat)


class ShufflesSorted(Vaults):
    """Shuffles the stack in an order that depends on its cards."""

    def mix(self, state: Table) -> None:
        super().mix(state)
        state.pending_shuffles = ()
        state.shuffle(sorted(state.stack, key=lambda token: state.face[token]))  # leak


class TurnsByCard(Vaults):
    """Gives the turn to the next seat but one after a high card."""

    def on_hide(self, state: Table, token: int) -> None:
        if VALUE[state.face[token]] > HIGH:  # leak
            state.seat = left_of(state.seat, state.seats)


class ShowsIfHigh(Vaults):
    """Shows a card to the left neighbour if it is high: all see that it was shown."""

    def on_hide(self, state: Table, token: int) -> None:
        if VALUE[state.face[token]] > HIGH:  # leak
            state.show(token, left_of(state.seat, state.seats))


class AsksIfHigh(Vaults):
    """Answers a question only if the card is high."""

    def on_hide(self, state: Table, token: int) -> None:
        if VALUE[state.face[token]] > HIGH:  # leak
            state.answer(lambda: True)


class LogsValue(Vaults):
    """Writes the value of a hidden card into the log."""

    def on_hide(self, state: Table, token: int) -> None:
        state.log("{player} hides {points}", by=0, points=VALUE[state.face[token]])  # leak


class LogsByBranch(Vaults):
    """Chooses a sentence by a hidden card, which another method reads."""

    def on_hide(self, state: Table, token: int) -> None:
        state.log("A fine card" if self.is_high(state, token) else "A card")

    def is_high(self, state: Table, token: int) -> bool:
        """Return whether a card is high."""
        return VALUE[state.face[token]] > HIGH  # leak


class PausesAtValue(Vaults):
    """Pauses with the value of a hidden card."""

    def on_hide(self, state: Table, token: int) -> None:
        state.pause(f"A card of {VALUE[state.face[token]]}")  # leak


class PausesIfHigh(Vaults):
    """Pauses only after a high card."""

    def on_hide(self, state: Table, token: int) -> None:
        if VALUE[state.face[token]] > HIGH:  # leak
            state.pause("A card is hidden")


class PausesSorted(Vaults):
    """Sorts a vault for a pause, and back."""

    def on_hide(self, state: Table, token: int) -> None:
        vault = state.vault[state.seat]
        before = vault[:]
        vault.sort(key=lambda hidden: state.face[hidden])  # leak
        state.pause("The vault is sorted")
        vault[:] = before


class LimitsBets(Vaults):
    """Limits bets by the card of another seat."""

    def highest_bet(self, state: Table) -> int:
        other = state.hand[left_of(state.seat, state.seats)]
        return 1 if other and VALUE[state.face[other[0]]] > HIGH else 9  # leak


class HidesLowOnly(Vaults):
    """Offers to hide low cards only, without an inference."""

    def legal(self, state: Table) -> list[int]:
        return [
            action
            for action in super().legal(state)
            if not HIDE <= action < HIDE + CARDS.count
            or VALUE[state.face[action - HIDE]] <= HIGH  # leak
        ]


class WeighsRolls(Vaults):
    """Loads the die by a hidden card."""

    def chance_weights(self, state: Table) -> list[float] | None:
        top = state.stack[-1] if state.stack else state.dropped[-1]
        return [1, VALUE[state.face[top]]]  # leak


class CountsVotesEarly(Vaults):
    """Notes a vote before all have voted."""

    def vote(self, state: Table, action: int) -> None:
        state.note += action  # leak
        super().vote(state, action)


class VotesByCard(Vaults):
    """Counts the votes of a seat with a high card twice."""

    def vote(self, state: Table, action: int) -> None:
        is_high = any(VALUE[state.face[token]] > HIGH for token in state.hand[0])  # leak
        before = state.votes
        super().vote(state, action)
        if not state.choices and is_high:
            state.votes += state.votes - before


class NotesBetweenVotes(Vaults):
    """Notes a hidden card between two votes without a turn between them."""

    def vote(self, state: Table, action: int) -> None:
        super().vote(state, action)
        if not state.choices and state.turn == VOTE_AT:
            state.turn += 1
            state.note = VALUE[state.face[state.stack[-1]]]  # leak
            state.ask(range(state.seats))


class RaisesBets(Vaults):
    """Takes one coin more from a seat with a high card."""

    def apply(self, state: Table, action: int) -> None:
        seat, bets = state.seat, sum(state.bets)
        super().apply(state, action)
        if sum(state.bets) > bets and state.hand[seat]:
            state.bets[seat] += VALUE[state.face[state.hand[seat][0]]] > HIGH  # leak


class PossibleByCard(Vaults):
    """Excludes faces by a hidden card."""

    def possible(self, state: Table, token: int) -> int:
        return -1 if state.face[token] >= 0 else 0  # leak


# The faces of the last game, which no rule may keep.
KEPT: list[int] = []


class KnowingTokens(Tokens):
    """Names the card that was once hidden here."""

    def text(self, index: int, name: CardName) -> str:
        is_kept = index < len(KEPT)
        return f"{self.verb} {CARDS.faces[KEPT[index]].name if is_kept else name(index)}"


class NamesKept(Vaults):
    """Keeps faces aside for the names of actions."""

    actions = Actions(
        *Vaults.actions.groups[:5], KnowingTokens("drop", CARDS.count), *Vaults.actions.groups[6:]
    )

    def on_hide(self, state: Table, token: int) -> None:
        KEPT[:] = list(state.face)  # leak


class SceneDisplay(Display[Table]):
    """Sorts the stack for the scene."""

    def scene(self, state: Table, viewer: int) -> Scene:
        order = sorted(state.stack, key=lambda token: state.face[token])  # leak
        return Scene("act", [*super().scene(state, viewer).areas, Area("sorted", order)])


class SortsScene(Vaults):
    """Sorts the stack for the scene."""

    display_type = SceneDisplay


class PromptDisplay(Display[Table]):
    """Names a card of a vault in the prompt, in the last turn only."""

    def scene(self, state: Table, viewer: int) -> Scene:
        scene = super().scene(state, viewer)
        if state.turn == TURNS - 1 and state.vault[0]:
            return Scene(f"beat {VALUE[state.face[state.vault[0][0]]]}", scene.areas)  # leak
        return scene


class PromptsCard(Vaults):
    """Names a card of a vault in the prompt, in the last turn only."""

    display_type = PromptDisplay


class NarrationDisplay(Display[Table]):
    """Tells the card that was drawn."""

    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        if action != DRAW:
            return None
        return [f"{names.player(before.seat)} draws {VALUE[after.face[before.stack[-1]]]}"]  # leak


class NarratesCard(Vaults):
    """Tells the card that was drawn."""

    display_type = NarrationDisplay


class SummaryDisplay(Display[Table]):
    """Sums up a vault at the vote."""

    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        if not before.choices or after.choices or not after.vault[0]:
            return None
        return Summary("Vote", [["vault", str(VALUE[after.face[after.vault[0][0]]])]])  # leak


class SumsUpCard(Vaults):
    """Sums up a vault at the vote."""

    display_type = SummaryDisplay


class ReasonDisplay(Display[Table]):
    """Says why a card cannot be hidden."""

    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        token = action - HIDE
        if not 0 <= token < CARDS.count or action in self.game.legal(state):
            return None
        return f"{VALUE[state.face[token]]} is elsewhere"  # leak


class ReasonsByCard(Vaults):
    """Says why a card cannot be hidden."""

    display_type = ReasonDisplay


class ConsequenceDisplay(Display[Table]):
    """Says what would be drawn."""

    def consequence(self, state: Table, action: int, names: Names) -> str:
        return f"a {VALUE[state.face[state.stack[-1]]]}" if action == DRAW else ""  # leak


class SaysCard(Vaults):
    """Says what would be drawn."""

    display_type = ConsequenceDisplay


class ChapterDisplay(Display[Table]):
    """Names the part of the game by a card."""

    def chapter(self, state: Table) -> str:
        return f"part {state.face[state.vault[0][0]]}" if state.vault[0] else ""  # leak


class ChaptersByCard(Vaults):
    """Names the part of the game by a card."""

    display_type = ChapterDisplay


class PauseDisplay(Display[Table]):
    """Sorts a vault in a pause, where the hand is one card short."""

    def scene(self, state: Table, viewer: int) -> Scene:
        scene = super().scene(state, viewer)
        if sum(state.bets) % 2 and state.note:
            sorted(state.stack, key=lambda token: state.face[token])  # leak
        return scene


class ScenesAtPauses(Vaults):
    """Sorts the stack for the scene of a pause."""

    display_type = PauseDisplay

    def on_hide(self, state: Table, token: int) -> None:
        state.note = 1
        state.pause("A card is hidden")
        state.note = 0


class LabelDisplay(Display[Table]):
    """Names the action of drawing by the card."""

    def action_label(self, state: Table, action: int) -> str:
        return f"draw {VALUE[state.face[state.stack[-1]]]}" if action == DRAW else ""  # leak


class LabelsCard(Vaults):
    """Names the action of drawing by the card."""

    display_type = LabelDisplay


class ShortcutDisplay(Display[Table]):
    """Names an amount by a card."""

    def shortcuts(self, state: Table, verb: str) -> dict[str, int]:
        return {"as the top": VALUE[state.face[state.stack[-1]]]} if state.stack else {}  # leak


class ShortcutByCard(Vaults):
    """Names an amount by a card."""

    display_type = ShortcutDisplay


class CostDisplay(Display[Table]):
    """Asks for a confirmation if the card to be drawn is low."""

    def is_costly(self, state: Table, action: int) -> bool:
        return action == DRAW and VALUE[state.face[state.stack[-1]]] < HIGH  # leak


class CostsByCard(Vaults):
    """Asks for a confirmation if the card to be drawn is low."""

    display_type = CostDisplay


# Games that read hidden cards as the rules may.


class AnsweringTable(Table):
    """A position with the faces that tokens cannot have, as bits."""

    excluded = per_token()


class AnswersHigh(Vaults):
    """Says whether a hidden card is high, and counts the answers."""

    state_type = AnsweringTable

    def on_hide(self, state: Table, token: int) -> None:
        assert isinstance(state, AnsweringTable)
        is_high = state.answer(lambda: VALUE[state.face[token]] > HIGH)
        state.note += is_high
        state.excluded[token] |= LOW_FACES if is_high else ~LOW_FACES

    def possible(self, state: Table, token: int) -> int:
        assert isinstance(state, AnsweringTable)
        return ~state.excluded[token]


class TurnsUp(Vaults):
    """Turns the card up, and counts its value."""

    def on_hide(self, state: Table, token: int) -> None:
        worth = VALUE[state.face[token]]
        state.reveal([token])
        state.note += worth


class LogsForSeer(Vaults):
    """Writes a sentence that only those get who know the card."""

    def on_hide(self, state: Table, token: int) -> None:
        is_high = VALUE[state.face[token]] > HIGH
        text = "A fine card is hidden" if is_high else "A card is hidden"
        state.log(text, cards=[token], is_private=True)


class ReadsInVain(Vaults):
    """Reads hidden faces without any effect."""

    def on_hide(self, state: Table, token: int) -> None:
        state.note = len(sorted(state.face))


class NotesDeck(Vaults):
    """Notes the deck of a hidden card, which is public because decks are not mixed."""

    cards = Cards(
        tuple(replace(card, deck=number % 2) for number, card in enumerate(CARDS.faces)),
        CARDS.backs,
        ("even", "odd"),
    )

    def on_hide(self, state: Table, token: int) -> None:
        state.note = self.cards.deck_of[state.face[token]]

    def mix(self, state: Table) -> None:
        """Leave the decks apart."""
