"""Card files written on the spot, read by a name without folders."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cardhub.base.errors import CardFileError
from cardhub.model.cards import Cards, load_cards
from cardhub.model.cards.cardfile import FieldType

FILE = Path("cards.yaml")


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Cards]:
    """Return a function that reads a card file with the given content."""
    monkeypatch.chdir(tmp_path)

    def load_content(content: str | bytes, **fields: FieldType) -> Cards:
        FILE.write_bytes(content.encode() if isinstance(content, str) else content)
        return load_cards(FILE, **fields)

    return load_content


@pytest.fixture
def problems(load: Callable[..., Cards]) -> Callable[..., list[str]]:
    """Return a function that reads an invalid card file and returns its problems."""

    def problems_of(content: str | bytes, **fields: FieldType) -> list[str]:
        with pytest.raises(CardFileError) as caught:
            load(content, **fields)
        return caught.value.problems

    return problems_of
