"""The page of match files: its tables have the keys of the schemas, with their defaults."""

import re
from dataclasses import fields

import pytest
from tests.kit.paths import ROOT

from cardhub.base.yamlfile import Schema, schema_of
from cardhub.lab.match.match_spec import (
    Budget,
    FaultRules,
    Order,
    OverallRules,
    RatingRules,
    SprtRule,
)
from cardhub.lab.match.matchfile.read_games import GAME
from cardhub.lab.match.matchfile.reader import BOT, HYPOTHESES, MATCH, PAIRS

PAGE = (ROOT / "docs" / "match-file.md").read_text("utf-8")
# The beginning of the line above each table.
TABLES = {
    "cardhub reports all errors": MATCH,
    "A bot in `bots`": BOT,
    "A game in `games`": GAME,
    "`schedule`:": schema_of(Order),
    "`overall`,": schema_of(OverallRules),
    "`budget`;": schema_of(Budget),
    "`faults`,": schema_of(FaultRules),
    "`rating`;": schema_of(RatingRules),
    "`stop: ": schema_of(SprtRule, **PAIRS),
}
RECORDS = {
    "`schedule`:": Order,
    "`overall`,": OverallRules,
    "`budget`;": Budget,
    "`faults`,": FaultRules,
}


def rows(start: str) -> list[list[str]]:
    """Return the cells of the table below a line."""
    _, _, below = PAGE.partition(f"\n{start}")
    table = re.search(r"\n\|-[-|]*\n((?:\|.*\n)+)", below)
    assert table is not None
    return [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in table[1].replace("| |", "| - |").splitlines()
    ]


@pytest.mark.parametrize(("start", "schema"), TABLES.items())
def test_each_table_lists_the_keys_of_its_schema(start: str, schema: Schema) -> None:
    listed = [key for row in rows(start) for key in re.findall("`(.*?)`", row[0])]
    assert sorted(listed) == sorted(schema.kinds)


@pytest.mark.parametrize("start", RECORDS)
def test_each_default_of_the_page_is_the_one_of_the_record(start: str) -> None:
    names = TABLES[start].fields
    defaults = {field.name: field.default for field in fields(RECORDS[start])}
    for row in rows(start):
        keys, values = re.findall("`(.*?)`", row[0]), row[1].replace("`", "").split(", ")
        assert len(keys) == len(values)
        for key, value in zip(keys, values, strict=True):
            default = defaults[names[key]]
            if default == () or default is None:
                assert value in ("the first bot", "none")
            elif value == "no limit":
                assert default == 10**9 - 1
            elif isinstance(default, str):
                assert value == default
            else:
                assert float(value) == default


def test_the_default_hypotheses_are_those_of_the_record() -> None:
    model, elo = HYPOTHESES["nelo"]
    assert (SprtRule("a", "b").model, SprtRule("a", "b").elo) == (model, elo)
