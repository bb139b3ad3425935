"""The parser of YAML files rejects features without exact locations, with and without libyaml."""

from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest
import yaml

from cardhub.base.errors import CardFileError
from cardhub.base.yamlfile import Diagnostics, MappingNode, ScalarNode, parse_file, parser

Problems = Callable[[str | bytes], list[str]]
Parse = Callable[[str | bytes], MappingNode]


@pytest.fixture(autouse=True, params=["CSafeLoader", "SafeLoader"])
def _loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    loader = getattr(yaml, request.param, None)
    if loader is None:
        pytest.skip("PyYAML was built without libyaml")
    # The loader is private: which one exists depends only on how PyYAML was built.
    monkeypatch.setattr(parser, "_LOADER", loader)


@pytest.mark.parametrize("word", ["NO", "on", "012", "12:30:00", "1e3", "~", "null", "2024-01-01"])
def test_plain_scalars_stay_the_text_that_was_written(parse: Parse, word: str) -> None:
    """YAML 1.1 would read booleans, octal numbers, times, floats, None and dates."""
    _, node = parse(f"word: {word}\n").entries["word"]
    assert node == ScalarNode(1, 7, word)


def test_quotes_and_escapes_are_resolved(parse: Parse) -> None:
    """The value's position is the opening quote."""
    _, node = parse('word: "a\\tb"\n').entries["word"]
    assert node == ScalarNode(1, 7, "a\tb")


def test_a_leading_byte_order_mark_is_skipped(parse: Parse) -> None:
    """Some editors put one in front of UTF-8 text."""
    assert list(parse(b"\xef\xbb\xbfcards: [{name: A}]").entries) == ["cards"]


def test_a_duplicate_key_names_the_line_of_the_first(problems: Problems) -> None:
    """YAML would silently keep the last one."""
    reported = problems("cards:\n  - name: A\n    text: one\n    text: two\n")
    assert reported == ["cards.yaml:4:5: duplicate key 'text', first on line 3"]


def test_anchors_and_aliases_are_refused(problems: Problems) -> None:
    """Aliases make values hard to find, and a small file expand to a huge one."""
    reported = problems("cards:\n  - {name: &a A}\n  - {name: B, text: *a}\n")
    assert reported == [
        "cards.yaml:2:12: anchors are not allowed",
        "cards.yaml:3:21: aliases are not allowed; write the value out",
    ]


def test_an_alias_bomb_is_refused_at_the_first_alias(problems: Problems) -> None:
    """Ten levels of ten aliases each would be ten thousand million nodes."""
    levels = [f"l{i}: &l{i} [{', '.join([f'*l{i - 1}'] * 10)}]" for i in range(1, 10)]
    reported = problems("\n".join(["l0: &l0 x", *levels]))
    assert "cards.yaml:1:5: anchors are not allowed" in reported
    assert "cards.yaml:2:10: aliases are not allowed; write the value out" in reported


def test_merge_keys_are_refused(problems: Problems) -> None:
    """A merge key would hide fields in another mapping."""
    reported = problems("cards:\n  - {name: A, <<: {text: x}}\n")
    assert reported == ["cards.yaml:2:15: merge keys are not allowed; write the fields out"]


@pytest.mark.parametrize("tag", ["!!int", "!card", "!", "!!python/object:os.system"])
def test_tags_are_refused(problems: Problems, tag: str) -> None:
    """No tag constructs an object, not even the ones YAML defines."""
    reported = problems(f"cards:\n  - {{name: {tag} A}}\n")
    assert reported == ["cards.yaml:2:12: tags are not allowed"]


def test_a_second_document_is_refused(problems: Problems) -> None:
    reported = problems("cards: [{name: A}]\n---\ncards: [{name: B}]\n")
    assert reported == ["cards.yaml:2:1: only one YAML document is allowed"]


@pytest.mark.parametrize("content", ["", "\n\n", "# nothing yet\n"])
def test_an_empty_file_is_refused(problems: Problems, content: str) -> None:
    """A file without any content is a mistake."""
    assert problems(content) == ["cards.yaml:1:1: the file is empty"]


@pytest.mark.parametrize(
    ("content", "kind"),
    [("- A\n- B", "a list"), ("A", "'A'"), ("---", "empty"), ("[]", "an empty list")],
)
def test_a_file_that_is_not_a_mapping_is_refused(
    problems: Problems, content: str, kind: str
) -> None:
    """The top of every file is a mapping of sections."""
    (problem,) = problems(content)
    assert problem.endswith(f": expected a mapping, not {kind}")


def test_a_key_that_is_not_text_is_refused(problems: Problems) -> None:
    """YAML allows any node as a key."""
    reported = problems("[a, b]: c\ncards: [{name: A}]\n")
    assert reported == ["cards.yaml:1:1: a key must be text, not a list"]


def test_a_tab_as_indentation_is_named(problems: Problems) -> None:
    """The parser's own message is about tokens."""
    reported = problems("cards:\n\t- {name: A}\n")
    assert reported == ["cards.yaml:2:1: tabs are not allowed here; indent with spaces"]


def test_a_syntax_error_says_where_it_is_and_where_it_began(problems: Problems) -> None:
    """A bracket that was never closed is found at the end, but belongs to its line."""
    (problem,) = problems("cards:\n  - {name: A\n  - {name: B}\n")
    assert problem.startswith("cards.yaml:3:5: invalid YAML: ")
    assert "while parsing a flow mapping from line 2" in problem


def test_problems_before_a_syntax_error_are_reported_too(problems: Problems) -> None:
    """One run reports all problems up to the syntax error."""
    reported = problems("cards:\n  - {name: !x A}\n  - ]\n")
    assert reported[0] == "cards.yaml:2:12: tags are not allowed"
    assert reported[1].startswith("cards.yaml:3:5: invalid YAML: ")


def test_an_escape_beyond_unicode_is_refused(problems: Problems) -> None:
    """The pure Python scanner raises another error for it."""
    (problem,) = problems('cards:\n  - {name: "\\UFFFFFFFF"}\n')
    assert problem.startswith("cards.yaml:2:")
    assert "invalid YAML" in problem


def test_bytes_that_are_not_utf8_are_placed(problems: Problems) -> None:
    """Files from old editors are Latin-1; the column counts characters, not bytes."""
    reported = problems(b"cards:\n  - {name: \xc3\xa9\xe9}\n")
    assert reported == ["cards.yaml:2:13: not UTF-8 text: byte 0xe9"]


def test_control_characters_are_refused(problems: Problems) -> None:
    reported = problems("cards:\n  - {name: A\x1b[2J}\n")
    assert reported == ["cards.yaml:2:13: the character U+001B is not allowed"]


def test_a_missing_file_is_a_problem_of_the_file() -> None:
    """The message has the path as given."""
    diagnostics = Diagnostics("no/such.yaml", CardFileError)
    with pytest.raises(CardFileError) as caught:
        parse_file(Path("no/such.yaml"), diagnostics)
    assert caught.value.problems == ["no/such.yaml:1:1: cannot be read: No such file or directory"]


def test_a_folder_is_a_problem_of_the_file(tmp_path: Path) -> None:
    """The operating system's message about an unreadable file becomes a problem."""
    diagnostics = Diagnostics(str(tmp_path), CardFileError)
    with pytest.raises(CardFileError, match=":1:1: cannot be read: "):
        parse_file(tmp_path, diagnostics)


def test_a_file_beyond_the_size_limit_is_refused(problems: Problems) -> None:
    """No card file comes near 1 MiB."""
    content = "#" * (parser.MAX_BYTES + 1)
    assert problems(content) == ["cards.yaml:1:1: larger than 1048576 bytes"]


@pytest.mark.parametrize("opening", ["[", "{a: ", "- "])
def test_deep_nesting_ends_quickly(problems: Problems, opening: str) -> None:
    """A recursion bomb is refused at the first level too many; PyYAML's C parser may see more."""
    started = process_time()
    (reported,) = problems(opening * 200_000)
    columns = [len(opening) * levels + 1 for levels in (parser.MAX_DEPTH, 1000)]
    assert reported in [f"cards.yaml:1:{n}: nested deeper than 16 levels" for n in columns]
    assert process_time() - started < 5
