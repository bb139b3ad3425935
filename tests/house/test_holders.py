"""Who holds a state of a game: secrecy rests on how few objects hold the true one."""

import ast
import re
from collections.abc import Iterator, Set
from functools import cache
from pathlib import Path

import pytest
from tests.house.syntax import nodes_of, tree
from tests.kit.paths import ROOT

PAGE = " ".join((ROOT / "docs" / "architecture.md").read_text("utf-8").split())
CORE = ROOT / "core"
SOURCES = sorted([*ROOT.glob("core/**/*.py"), *ROOT.glob("games/**/*.py")])
# `State`, and the type variables bound to it.
STATES = {"State", "S", "S_co"}
# The name that games give to their own states; in the core it is another class.
STATE_OF_A_GAME = "Table"
# Containers whose content counts: an `Observation[S]` is a holder of its own.
CONTAINERS = {"dict", "list", "tuple", "Sequence", "Mapping", "deque", "ClassVar"}
# Functions and methods that return a state.
MAKERS = {"initial_state", "clone", "observed_state"}
# By class, what its states are. In play, nothing but the referee's module holds the true one.
IN_PLAY = {
    "play/referee.py Referee": "the true state",
    "play/referee.py UndoStack": "true states before actions that can be taken back",
    "play/referee.py ObservableState": "the true state after a past action, given as observations",
}
WITHOUT_REFEREE = {
    "learning/adapters/episode.py Episode": "the true state of a learner's game",
    "learning/arrays/feature_spec.py Row": "the state that an array encodes, for a viewer",
    "testing/random_play.py Position": "a random game of the checks",
    "testing/deal_replay.py Start": "a position of a random game of the checks",
    "testing/deal_replay.py UnreachableError": "a random game of the checks, played again",
    "testing/deal_replay.py Transition": "a random game of the checks, played again",
    "testing/game_checks/rule_lines.py _CallWatcher": "a random game of the checks, played again",
    "testing/game_checks/taint/public_results.py _Step": "a random game of the checks",
    "testing/game_checks/taint/public_results.py Result": "a step of a random game of the checks",
    "testing/game_checks/simultaneous_choices.py RoundFollower": "a random game of the checks",
    "testing/position_builder.py ByHand": "a position that a test sets up",
}
WITHOUT_SECRETS = {
    "model/hidden/observation.py Observation": "masked for its viewer",
    "model/hidden/labels.py Labels": "masked for the viewer of the labels",
    "model/hidden/determinize.py FaceSampler": "masked: a determinization is drawn from it",
    "model/hidden/whole_games.py _Listed": "determinizations",
    "model/game/played_steps.py PlayedStep": "masked for the viewer of a record",
    "view/explain/explanations.py Explainer": "an observation's",
    "view/explain/reasons.py Reasons": "an observation's",
    "bots/solving/game_tree.py _NodeState": "a position of the tree of all deals",
    "lab/analysis/continuations.py Continuation": "a determinization",
    "lab/analysis/review/weighted_rating.py WeightedWorlds": "determinizations",
    "learning/adapters/vector/native_group.py FirstState": "before the deal, or equal in all deals",
    "cardhub_gamon/strategy/inference.py Inference": "an observation's",
    "cardhub_gargon/strategy/rule_bot.py Values": "an observation's",
    "cardhub_garner/strategy/rule_bot.py Branch": "an observation's, and states after it",
}


def state_names(path: Path) -> set[str]:
    """Return the names of types that are states in a module."""
    names = STATES if CORE in path.parents else STATES | {STATE_OF_A_GAME}
    variables = (node for node in tree(path).body if isinstance(node, ast.Assign))
    others = {
        ast.unparse(variable.targets[0])
        for variable in variables
        if re.match(r"TypeVar\((?!.*bound=State)", ast.unparse(variable.value))
    }
    return names - others


def has_state(annotation: ast.expr | None, names: Set[str]) -> bool:
    """Return whether a value of this type is a state, or contains states."""
    match annotation:
        case ast.Constant(str() as text):
            return has_state(ast.parse(text, mode="eval").body, names)
        case ast.Name(name):
            return name in names
        case ast.BinOp(left, ast.BitOr(), right):
            return has_state(left, names) or has_state(right, names)
        case ast.Subscript(ast.Name(name), content):
            return name in CONTAINERS and has_state(content, names)
        case ast.Tuple(items):
            return any(has_state(item, names) for item in items)
    return False


def is_kept(target: ast.expr) -> bool:
    """Return whether an assignment is to an attribute of the object itself."""
    return isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self"


def is_state(value: ast.expr | None, parameters: set[str]) -> bool:
    """Return whether an expression is a state, by how it is written."""
    match value:
        case ast.Name(name):
            return name in parameters
        case ast.Attribute(_, "state" | "_state"):
            return True
        case ast.Call(ast.Name(name) | ast.Attribute(_, name)):
            return name in MAKERS
        case ast.IfExp(_, first, second) | ast.BinOp(first, _, second):
            return is_state(first, parameters) or is_state(second, parameters)
        case ast.BoolOp(_, parts) | ast.List(parts) | ast.Tuple(parts):
            return any(is_state(part, parameters) for part in parts)
    return False


def keeps_state(method: ast.FunctionDef | ast.AsyncFunctionDef, names: Set[str]) -> bool:
    """Return whether a method stores a state in its object."""
    arguments = [*method.args.posonlyargs, *method.args.args, *method.args.kwonlyargs]
    parameters = {argument.arg for argument in arguments if has_state(argument.annotation, names)}
    for node in ast.walk(method):
        match node:
            case ast.AnnAssign(target, annotation) if is_kept(target) and has_state(
                annotation, names
            ):
                return True
            case ast.Assign(targets, value) if any(map(is_kept, targets)):
                if is_state(value, parameters):
                    return True
    return False


def holders(path: Path) -> Iterator[str]:
    """Yield the classes of a module whose objects hold a state."""
    names = state_names(path)
    for node in nodes_of(path):
        if isinstance(node, ast.ClassDef) and any(
            (isinstance(part, ast.AnnAssign) and has_state(part.annotation, names))
            or (
                isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
                and keeps_state(part, names)
            )
            for part in node.body
        ):
            yield node.name


@cache
def all_holders() -> frozenset[str]:
    """Return all classes that hold a state, with their modules."""
    names = set[str]()
    for path in SOURCES:
        module = path.relative_to(ROOT).as_posix().removeprefix("core/cardhub/")
        module = "/".join(module.split("/")[2:]) if module.startswith("games/") else module
        names |= {f"{module} {name}" for name in holders(path)}
    return frozenset(names)


def test_only_the_referee_holds_the_true_state_in_play() -> None:
    """Whoever adds a holder says here what its state is."""
    known = {*IN_PLAY, *WITHOUT_REFEREE, *WITHOUT_SECRETS}
    assert sorted(all_holders() - known) == []
    assert sorted(known - all_holders()) == []
    assert {name.split()[0] for name in IN_PLAY} == {"play/referee.py"}
    rooms = {name.split("/")[0] for name in WITHOUT_REFEREE}
    assert rooms.isdisjoint({"bots", "view", "play", "online", "tui", "cli"})


def test_the_architecture_names_who_holds_the_true_state() -> None:
    assert "In play only the referee holds the true state" in PAGE
    for name in ("`Episode` for learners", "OpenSpiel's states", "random games of the checks"):
        assert name in PAGE


@pytest.mark.parametrize(
    "source",
    [
        "class A:\n    state: State",
        "class A:\n    past: list[S]",
        "class A:\n    def __init__(self, state: S) -> None:\n        self.mine = state",
        "class A:\n    def f(self, given: Referee) -> None:\n        self.mine = given._state",
        "class A:\n    def f(self, given: S | None) -> None:\n        self.mine = given or self.a",
        "class A:\n    def f(self) -> None:\n        self.mine = initial_state(self.game)",
    ],
)
def test_a_class_that_keeps_a_state_is_found(source: str, tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(source, "utf-8")
    assert list(holders(path)) == ["A"]


@pytest.mark.parametrize(
    "source",
    [
        "class A:\n    seen: Observation[S]",
        "class A:\n    act: Callable[[S], int]",
        "class A:\n    def f(self, state: S) -> None:\n        self.seat = state.seat",
    ],
)
def test_a_class_that_reads_a_state_is_no_holder(source: str, tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(source, "utf-8")
    assert list(holders(path)) == []
