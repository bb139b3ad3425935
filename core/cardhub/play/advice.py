"""Ratings and faults of bots as text for players: hints in words, and the numbers behind them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import Any

from msgspec import Struct

from cardhub.base.errors import BotFaultError
from cardhub.base.writing import action_sentence, capitalized, has_verb, number, signed
from cardhub.bots.bot import Rated
from cardhub.model.game.display_values import as_text
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import game_scoring
from cardhub.model.hidden.observation import NamedStep, Observation, Step
from cardhub.model.table.actions import Amount
from cardhub.model.table.goal import Goal
from cardhub.model.table.scoring import Scoring, amount_text
from cardhub.play.mixtures import mixture_of
from cardhub.play.seating import Player
from cardhub.view.equal_cards import alike_in, equals_of, merged_actions
from cardhub.view.explain.card_texts import as_sentence
from cardhub.view.text.glyphs import cells, pad, wrapped

# The most actions of a hint that players see.
MOST_SHOWN = 3
# An action that wins at least this share of games more often is better, not about as good.
FEWEST_WINS = 0.02
# An action with fewer tries, and with less than this share of the best action's tries, was hardly
# tried: its value rests on a handful of games.
LEAST_TRIED = 0.1
FEW_TRIES = 10
_SENTENCE_END = re.compile(r"(?<=[.!?]) ")
SCALE = "0 % is lost, 100 % is won"
PERCENT = "%"


class RatedAction(Struct, frozen=True, gc=False, rename={"value_text": "worth"}):
    """A rated action as text: its name, its value and the number of tries.

    `value_text` (JSON: `worth`) and `tries` are empty if the bot has no ratings.
    """

    name: str
    value_text: str
    tries: str


class HintedAction(Struct, frozen=True, gc=False, omit_defaults=True):
    """An action of a hint in words: the game's text about it, and how it compares with the next.

    Both texts are sentences, or empty if the game or the bot gives none.
    """

    name: str
    reason: str = ""
    comparison: str = ""

    @property
    def text(self) -> str:
        """The action with both sentences."""
        sentences = " ".join(filter(None, (self.reason, self.comparison)))
        name = capitalized(self.name)
        return f"{name}: {sentences}" if sentences else name


def ranked(rated: Sequence[Rated], game: Game[Any]) -> list[Rated]:
    """Return a bot's ratings with its alternatives first."""
    first = alternatives(rated, game)
    return [*first, *(rating for rating in rated if rating not in first)]


def alternatives(rated: Sequence[Rated], game: Game[Any]) -> list[Rated]:
    """Return a bot's best action and those to compare with it, in the order of their values.

    The best one has the highest value among the actions that the bot tried most. Left out are
    actions that were hardly tried, actions with a higher value but fewer tries, and all amounts of
    a group but the bot's best. Without any tries, all actions are returned.
    """
    most = max(rating.visits for rating in rated)
    if not most:
        return [*rated]
    offered = _one_of_each_group(rated, game)
    best = max((r for r in offered if r.visits >= NEAR_BEST * most), key=lambda r: r.value)
    others = [r for r in offered if r is not best and r.value <= best.value]
    tried = [r for r in others if r.visits and not _is_hardly_tried(r, best)]
    return [best, *sorted(tried, key=lambda r: -r.value)]


def _one_of_each_group(rated: Sequence[Rated], game: Game[Any]) -> list[Rated]:
    """Return the ratings with only the first amount of each group of amounts."""
    first: dict[int, Rated] = {}
    for rating in rated:
        group = game.actions.by_action[rating.action][0]
        # A group is known by the action of its least amount.
        first.setdefault(group.start if isinstance(group, Amount) else rating.action, rating)
    return [*first.values()]


def _is_hardly_tried(rating: Rated, best: Rated) -> bool:
    return rating.visits < min(FEW_TRIES, LEAST_TRIED * best.visits)


def _without_equals(rated: Sequence[Rated], merged: Mapping[int, Sequence[int]]) -> list[Rated]:
    """Return the first one of ratings that differ only in which of some equal cards is meant."""
    firsts = {action: first for first, actions in merged.items() for action in actions}
    kept: dict[int, Rated] = {}
    for rating in rated:
        first = firsts[rating.action]
        kept.setdefault(first, rating._replace(action=first))
    return [*kept.values()]


def hinted_actions(
    rated: Sequence[Rated], observation: Observation[Any], players: Sequence[str]
) -> list[HintedAction]:
    """Return the best rated actions in words for the seat of the observation."""
    labels, state = observation.labels(players), observation.state
    scene, legal = observation.scene(), observation.legal()
    # The names of the table, which may number cards that are alike; a hint shows one of them.
    shown_choices = merged_actions(observation, equals_of(observation, scene), legal)
    names = {action: name for name, action in labels.choices([*shown_choices]).items()}
    rated = _without_equals(rated, merged_actions(observation, alike_in(observation, scene), legal))
    game: Any = observation.game  # compiled code would check the text, with another error
    scoring, mixture = (
        game_scoring(game, state.settings, state.seats),
        mixture_of(observation, rated),
    )
    mixed = [rating for rating in rated if rating.action in mixture.shares]
    shown = (mixed or rated)[:MOST_SHOWN]
    hinted, said = [], set[str]()
    with NamedStep(observation):
        for rating, following in zip(shown, [*shown[1:], None], strict=True):
            text = as_text(game, "hint", game.display.hint(state, rating.action, labels))
            reason = _news(as_sentence(text), said)
            comparison = ""
            if mixed:
                comparison = mixture.share_text(rating.action)
            elif following is not None:
                comparison = comparison_text(rating, following, names[following.action], scoring)
            hinted.append(HintedAction(names[rating.action], reason, comparison))
    return hinted


def _news(text: str, said: set[str]) -> str:
    """Return a text without the sentences that an action before it has, and note the others."""
    sentences = [sentence for sentence in _SENTENCE_END.split(text) if sentence not in said]
    said.update(sentences)
    return " ".join(sentences)


def comparison_text(rating: Rated, other: Rated, name: str, scoring: Scoring) -> str:
    """Return how much better an action is than another one of this name, in the game's unit.

    The text is empty if one of them was not tried, and has no number if the other was hardly tried.
    """
    if not rating.visits or not other.visits:
        return ""
    if _is_hardly_tried(other, rating):
        return f"The bot hardly tried “{name}”."
    difference = rating.value - other.value
    if difference <= 0 or _is_equal(rating, other, scoring.goal):
        return f"About as good as “{name}”."
    teams = len(set(scoring.teams))
    match scoring.goal:
        case Goal.SCORE | Goal.COMMON:
            points = _rounded(difference / scoring.unit_size)
            better = points and f"About {amount_text(points, scoring.unit)} better than “{name}”."
        case Goal.RANK if teams > 2:
            # The places are equally spaced from 1 to -1.
            places = _rounded(difference * (teams - 1) / 2)
            better = places and f"About {amount_text(places, 'places')} higher than “{name}”."
        case _:
            better = _wins_text(difference, name, teams)
    return better or f"About as good as “{name}”."


def _rounded(amount: float) -> str:
    """Return an amount in whole numbers, below one in halves; empty if that is nothing."""
    if amount < 0.25:
        return ""
    return "½" if amount < 0.75 else f"{amount:.0f}"


def _wins_text(difference: float, name: str, teams: int) -> str:
    """Return a difference of utilities, from -1/(teams - 1) to 1, as games won more often."""
    share = difference * (teams - 1) / teams if teams > 1 else difference / 2
    if share < FEWEST_WINS:
        return ""
    if share >= 0.15:
        return f"About {10 * share:.0f} more wins in 10 games than with “{name}”."
    games = round(1 / share)
    rounded = games if games < 10 else 5 * round(games / 5)
    return f"About 1 more win in {rounded} games than with “{name}”."


def rated_actions(
    rated: Sequence[Rated], observation: Observation[Any], players: Sequence[str] = ()
) -> list[RatedAction]:
    """Return rated actions as text for their seat: names with `players`, else notations."""
    labels, legal = observation.labels(players), observation.legal()
    named = labels.choices(legal) if players else labels.notations(legal)
    names = {action: name for name, action in named.items()}
    state = observation.state
    scoring = game_scoring(observation.game, state.settings, state.seats)
    return [
        RatedAction(names[action], value_text(value, scoring), f"{visits} tries")
        if visits
        else RatedAction(names[action], "", "")
        for action, visits, value, _ in rated
    ]


def value_text(value: float, scoring: Scoring) -> str:
    """Return the value of a rating as text.

    `+1.4 chips` with SCORE, `12.3 of 25 points` with COMMON, else a percentage: 0 % is a loss and
    100 % a win.
    """
    if scoring.goal in (Goal.WIN, Goal.RANK):
        return f"{50 * (1 + min(max(value, -1.0), 1.0)):.0f} %"
    # Values of games in which the lowest wins are negated scores. Without 0.0, `-0.0` is shown.
    points = value / scoring.unit_size
    score = round(-points if scoring.lowest_wins else points, 1) + 0.0
    if scoring.goal is Goal.SCORE and not scoring.lowest_wins:
        return f"{signed(score, 1)} {scoring.unit}"
    of_target = "" if scoring.target is None else f" of {scoring.text(scoring.target)}"
    return f"{number(score, 1)}{of_target} {scoring.unit}"


def loss_unit(scoring: Scoring) -> str:
    """Return the unit of the differences of `value_text`: the game's unit, or percent."""
    return PERCENT if scoring.goal in (Goal.WIN, Goal.RANK) else scoring.unit


def loss_factor(scoring: Scoring) -> float:
    """Return the factor that turns a difference of ratings into its `loss_unit`."""
    return 50.0 if scoring.goal in (Goal.WIN, Goal.RANK) else 1 / scoring.unit_size


def public_fault(player: Player, fault: BotFaultError) -> str:
    """Return the public text of a bot's fault: the player and the kind of fault, no cards."""
    return f"the bot {player} {fault.public}"


def advice_lines(bot: str, actions: Sequence[HintedAction], width: int) -> list[str]:
    """Return a hint in words, with lines of at most `width` cells."""
    numbered = [f"{place}. {action.text}" for place, action in enumerate(actions, 1)]
    lines = [line for text in numbered for line in wrapped(text, max(width, 20), hang="   ")]
    return [*wrapped(f"Hint by the {bot} bot:", max(width, 20)), *lines]


def number_lines(bot: str, actions: Sequence[RatedAction], width: int) -> list[str]:
    """Return the best ratings as lines: one per action if they fit, else two."""
    shown = actions[:MOST_SHOWN]
    names = max(cells(action.name) for action in shown)
    scale = [SCALE] if any(action.value_text.endswith("%") for action in shown) else []
    wide = [
        f"{place}. {pad(action.name, names)}  {action.value_text}".rstrip()
        for place, action in enumerate(shown, 1)
    ]
    title = f"Ratings by the {bot} bot" + (f" ({SCALE})" if scale else "")
    if max(map(cells, [title, *wide])) <= width:
        return [f"{title}:", *wide]
    narrow = [
        line for place, action in enumerate(shown, 1) for line in _narrow_lines(place, action)
    ]
    return [f"Ratings by the {bot} bot:", *narrow, *scale]


def _narrow_lines(place: int, action: RatedAction) -> Iterator[str]:
    yield f"{place}. {action.name}"
    if action.value_text:
        yield f"   {action.value_text}"


# Standard errors within which two values are equal.
NOISE = 2.0
# Share of the best action's visits from which another action can be equal to it.
NEAR_BEST = 0.5


def expectation(
    rated: Sequence[Rated],
    observation: Observation[Any],
    players: Sequence[str],
    *,
    says_you: bool = True,
) -> str:
    """Return a sentence on the steps that a bot expects after its best action; it may be empty.

    Cards have names that the observation's seat knows; the sentence calls this seat "you" or by
    its name.
    """
    labels, viewer = observation.labels(players), observation.seat

    def step_text(step: Step) -> str:
        label = labels.plain_label(step.action)
        if says_you and step.seat == viewer:
            return f"you {label}" if has_verb(label) else f"you: {label}"
        return action_sentence(players[step.seat], label)

    line = [
        step
        for step in rated[0].line
        if 0 <= step.seat < len(players) and labels.is_action(step.action)
    ]
    return f"After that, the bot expects: {', then '.join(map(step_text, line))}." if line else ""


def _is_equal(best: Rated, other: Rated, goal: Goal) -> bool:
    if not best.visits or not other.visits:
        return False
    # A search gives most visits to the best action and to actions that may equal it.
    if other.visits < NEAR_BEST * best.visits:
        return False
    return best.value - other.value <= NOISE * _error(best, other, goal)


def sure_loss(best: Rated, other: Rated, goal: Goal) -> float:
    """Return the loss of an action against the best one, less its standard error if it has one.

    It is 0 if the actions are about as good, or if one of them was not tried.
    """
    # A search knows little about actions that it rarely tries, so their values are uncertain.
    if not best.visits or not other.visits or _is_equal(best, other, goal):
        return 0.0
    loss = best.value - other.value
    if goal in (Goal.WIN, Goal.RANK):
        loss -= _error(best, other, goal)
    else:
        # How much scores vary is unknown: a difference after a single try may be luck alone.
        loss *= 1 - 1 / sqrt(other.visits)
    return max(loss, 0.0)


def _error(rating: Rated, other: Rated, goal: Goal) -> float:
    """Return the greatest standard error of the difference of two values; 0 if it is unknown."""
    if goal not in (Goal.WIN, Goal.RANK):
        return 0.0
    # Values are from -1 to 1.
    return sqrt(_variance(rating) / rating.visits + _variance(other) / other.visits)


def _variance(rated: Rated) -> float:
    return 1 - min(abs(rated.value), 1.0) ** 2
