"""Play the examples of a page of rules, and say at which line one comes out otherwise."""

import inspect
from pathlib import Path
from typing import Any

from cardhub.model.game.game import Game
from cardhub.testing.checking import ConformanceError, FaultyLine
from cardhub.testing.rule_examples.parsing import Example, ExampleError, parse_examples
from cardhub.testing.rule_examples.positions import ExamplePosition


def check_examples(game: Game[Any], subject: None = None) -> None:
    """Check that every example of the page of rules comes out as it says."""
    faults = find_faults(game)
    if faults:
        raise ConformanceError("examples", game.name, "; ".join(map(str, faults)), faults)


def find_faults(game: Game[Any]) -> list[FaultyLine]:
    """Return the lines of the page of rules that are wrong, one for each example."""
    page = game.display.rules()
    try:
        examples = parse_examples(page)
    except ExampleError as error:
        return [_line(game, error)]
    faults = []
    for example in examples:
        try:
            run_example(game, example)
        except ExampleError as error:
            faults.append(_line(game, error))
    return faults


def run_example(game: Game[Any], example: Example) -> None:
    """Play an example; raises ExampleError at the first line that comes out otherwise."""
    words = [line.word for line in example.lines]
    if "then" not in words:
        raise ExampleError(example.number, "the example has no `then`, so it cannot be wrong")
    position = ExamplePosition(game, example)
    has_begun = False
    for line in example.lines:
        has_begun |= line.word != "given"
        if line.word == "given" and has_begun:
            raise ExampleError(line.number, "`given` comes before `when` and `then`")
        if line.word == "when":
            position.act(line)
        elif line.word == "then":
            position.compare(line)


def _line(game: Game[Any], error: ExampleError) -> FaultyLine:
    page = Path(inspect.getfile(type(game))).with_name("rules.md")
    return FaultyLine(str(page), error.number, str(error))
