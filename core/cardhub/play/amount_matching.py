"""Match typed amounts, such as `raise 37` or `raise pot`, to the choices of a view."""

from cardhub.base.errors.quoting import folded
from cardhub.base.writing import listed
from cardhub.view.view import ChoiceView, View

BETWEEN = "Type an amount from {low} to {high}: {examples}."
IN_STEPS = "Type an amount from {low} to {high} in steps of {step}: {examples}."


def read_amount(view: View, text: str) -> int | str | None:
    """Return the action of a typed amount, a request for an amount, or None for another text.

    People type the verb or the words before the amount, or the beginning of either, and then a
    number or the name of a shortcut; the name of a shortcut alone is enough if only one choice has
    it.
    """
    words = folded(text).split()
    choices = [choice for choice in view.choices if choice.amounts is not None]
    if not words or not choices:
        return None
    others = [folded(choice.name).split() for choice in view.choices if choice.amounts is None]
    if words in others:
        return None
    meant = [choice for choice in choices if _names_verb(choice, words)]
    if len(meant) == 1 and not any(_begins(name, words) for name in others):
        return explain_amounts(meant[0])
    for choice in choices:
        action = _amount_of(choice, words)
        if action is not None:
            return action
    shortcut = " ".join(words)
    named = [c for c in choices if c.amounts and shortcut in _shortcuts(c)]
    return _action(named[0], _shortcuts(named[0])[shortcut]) if len(named) == 1 else None


def explain_amounts(choice: ChoiceView) -> str:
    """Return how to type an amount: "Type an amount from 4 to 100: `raise 4`."."""
    amounts = choice.amounts
    assert amounts is not None
    shortcuts = [f"`{choice.verb} {name}` ({number})" for name, number in amounts.shortcuts]
    examples = listed([f"`{choice.verb} {amounts.low}`", *shortcuts], "or")
    text = IN_STEPS if amounts.step > 1 else BETWEEN
    return text.format(low=amounts.low, high=amounts.high, step=amounts.step, examples=examples)


def _heads(choice: ChoiceView) -> list[list[str]]:
    """Return the words that may come before an amount."""
    assert choice.amounts is not None
    before = choice.amounts.text.partition("{amount}")[0]
    return [folded(head).split() for head in (before, choice.verb)]


def _names_verb(choice: ChoiceView, words: list[str]) -> bool:
    return any(_begins(head, words) for head in _heads(choice))


def _begins(parts: list[str], words: list[str]) -> bool:
    return len(words) <= len(parts) and all(
        part.startswith(word) for part, word in zip(parts, words, strict=False)
    )


def _amount_of(choice: ChoiceView, words: list[str]) -> int | None:
    """Return the action of a choice's verb and an amount; None if the text is another one."""
    amounts = choice.amounts
    assert amounts is not None
    shortcuts = _shortcuts(choice)
    for at in range(1, len(words)):
        head, rest = words[:at], " ".join(words[at:])
        if _names_verb(choice, head):
            number = int(rest) if rest.isdecimal() else shortcuts.get(rest)
            if number is not None:
                return _action(choice, number)
    return None


def _shortcuts(choice: ChoiceView) -> dict[str, int]:
    assert choice.amounts is not None
    return {folded(name): number for name, number in choice.amounts.shortcuts}


def _action(choice: ChoiceView, amount: int) -> int | None:
    is_legal = choice.amounts is not None and amount in choice.amounts.amounts
    return choice.with_amount(amount).action if is_legal else None
