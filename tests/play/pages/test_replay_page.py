"""The text of a replay page: its size, its policy, and the facts that it must not contain."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from tests.kit.replay_texts import decompressed
from tests.play.pages.replay_pages import ReplayPage, write_page

from cardhub.play.pages.replay_page import compressed, replay_html


@pytest.fixture(scope="module")
def gamon(tmp_path_factory: pytest.TempPathFactory) -> ReplayPage:
    """Return the page of a game of Gamon."""
    return write_page(tmp_path_factory.mktemp("hidden-folder"), "gamon")


def test_the_same_game_has_the_same_bytes(gamon: ReplayPage, tmp_path: Path) -> None:
    again = write_page(tmp_path, "gamon")
    assert again.path.read_bytes() == gamon.path.read_bytes()


def test_compression_loses_no_data(gamon: ReplayPage) -> None:
    """Equal parts are stored once: a game of a hundred stops takes about 50 kB."""
    text = compressed(gamon.data)
    assert decompressed(text) == gamon.data
    whole = len(msgspec.json.encode(gamon.data))
    assert len(text) < whole / 15
    with pytest.raises(ValueError, match=r"(?i)base64|padding"):
        decompressed("no text")


def test_scripts_and_styles_run_by_their_hash_alone(gamon: ReplayPage) -> None:
    text = gamon.path.read_text("utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert "default-src 'none'" in policy[1]
    assert "unsafe" not in policy[1]
    parts = [*re.findall(r"<script>(.*?)</script>", text, re.S)]
    parts += re.findall(r"<style>(.*?)</style>", text, re.S)
    assert len(parts) == 2
    for part in parts:
        digest = b64encode(sha256(part.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy[1]
    assert not re.search(r"""(src|href)=["'](?!data:,)""", text)


def test_no_path_and_no_clock_is_in_the_page(gamon: ReplayPage) -> None:
    """The data contain neither the record's folder nor the duration of the game."""
    text = gamon.path.read_text("utf-8")
    assert "hidden-folder" not in text
    for viewer in gamon.data.viewers:
        assert viewer.result is not None
        assert (viewer.result.path, viewer.result.seconds) == ("", None)


def test_texts_are_escaped(gamon: ReplayPage) -> None:
    """Names in a match file come from third parties."""
    evil = "</script><script>alert(1)</script>"
    viewer = gamon.data.viewers[0]
    line = msgspec.structs.replace(viewer.log[0], text=evil)
    viewer = msgspec.structs.replace(viewer, log=(line,), name=evil)
    data = msgspec.structs.replace(
        gamon.data, title=evil, facts=((evil, evil),), viewers=(viewer,), first=0, back=f'"{evil}'
    )
    assert "alert(1)</script>" not in replay_html(data)
