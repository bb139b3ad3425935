"""Who has chosen, in a view: apart from the session because only this could show a choice early."""

from collections.abc import Sequence

import msgspec

from cardhub.base.writing import listed
from cardhub.play.host.running_table import RunningTable
from cardhub.view.view import View

HAS_CHOSEN = "has chosen"
CHOSEN_BEFORE_ONE = "You chose “{choice}”. You can change it until {players} has chosen"
CHOSEN_BEFORE_TWO = "You chose “{choice}”. You can change it until {players} have chosen"
# More names would not fit into the prompt.
CHOSEN_BEFORE_MORE = "You chose “{choice}”. You can change it until {count} others have chosen"
# The front ends put the name of the first player before it.
AT_ONCE = "{prompt}, at the same time as {players}"


def with_choices(view: View, table: RunningTable) -> View:
    """Return a view with the choices that its viewer may know of, in the present round.

    It shows which people have chosen, but not which bots: how long a bot takes would tell something
    of its choice.
    """
    choices = table.choices
    if not choices.is_round:
        return view
    bots = [seat for seat in choices.asked if not table.players[seat].is_human]
    waits_for = table.people_to_act or bots
    chosen = choices.of(view.viewer)
    to_act = view.viewer if view.viewer in waits_for else waits_for[0]
    names = [view.players[seat].name for seat in waits_for]
    return msgspec.structs.replace(
        view,
        to_act=table.bot_seat if table.activity.fault is not None else to_act,
        prompt=_prompt(view, names, chosen, is_own=to_act == view.viewer),
        players=tuple(
            msgspec.structs.replace(player, badges=(*player.badges, HAS_CHOSEN))
            if not player.bot and choices.of(seat) is not None
            else player
            for seat, player in enumerate(view.players)
        ),
        choices=tuple(
            msgspec.structs.replace(choice, is_chosen=True)
            if chosen in choice.actions()
            else choice
            for choice in view.choices
        ),
    )


def _prompt(view: View, names: Sequence[str], chosen: int | None, *, is_own: bool) -> str:
    choice = None if chosen is None else view.choice(chosen)
    if choice is not None:
        others = {1: CHOSEN_BEFORE_ONE, 2: CHOSEN_BEFORE_TWO}
        text = others.get(len(names), CHOSEN_BEFORE_MORE)
        return text.format(choice=choice.name, players=listed(names), count=len(names))
    if is_own or len(names) == 1:
        return view.prompt
    return AT_ONCE.format(prompt=view.prompt, players=listed(names[1:]))
