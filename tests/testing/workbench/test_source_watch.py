"""Changes of the files of a game are noticed: of its package, or of its only module."""

from pathlib import Path

from cardhub.testing.workbench.workbench import SourceWatch


def package(folder: Path) -> Path:
    root = folder / "poker"
    (root / "cards").mkdir(parents=True)
    (root / "cards" / "cards.yaml").write_text("cards: []\n")
    (root / "__init__.py").write_text("")
    return root


def test_a_changed_a_new_and_a_lost_file_of_the_package_are_noticed_once(tmp_path: Path) -> None:
    root = package(tmp_path)
    watch = SourceWatch(root / "__init__.py")
    assert not watch.has_changed()
    for change in (
        lambda: (root / "cards" / "cards.yaml").write_text("cards: [more]\n"),
        lambda: (root / "table.py").write_text(""),
        (root / "table.py").unlink,
    ):
        change()
        assert watch.has_changed()
        assert not watch.has_changed()


def test_what_tools_write_is_no_change(tmp_path: Path) -> None:
    root = package(tmp_path)
    watch = SourceWatch(root / "__init__.py")
    (root / "__pycache__").mkdir()
    (root / "__pycache__" / "table.py").write_text("")
    (root / "table.py.swp").write_text("")
    assert not watch.has_changed()


def test_of_a_game_in_one_file_only_this_file_is_watched(tmp_path: Path) -> None:
    game = tmp_path / "poker.py"
    game.write_text("")
    watch = SourceWatch(game)
    (tmp_path / "notes.py").write_text("")
    assert not watch.has_changed()
    game.write_text("BETS = 2\n")
    assert watch.has_changed()
