"""YAML files written on the spot and parsed by a name without folders."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cardhub.base.errors import CardFileError
from cardhub.base.yamlfile import Diagnostics, MappingNode, parse_file

FILE = Path("cards.yaml")


@pytest.fixture
def parse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str | bytes], MappingNode]:
    """Return a function that parses a file with the given content."""
    monkeypatch.chdir(tmp_path)

    def parse_content(content: str | bytes) -> MappingNode:
        FILE.write_bytes(content.encode() if isinstance(content, str) else content)
        diagnostics = Diagnostics(str(FILE), CardFileError)
        top = parse_file(FILE, diagnostics)
        diagnostics.raise_if_any()
        return top

    return parse_content


@pytest.fixture
def problems(parse: Callable[..., MappingNode]) -> Callable[[str | bytes], list[str]]:
    """Return a function that parses an invalid file and returns its problems."""

    def problems_of(content: str | bytes) -> list[str]:
        with pytest.raises(CardFileError) as caught:
            parse(content)
        return caught.value.problems

    return problems_of
