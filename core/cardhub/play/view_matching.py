"""Match typed actions to the choices of a view: names, notations, sites of boards, and amounts.

Amounts are typed as `raise 37` or `raise pot`.
"""

from collections.abc import Iterator

from cardhub.base.errors.quoting import did_you_mean, folded
from cardhub.base.writing import first_few, listed
from cardhub.model.hidden.action_matching import matching
from cardhub.model.table.actions import site_label
from cardhub.view.view import AreaView, CardView, ChoiceView, GridView, Spot, View

NOT_YOUR_TURN = "It is not your turn."


def read_choice(view: View, text: str) -> int | str:
    """Return the action of a view that a text stands for, or a message why there is none.

    Only the table knows why a text is not a legal action; `why` asks it.
    """
    if not view.choices:
        return NOT_YOUR_TURN
    amount = read_amount(view, text)
    if amount is not None:
        return amount
    site = _site(view, text)
    here = view.choices_at(site) if site is not None else ()
    if len(here) == 1:
        return here[0].action
    if site is not None and not here:
        return f"No action is possible at {text.strip()}. Type `why {text.strip()}` for the reason."
    return _match_names(view, text)


def _match_names(view: View, text: str) -> int | str:
    # A choice among amounts is not an action until the amount is typed.
    single = [choice for choice in view.choices if choice.amounts is None]
    by_notation = {folded(choice.notation): choice.action for choice in single}
    if text.strip() and folded(text) in by_notation:
        return by_notation[folded(text)]
    actions = matching(text, {choice.action: _names(choice, view) for choice in single})
    choices = [choice for choice in single if choice.action in actions]
    if choices and len({_look(view, choice) for choice in choices}) == 1:
        return actions[0]
    if choices:
        return f"{text.strip()!r} could be {first_few([choice.name for choice in choices])}"
    names = [choice.name for choice in view.choices]
    ranges = [choice.amounts for choice in view.choices if choice.amounts is not None]
    similar = did_you_mean(text, [*names, *(name for r in ranges for name, _ in r.shortcuts)])
    return f"{text.strip()!r} is not one of the choices.{similar} Choices: {first_few(names)}"


def _names(choice: ChoiceView, view: View) -> list[str]:
    """Return the names that a person can type for a choice."""
    names = [choice.name, f"{choice.verb} {choice.object}".strip()]
    # In `lay R5#17` the token distinguishes cards that are written alike.
    names.append(choice.notation.partition("#")[0])
    for spot in choice.spots:
        if spot.kind == "seat":
            seats = (spot.key, f"seat{spot.key}", view.players[spot.key].name)
            names += [f"{choice.verb} {seat}" for seat in seats]
    return names


def _look(view: View, choice: ChoiceView) -> tuple[object, ...]:
    """Return a key that is equal for choices of cards that look alike in the same area."""
    cards = [spot for spot in choice.spots if spot.kind == "card"]
    if not cards:
        return (choice.action,)
    looks = tuple(_look_of(card) for spot in cards for card in _cards(view, spot))
    return (choice.verb, tuple(spot.area for spot in cards), looks)


def _look_of(card: CardView) -> tuple[object, ...]:
    # Cards without a face can differ although they look alike, so each is identified by its token.
    face = card.token if card.face is None else card.face
    return (card.back, card.face is None, face, card.mark, card.head, card.foot)


def _cards(view: View, spot: Spot) -> Iterator[CardView]:
    area = view.areas[spot.area]
    if isinstance(area, AreaView):
        yield from (card for card in area.cards if card.token == spot.key)


def _site(view: View, text: str) -> Spot | None:
    """Return the site with a label, or None if it does not exist."""
    for number, area in enumerate(view.areas):
        if isinstance(area, GridView):
            for site in range(area.rows * area.columns):
                if site_label(*divmod(site, area.columns)) == folded(text):
                    return Spot("site", site, number)
    return None


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
