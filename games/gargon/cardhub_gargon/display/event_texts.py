"""Actions as sentences; the rules log the cards turned up and the battles."""

from collections.abc import Iterable

from cardhub import Names
from cardhub_gargon.table import ACTIONS, COLOURS, SPLITS, STACKS, Table


def gained_cards(pile: list[int], count: int, names: Names) -> list[str]:
    """Return the cells of a summary: the cards after the first `count`, and all."""
    gained = pile[count:]
    return [str(len(gained)), str(len(pile)), _cards(gained, names)]


def action_text(before: Table, action: int, after: Table, names: Names) -> str:
    """Return an action as a sentence."""
    player, hand = names.player(before.seat), after.hand[before.seat]
    verb, index = ACTIONS.verb_and_index[action]
    match verb:
        case "lay":
            # The last card laid turns all of them up: the log names it then.
            return f"{player} lays {names.before.phrase(action)}"
        case "done":
            return f"{player} lays no more cards"
        case "pass":
            return _passed(player, SPLITS[index], hand, names)
        case "fight":
            return f"{player} starts the battle for {COLOURS[index]}"
        # Cards enter a hand at its end, so the drawn card is the last one.
        case _:
            return f"{player} draws {names.phrase(hand[-1])} from the {STACKS[index]} stack"


def _passed(player: str, split: tuple[int, int], hand: list[int], names: Names) -> str:
    # The drawn cards are the last of the hand, the left stack's first.
    left, right = split
    drawn = hand[len(hand) - left - right :]
    first, second = names.phrases(drawn[:left]), names.phrases(drawn[left:])
    if left and right:
        return f"{player} passes and draws {first} from the left stack and {second} from the right"
    if left:
        return f"{player} passes and draws {first} from the left stack"
    if right:
        return f"{player} passes and draws {second} from the right stack"
    return f"{player} passes and draws no card"


def _cards(tokens: Iterable[int], names: Names) -> str:
    return " ".join(map(names.card, tokens))
