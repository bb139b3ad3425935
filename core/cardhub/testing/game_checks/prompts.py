"""Check what a language model reads: as much as its seat knows, and whole names of actions."""

import re
from typing import Any

from cardhub.base.errors.quoting import folded
from cardhub.bots.language.answers import read_name
from cardhub.bots.language.prompt import Prompt, build_prompt
from cardhub.model.game.game import Game, S
from cardhub.model.hidden.information_text import card_texts
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.faces import BLANK, blanked
from cardhub.testing.checking import first_difference
from cardhub.testing.random_play import Position

_TOKEN = re.compile(r"#(\d+)")


class PromptTexts:
    """The prompts of all positions so far; they must be one to one with information states."""

    def __init__(self) -> None:
        # By prompt and by information state: the other one, and the position where it was read.
        self._by_prompt: dict[str, tuple[str, str]] = {}
        self._by_knowledge: dict[str, tuple[str, str]] = {}

    def __len__(self) -> int:
        """Return the number of information states."""
        return len(self._by_knowledge)

    def add(self, prompt: str, knowledge: str, facts: str, where: str, numbering: str) -> str:
        """Add the prompt of a seat that knows this; return the problem, or an empty text.

        `facts`: the part of the knowledge that a prompt has to say. `numbering`: games with the
        same one number equal cards alike, which no prompt has to say.
        """
        before, place = self._by_knowledge.setdefault(knowledge, (prompt, where))
        if before != prompt:
            old, new = first_difference(before, prompt)
            return f"the seat knows the same as {place}, but reads {new!r} instead of {old!r}"
        before, place = self._by_prompt.setdefault(numbering + prompt, (facts, where))
        if before != facts:
            old, new = first_difference(_in_lines(before), _in_lines(facts))
            return f"the seat reads the same as {place}, but it knows {new!r} instead of {old!r}"
        return ""


def _in_lines(knowledge: str) -> str:
    return "\n".join(knowledge.replace(" | ", "\n").replace(", ", "\n").split("\n"))


def check_prompts(game: Game[S], position: Position[S], texts: PromptTexts) -> None:
    """Check that prompts are one to one with information states, and that names are read back."""
    state = position.state
    if state.seat < 0:
        return
    observation = Observation(game, state, state.seat, position.history)
    prompt = build_prompt(observation)
    again = build_prompt(Observation(game, state, state.seat, position.history), "none")
    if again.table != prompt.table:
        one, other = first_difference(prompt.table, again.table)
        problem = f"with the same observation seat {state.seat} reads {one!r} and then {other!r}"
        position.fail(game, "prompts", problem)
    _check_names(game, position, prompt)
    options = " ".join(f"{name}={value}" for name, value in state.settings.items())
    table = f"{state.seats} seats {options} | "
    knowledge = table + observation.information_text()
    seed = position.trial.seed
    where = f"seat {state.seat} at step {position.number} of seed {seed}"
    numbering = "" if len(game.cards.faces) == game.cards.count else f"{seed} "
    facts = table + _facts(observation)
    if problem := texts.add(prompt.text, knowledge, facts, where, numbering):
        position.fail(game, "prompts", problem)


def _facts(observation: Observation[Any]) -> str:
    """Return the information state without the numbers of known cards and their order in piles.

    Nobody has to know these: deals of small packs give the same hand in several orders.
    """
    game, state = observation.game, observation.state
    cards, faces = card_texts(game, state), blanked(state.face)
    piles: list[str] = []
    for zone in state.zones:
        content = getattr(state, zone.name)
        for pile in [content] if zone.count is None else content:
            piles.append(" ".join(sorted(cards[token] for token in pile)))

    def name(match: re.Match[str]) -> str:
        token = int(match[1])
        return match[0] if faces[token] == BLANK else cards[token]

    viewer, _, *others = observation.information_text().split(" | ")
    return " | ".join([viewer, ", ".join(piles), *(_TOKEN.sub(name, part) for part in others)])


def _check_names(game: Game[S], position: Position[S], prompt: Prompt) -> None:
    for name, action in prompt.names.items():
        reading = read_name(prompt, name)
        if reading.action != action:
            others = sorted({*prompt.actions[folded(name)]} - {action})
            problem = f"the name {name!r} of action {action} is also read as {others}"
            position.fail(game, "prompts", problem)
