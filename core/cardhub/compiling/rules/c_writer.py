"""C text of translated rules that a person can read: one function for each rule, by its name."""

import json
import math
import struct
from collections.abc import Iterable, Iterator, Sequence

from cardhub.compiling.rules.field_use import ALWAYS, read_fields, used_helpers
from cardhub.compiling.rules.form import (
    BOOL,
    FLOAT,
    NOTHING,
    Assign,
    Block,
    Choose,
    CountUp,
    Do,
    Expression,
    Field,
    Function,
    Jump,
    Leave,
    ListOf,
    Loop,
    Maybe,
    Numeral,
    Operation,
    RuleCall,
    Select,
    Statement,
    Table,
    Type,
    Variable,
    When,
    inner_blocks,
    is_list,
    nesting,
)
from cardhub.compiling.rules.program import KEYWORDS, NONE
from cardhub.compiling.rules.struct_layout import MOST_SHUFFLES, StructField
from cardhub.compiling.rules.translate import TranslatedRules
from cardhub.model.table.actions import Amount

INDENT = "    "
# The headers of the search tree, in the order in which they build on one another.
SEARCH = ("worlds", "infosets", "values", "views", "widening", "iteration", "tree")
# The least room of a new list.
LEAST_ROOM = 32


class CText:
    """The two files of a game: its module, and its rules, which the module includes twice."""

    def __init__(self, rules: TranslatedRules) -> None:
        self._rules = rules
        self._program = rules.program
        self._functions = _reachable(rules.entries.values())
        known = [f for f in self._functions if f.is_remembered and nesting(f.result) is not None]
        self._remembered = {function: number for number, function in enumerate(known, 1)}
        self._helpers = used_helpers(self._functions)
        elsewhere = ("deal", "plausible", "likelihood")
        in_playouts = (rule for name, rule in rules.entries.items() if name not in elsewhere)
        self._read = ALWAYS | read_fields(_reachable(in_playouts))
        self._read |= {*self._program.layout.declaration.token_fields}
        self._read |= {self._program.layout.declaration.choices}
        if "gather" in self._helpers:
            self._read |= {zone.name for zone in self._program.layout.declaration.zones}

    def rules(self) -> str:
        """Return the functions of the rules."""
        title = self._program.game.title
        lines = [f"/* The rules of {title}, translated from Python. */", ""]
        lines += [f"{_head(function)};" for function in self._functions]
        for function in self._functions:
            calls_itself = function in _reachable(called for called, _, _ in function.calls)
            lines += ["", *_written(function, self._remembered, calls_itself=calls_itself)]
        lines += [""]
        for name, function in self._rules.entries.items():
            lines += _entry(name, function)
        for name, kind in (
            ("chance_weights", "List *"),
            ("ends_playout", "int64_t"),
            ("playout_action", "int64_t"),
            ("evaluate", "List *"),
            ("deal", "void"),
            ("plausible", "int64_t"),
            ("likelihood", "double"),
        ):
            if name not in self._rules.entries:
                value = "" if kind == "void" else " 0"
                body = f"{INDENT}return{value};"
                lines += [*_heading(kind, name, "State *state"), body, "}", ""]
        return "\n".join(lines) + "\n"

    def module(self, name: str, rules_file: str) -> str:
        """Return the text of the module `name`, which includes the file of the rules."""
        title = self._program.game.title
        parts = [
            f"/* {title} as a module of Python. */\n",
            "#define PY_SSIZE_T_CLEAN\n#include <Python.h>\n#include <stddef.h>\n",
            '#include "lists.h"\n#include "floats.h"\n#include "memo.h"\n#include "generator.h"\n',
            "\n".join(self._sizes()),
            "\n".join(self._struct()),
            '\n#include "fields.h"\n',
            "\n".join(self._tables_of_fields()),
            "\n".join(self._functions_of_fields()),
            '\n#include "table.h"\n',
            "\n".join(_constant(name, items) for name, items in self._program.tables.items()),
            _instance("true", "face_at(state, token)", "1", rules_file),
            _instance("seen", "seen_face_at(state, token)", "has_seen(state, token)", rules_file),
            '#include "search/amounts.h"\n#include "module.h"\n#include "growing.h"\n',
            "".join(f'#include "search/{name}.h"\n' for name in SEARCH),
            '#include "learners/seeding.h"\n#include "learners/encoding.h"\n',
            '#include "learners/dealing.h"\n#include "learners/group.h"\n',
            f"PyMODINIT_FUNC PyInit_{name}(void) {{\n",
            f"{INDENT}return with_tree(with_groups(new_module()));\n}}\n",
        ]
        return "\n".join(parts)

    def _sizes(self) -> Iterator[str]:
        layout, game = self._program.layout, self._program.game
        yield f"#define SEATS {layout.seats}"
        yield f"#define TOKENS {layout.tokens}"
        yield f"#define ROOM {max(LEAST_ROOM, layout.tokens)}"
        yield f"#define FACES {len(game.cards.faces)}"
        yield f"#define FIELDS {len(layout.fields)}"
        yield f"#define ZONES {len(layout.declaration.zones)}"
        yield f"#define CLASS_NAME {quoted(type(game).__qualname__)}"
        yield f"#define OPTIONS {len(game.options)}"
        has_shuffles = bool(self._helpers & {"shuffle", "gather", "mix"})
        mixed = sum(layout.seats for zone in layout.declaration.zones if zone.mixed)
        yield f"#define MOST_SHUFFLES {MOST_SHUFFLES + mixed if has_shuffles else 1}"
        yield f"#define HAS_SHUFFLES {int(has_shuffles)}"
        entries = self._rules.entries
        yield f"#define HAS_END {int('ends_playout' in entries)}"
        yield f"#define HAS_DEAL {int('deal' in entries)}"
        yield f"#define HAS_PLAUSIBLE {int('plausible' in entries)}"
        yield f"#define HAS_LIKELIHOOD {int('likelihood' in entries)}"
        observed = self._program.observed or []
        yield f"#define OBSERVED_FIELDS {len(observed)}"
        names = ", ".join(map(quoted, observed)) or "0"
        yield f"static const char *const OBSERVED_NAMES[] = {{{names}}};"
        yield f"#define HAS_ACTION {int('playout_action' in entries)}"
        yield f"#define HAS_EVALUATION {int('evaluate' in entries)}"
        yield f"#define HAS_WEIGHTS {int('chance_weights' in entries)}"
        for name in ("evaluate", "chance_weights"):
            kind = entries[name].result if name in entries else None
            is_float = isinstance(kind, ListOf) and kind.item == FLOAT
            function = "float_of" if is_float else "as_double"
            yield f"#define {name.upper()}_ITEM(item) {function}(item)"
        # Whether rules ask questions, which a record may have answered.
        yield f"#define HAS_ANSWERS {int(bool(self._helpers & {'answered', 'disclosed'}))}"
        if choices := layout.declaration.choices:
            yield "#define HAS_CHOICES"
            yield f"#define CHOICES {_field_name(choices)}"

    def _struct(self) -> Iterator[str]:
        yield "\n/* A state. Lists have room for as many items as the largest table needs. */"
        yield "typedef struct {"
        for field in self._program.layout.fields:
            yield f"{INDENT}{self._member(field)};"
        yield f"{INDENT}int64_t options[OPTIONS + 1];"
        yield f"{INDENT}int64_t viewer; /* the bits of the viewers whose faces may be read */"
        yield f"{INDENT}int64_t shuffles, keepers[MOST_SHUFFLES];"
        yield f"{INDENT}LIST(TOKENS) shuffled[MOST_SHUFFLES];"
        yield "} State;"

    def _member(self, field: StructField) -> str:
        name = _field_name(field.name)
        if field.kind == "SCALAR":
            return f"int64_t {name}"
        if field.rows is None:
            return f"LIST({field.room}) {name}"
        return f"LIST({field.room}) {name}[{field.rows or 'SEATS'}]"

    def _tables_of_fields(self) -> Iterator[str]:
        layout, game = self._program.layout, self._program.game
        yield "static const FieldInfo FIELD_INFO[FIELDS] = {"
        for field in layout.fields:
            name = _field_name(field.name)
            first = f"{name}[0]" if field.kind == "ROWS" else name
            stride = f"sizeof(((State *)0)->{first})"
            flags = ", ".join(
                str(int(flag))
                for flag in (field.is_truth, field.name == "back", field.name in self._read)
            )
            yield (
                f"{INDENT}{{{quoted(field.name)}, {field.kind}, offsetof(State, {name}), "
                f"{field.room}, {stride}, {field.rows or 0}, {flags}}},"
            )
        yield "};"
        names = [f"{{{quoted(name)}}}" for name in game.options] or ["{0}"]
        yield f"static const OptionInfo OPTION_INFO[] = {{{', '.join(names)}}};"
        for option in game.options.values():
            for value in (option.default, *getattr(option, "values", ())):
                if isinstance(value, str):
                    self._program.text(value)
        texts = ", ".join(quoted(text) for text in self._program.texts)
        yield f"static const char *const TEXTS[] = {{{texts}}};"
        backs = ", ".join(map(str, game.cards.back_of))
        yield f"static const int64_t BACK_OF[FACES] = {{{backs}}};"
        places = {field.name: index for index, field in enumerate(layout.fields)}
        groups = [group for group in game.actions.groups if isinstance(group, Amount)]
        starts = ", ".join(str(group.start) for group in groups) or "0"
        ends = ", ".join(str(group.start + group.size) for group in groups) or "0"
        yield f"static const int64_t AMOUNT_STARTS[] = {{{starts}}}, AMOUNT_ENDS[] = {{{ends}}};"
        yield f"#define AMOUNT_GROUPS {len(groups)}"
        zones = ", ".join(str(places[zone.name]) for zone in layout.declaration.zones) or "0"
        yield f"static const int ZONE_FIELDS[] = {{{zones}}};"
        yield f"#define TEXT_COUNT {len(self._program.texts)}"

    def _functions_of_fields(self) -> Iterator[str]:
        yield "\nstatic inline void forget_notes(State *state, int64_t token) {"
        yield f"{INDENT}(void)state, (void)token;"
        for name in self._program.layout.declaration.token_fields:
            yield f"{INDENT}set_item(AS_LIST(state->{_field_name(name)}), token, 0);"
        yield "}"


def _instance(name: str, face: str, has_face: str, rules_file: str) -> str:
    return (
        f"#define RULE(name) {name}_##name\n"
        f"#define FACE(state, token) {face}\n"
        f"#define HAS_FACE(state, token) {has_face}\n"
        f'#include "{rules_file}"\n'
        "#undef RULE\n#undef FACE\n#undef HAS_FACE\n"
    )


def _constant(name: str, items: Sequence[Numeral | Table]) -> str:
    """Return the declaration of a list of constants."""
    texts = [str(i.value) if isinstance(i, Numeral) else f"ADDRESS(&{i.name})" for i in items]
    texts = ["NONE" if text == str(NONE) else text for text in texts]
    listed = ", ".join(texts) or "0"
    size = max(1, len(items))
    return f"static LIST({size}) {name} = {{{len(items)}, 0, {{{listed}}}}};"


def quoted(text: str) -> str:
    """Return a text as a constant of C."""
    return json.dumps(text, ensure_ascii=False)


def _field_name(name: str) -> str:
    """Return the name of a field in the struct, which no macro of the headers may have."""
    return f"{name}_" if name.isupper() or name in _RESERVED else name


# Members of the struct that are no fields, and words of C.
_RESERVED = KEYWORDS | {"keepers", "options", "shuffled", "shuffles", "viewer"}


def _reachable(entries: Iterable[Function]) -> list[Function]:
    """Return the functions that the entries call, and the entries."""
    functions: dict[Function, None] = {}
    waiting = list(entries)
    while waiting:
        function = waiting.pop()
        if function not in functions:
            functions[function] = None
            waiting += [called for called, _, _ in function.calls]
    return sorted(functions, key=lambda rule: (str(rule.path), rule.line, rule.name))


def _entry(name: str, function: Function) -> list[str]:
    kind = _c_type(function.result)
    parameters = ["State *state", *(_parameter(p) for p in function.parameters)]
    passed = ", ".join(["state", *(p.name for p in function.parameters)])
    call = f"RULE({function.name})({passed});"
    lead = "" if function.result == NOTHING else "return "
    return [*_heading(kind, name, ", ".join(parameters)), f"{INDENT}{lead}{call}", "}", ""]


def _heading(kind: str, name: str, parameters: str) -> list[str]:
    return [f"RULE_FUNCTION {kind} RULE({name})({parameters}) {{".replace("* ", "*")]


def _c_type(kind: Type) -> str:
    if kind == NOTHING:
        return "void"
    return "List *" if is_list(kind) else "double" if kind == FLOAT else "int64_t"


def _parameter(variable: Variable) -> str:
    return f"{_c_type(variable.type)} {variable.name}".replace("* ", "*")


def _head(function: Function, ending: str = "") -> str:
    parameters = ", ".join(["State *state", *map(_parameter, function.parameters)])
    kind = _c_type(function.result)
    return f"RULE_FUNCTION {kind} RULE({function.name}{ending})({parameters})".replace("* ", "*")


def _written(
    function: Function, remembered: dict[Function, int], *, calls_itself: bool
) -> Iterator[str]:
    yield f"/* {function.path.parent.name}/{function.path.name}, line {function.line} */"
    number = remembered.get(function)
    yield f"{_head(function, '_anew' if number else '')} {{"
    fixed = {parameter.name for parameter in function.parameters} | _declared(function.body)
    variables = {n: kind for n, kind in function.variables.items() if n not in fixed}
    lists = [name for name, kind in variables.items() if is_list(kind)]
    floats = [name for name, kind in variables.items() if kind == FLOAT]
    numbers = [name for name in variables if name not in lists and name not in floats]
    if numbers:
        yield f"{INDENT}int64_t {', '.join(f'{name} = 0' for name in numbers)};"
    if floats:
        yield f"{INDENT}double {', '.join(f'{name} = 0' for name in floats)};"
    if lists:
        yield f"{INDENT}List {', '.join(f'*{name} = NULL' for name in lists)};"
    if calls_itself:
        yield f"{INDENT}check_stack();"
    body = function.body
    yield from _lines(body[:-1] if body and body[-1] == Leave(None) else body, function, 1)
    yield "}"
    if number:
        yield from _remembering(function, number)


def _remembering(function: Function, number: int) -> Iterator[str]:
    """Yield the function that computes only what it has not computed before."""
    passed = ", ".join(["state", *(parameter.name for parameter in function.parameters)])
    keys = ", ".join(_as_item(p.name, p.type) for p in function.parameters)
    value = _as_item(f"RULE({function.name}_anew)({passed})", function.result)
    kept = f"remembered({number}, keys, {value}, {nesting(function.result)})"
    yield ""
    yield f"{_head(function)} {{"
    yield f"{INDENT}int64_t keys[MOST_KEYS] = {{{keys}}};"
    yield f"{INDENT}const Answer *answer = known_answer({number}, keys);"
    yield f"{INDENT}if (answer)"
    yield f"{INDENT * 2}return {_from_item('answer->value', function.result)};"
    yield f"{INDENT}return {_from_item(kept, function.result)};"
    yield "}"


def _declared(block: Block) -> set[str]:
    """Return the variables that are declared where they get their only value."""
    names: set[str] = set()
    for statement in block:
        if isinstance(statement, Assign):
            target = statement.target
            if isinstance(target, Variable) and target.is_fixed:
                names.add(target.name)
        elif isinstance(statement, CountUp):
            names.add(statement.index.name)
        for inner in inner_blocks(statement):
            names |= _declared(inner)
    return names


def _lines(block: Block, function: Function, depth: int) -> Iterator[str]:
    for statement in block:
        yield from _statement(statement, function, depth)


def _statement(statement: Statement, function: Function, depth: int) -> Iterator[str]:
    lead = INDENT * depth
    if isinstance(statement, Assign):
        yield f"{lead}{_target(statement.target)} = {_bare(statement.value)};"
    elif isinstance(statement, Do):
        yield f"{lead}{_text(statement.value)};"
    elif isinstance(statement, Leave):
        yield f"{lead}{_return(statement, function)};"
    elif isinstance(statement, Jump):
        yield f"{lead}{statement.word};"
    elif isinstance(statement, When):
        yield from _when(statement, function, depth)
    elif isinstance(statement, Loop):
        yield f"{lead}for (;;) {{"
        yield from _lines(statement.before, function, depth + 1)
        yield f"{lead}{INDENT}if (!{_text(statement.condition)})"
        yield f"{lead}{INDENT * 2}break;"
        yield from _lines(statement.body, function, depth + 1)
        yield f"{lead}}}"
    elif isinstance(statement, CountUp):
        index = statement.index.name
        yield f"{lead}for (int64_t {index} = 0; {index} < {_text(statement.count)}; {index}++) {{"
        yield from _lines(statement.body, function, depth + 1)
        yield f"{lead}}}"
    else:
        yield from _select(statement, function, depth)


def _return(statement: Leave, function: Function) -> str:
    if statement.value is None:
        return "return NONE" if function.result == Maybe() else "return"
    return f"return {_bare(statement.value)}"


def _when(statement: When, function: Function, depth: int) -> Iterator[str]:
    lead = INDENT * depth
    yield f"{lead}if ({_bare(statement.condition)}) {{"
    yield from _lines(statement.then, function, depth + 1)
    if statement.otherwise:
        yield f"{lead}}} else {{"
        yield from _lines(statement.otherwise, function, depth + 1)
    yield f"{lead}}}"


def _select(statement: Select, function: Function, depth: int) -> Iterator[str]:
    lead = INDENT * depth
    value = _text(statement.value)
    word = "if"
    for numbers, block in statement.cases:
        tests = [f"{value} == {_text(number)}" for number in numbers]
        yield f"{lead}{word} ({' || '.join(tests)}) {{"
        yield from _lines(block, function, depth + 1)
        word = "} else if"
    if statement.otherwise:
        yield f"{lead}}} else {{"
        yield from _lines(statement.otherwise, function, depth + 1)
    yield f"{lead}}}"


def _text(value: Expression) -> str:
    if isinstance(value, Numeral):
        return _number(value)
    if isinstance(value, Table):
        return f"AS_LIST({value.name})"
    if isinstance(value, Variable):
        return value.name
    if isinstance(value, Field):
        return _field(value)
    if isinstance(value, Operation):
        return _operation(value)
    if isinstance(value, Choose):
        parts = (value.condition, value.first, value.second)
        return "({} ? {} : {})".format(*map(_text, parts))
    operands = list(map(_text, value.operands))
    if isinstance(value, RuleCall):
        return f"RULE({value.function.name})({', '.join(['state', *operands])})"
    for place in _ITEMS.get(value.name, ()):
        operands[place] = _as_item(operands[place], value.operands[place].type)
    call = f"{value.name}({', '.join(['state', *operands] if value.with_state else operands)})"
    return _from_item(call, value.type) if value.name in _OF_ITEMS else call


# Helpers that return an item of a list, and by helper the operands that are items. There lists
# are addresses, and floats their 64 bits.
_OF_ITEMS = {"item", "item_from_end", "pop", "pop_at", "looked_up", "looked_up_or"}
_OF_ITEMS |= {"value_for", "value_or"}
_ITEMS = {"append": (1,), "set_item": (2,), "insert": (2,), "store": (2,), "value_or": (2,)}
_ITEMS |= {"looked_up_or": (3,), "set_item_from_end": (2,)}
_ITEMS |= {"ADD": (1,), "STORE": (2,)}


def _as_item(text: str, kind: Type) -> str:
    """Return the text of a value as it is in a list."""
    return f"ADDRESS({text})" if is_list(kind) else f"bits_of({text})" if kind == FLOAT else text


def _from_item(text: str, kind: Type) -> str:
    """Return the text of an item of a list as a value."""
    return f"LIST_AT({text})" if is_list(kind) else f"float_of({text})" if kind == FLOAT else text


def _bare(value: Expression) -> str:
    """Return the text of an expression that needs no parentheses around it."""
    text = _text(value)
    is_wrapped = isinstance(value, Choose) or (
        isinstance(value, Operation) and len(value.operands) > 1
    )
    return text[1:-1] if is_wrapped else text


def _target(target: Variable | Field) -> str:
    """Return the text of what gets a value; a variable with one value is declared there."""
    if not isinstance(target, Variable) or not target.is_fixed:
        return _text(target)
    return _parameter(target)


def _number(value: Numeral) -> str:
    if value.is_name:
        return value.note
    if value.type == FLOAT:
        return _float(value)
    if value.value == NONE:
        return "NONE"
    comment = f" /* {value.note.replace('*/', '')} */" if value.note else ""
    digits = str(value.value) if abs(value.value) < 1 << 31 else f"INT64_C({value.value})"
    return f"{digits}{comment}" if value.value >= 0 else f"({digits}{comment})"


def _float(value: Numeral) -> str:
    """Return a float, which C reads as the same 64 bits."""
    (number,) = struct.unpack("<d", struct.pack("<q", value.value))
    if not math.isfinite(number):
        return f"float_of(INT64_C({value.value}))"
    return f"({number!r})" if value.value < 0 else repr(number)


def _field(value: Field) -> str:
    name = f"state->{_field_name(value.name)}"
    if value.row is not None:
        return f"AS_LIST({name}[{_text(value.row)}])"
    return f"AS_LIST({name})" if is_list(value.type) else name


def _operation(value: Operation) -> str:
    operands = [_text(operand) for operand in value.operands]
    if len(operands) == 1:
        return (
            f"{value.sign}{operands[0]}" if value.type == BOOL else f"({value.sign}{operands[0]})"
        )
    return f"({f' {value.sign} '.join(operands)})"
