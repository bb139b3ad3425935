"""The plan of a layout for rules in C: where everything goes, as tables of numbers.

`learners/encoding.h` of the translated rules fills arrays by it. The sections of a layout remain
the oracle: C writes the same bytes as they do.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from struct import pack

from cardhub.learning.arrays.field_ranges import SCORES
from cardhub.learning.arrays.layout import Layout
from cardhub.learning.arrays.learner_actions import LearnerActions
from cardhub.learning.arrays.sections import Sections
from cardhub.learning.arrays.state_features import FieldSlots
from cardhub.model.game.initial_state import split_decks

# The tables of a plan by name, each as the bytes of its numbers.
Plan = dict[str, bytes]

# A slot, number or pile that does not exist, and the place of the scores, which are not a field.
NONE = -1


def encoding_plan(layout: Layout, fields: Sequence[str]) -> Plan | None:
    """Return the plan of a layout; None if it has sections that are in Python only.

    `fields`: the names of the fields of the struct in C, in their order.
    """
    sections = layout.sections
    places = {name: place for place, name in enumerate(fields)}
    encoded = {field.name for field in (*sections.numbers.fields, *sections.bits.fields)}
    # With copies, the depth of a face would depend on the order of filling.
    has_unclear_depths = sections.depths is not None and not sections.kinds.are_single
    if sections.others or has_unclear_depths or encoded - {SCORES} - places.keys():
        return None
    decks = split_decks(layout.game, layout.settings, layout.seats)
    plan = {
        "single": _ints(_single_numbers(layout)),
        "acting": _ints(chain(sections.turn.acting[-1], *sections.turn.acting[:-1])),
        "pack": _ints(chain.from_iterable(decks)),
        "decks": _ints(map(len, decks)),
    }
    _add_fields(plan, sections, places)
    _add_piles(plan, sections, places)
    _add_actions(plan, sections.learner_actions, sections)
    return plan


def _single_numbers(layout: Layout) -> list[int]:
    """Return the numbers of `enum plan_number`, in its order."""
    sections, kinds = layout.sections, layout.sections.kinds
    viewer, seat, *phase = [part.start for part in sections.turn.parts]
    # After the turn, the numbers and the bits.
    starts = iter(sections.starts[3:])
    of_cards = (sections.tops, sections.zones, sections.depths, sections.tokens)
    first_slots = [next(starts) if section else NONE for section in of_cards]
    tokens = sections.tokens
    of_tokens = [tokens.width, tokens.seen] if tokens else [0, 0]
    is_same = int(sections.learner_actions.is_same)
    of_kinds = [kinds.first, kinds.size, len(kinds.faces)]
    first_of_turn = [viewer, seat, *(phase or [NONE])]
    sizes = [layout.size, layout.action_count]
    return [*sizes, *first_of_turn, *of_kinds, *first_slots, *of_tokens, is_same]


def _add_fields(plan: Plan, sections: Sections, places: dict[str, int]) -> None:
    numbers = sections.numbers
    start_of = {part.name: part.start + sections.starts[1] for part in numbers.parts}
    rows = []
    for number in numbers.numbers:
        field = number.field
        ones = number.ones if field.is_enumeration else NONE
        row = _field_row(field, places, start_of[field.name])
        rows += [*row, int(field.is_counted), ones, number.low, number.values]
    plan["numbers"] = _ints(rows)
    scales = [value for number in numbers.numbers for value in (number.scale, number.usual)]
    plan["scales"] = pack(f"{len(scales)}d", *scales)
    bits = zip(sections.bits.fields, sections.bits.parts, strict=True)
    plan["bits"] = _ints(
        value
        for field, part in bits
        for value in (*_field_row(field, places, part.start + sections.starts[2]), part.shape[1])
    )


def _field_row(field: FieldSlots, places: dict[str, int], start: int) -> list[int]:
    place = NONE if field.name == SCORES else places[field.name]
    return [place, start, field.room, int(field.is_by_seat)]


def _add_piles(plan: Plan, sections: Sections, places: dict[str, int]) -> None:
    piles, kinds, zones = sections.piles, sections.kinds, sections.zones
    pairs = zip(piles.zones, piles.counts, strict=True)
    rows = [(places[zone.name], pile) for zone, count in pairs for pile in range(count)]
    plan["kinds"] = _ints(chain.from_iterable(kinds.by_back))
    plan["copies"] = _ints(map(int, kinds.copies))
    plan["piles"] = _ints(chain.from_iterable(rows))
    plan["pile_numbers"] = _ints(chain.from_iterable(piles.numbers))
    slots = [row[kinds.first :] for row in zones.slots] if zones else []
    plan["zone_slots"] = _ints(chain.from_iterable(slots))
    plan["top_lines"] = _ints(sections.tops.lines if sections.tops else [])
    plan["ordered"] = _ints(map(int, sections.depths.are_ordered if sections.depths else []))


def _add_actions(plan: Plan, actions: LearnerActions, sections: Sections) -> None:
    groups = [*actions.slots]
    place_of = {start: number for number, start in enumerate(groups)}
    slots = [actions.slots[start] for start in groups]
    plan["fixed"] = _ints(chain.from_iterable(actions.fixed))
    plan["starts"] = _ints(start - sections.kinds.first for start in actions.starts)
    plan["token_of"] = _ints(actions.token_of)
    plan["places"] = _ints(place_of.get(start, NONE) for start in actions.starts)
    plan["place_groups"] = _ints(chain.from_iterable((s.depth, s.elsewhere) for s in slots))
    plan["place_firsts"] = _ints(
        group.by_pile[pile].start if pile in group.by_pile else NONE
        for group in slots
        for pile in range(sections.piles.size)
    )


def _ints(numbers: Iterable[int]) -> bytes:
    values = [*numbers]
    return pack(f"{len(values)}q", *values)
