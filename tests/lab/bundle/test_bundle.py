"""A bundle of a match: one file with which others verify and repeat it, and who may get it."""

import csv
import json
import shutil
import tomllib
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from importlib import metadata
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cardhub.base.errors import MatchError
from cardhub.cli.main import cli
from cardhub.lab.bundle.lock import build_lock, installed_versions
from cardhub.lab.bundle.wheels import build_wheel

pytest.importorskip("rocrate", reason="rocrate is not installed: python -m pip install -e '.[dev]'")
pytest.importorskip("tomli_w", reason="tomli-w is not installed: python -m pip install -e '.[dev]'")

CALM = """
class Calm:
    def choose(self, observation):
        return observation.legal()[0]
"""
MATCH = """
# Two bots, one of them in a file.
bots:
  - {id: ann, use: "file:calm.py"}
  - random
games: [leduc]
salt: drawn
blocks: 1
rating: {bootstrap: 100}
"""
PACKAGE = "cardhub-leduc"
LOCKED = """
[[packages]]
name = "{name}"
version = "{version}"
[packages.archive]
url = "https://example.org/{name}-{version}.zip"
hashes = {{sha256 = "00"}}
"""


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["match", *words])


def fine(*words: str) -> str:
    result = run(*words)
    assert result.exit_code == 0, result.output
    return result.output


def refusal(*words: str) -> str:
    result = run("bundle", "out", "--lock", "lock.toml", *words)
    assert result.exit_code != 0
    return result.output


def lock_text(versions: dict[str, str]) -> str:
    rows = (LOCKED.format(name=name, version=version) for name, version in versions.items())
    return 'lock-version = "1.0"\ncreated-by = "a test"\n' + "".join(rows)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a finished match, its file and a lock file."""
    folder = tmp_path_factory.mktemp("played")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        Path("calm.py").write_text(CALM)
        Path("match.yaml").write_text(MATCH)
        versions = installed_versions(["cardhub", PACKAGE])
        del versions[PACKAGE]
        Path("lock.toml").write_text(lock_text(versions))
        fine("match.yaml", "--out", "out", "--pages", "none", "--workers", "1", "--quiet")
    return folder


@pytest.fixture
def match(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the match, from where the commands are run."""
    folder = tmp_path / "copy"
    shutil.copytree(played, folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def bundle(match: Path) -> Callable[..., zipfile.ZipFile]:
    """Return a function that writes a bundle and opens it."""

    def write(*words: str) -> zipfile.ZipFile:
        fine("bundle", "out", "--file", "match.yaml", "--lock", "lock.toml", *words)
        return zipfile.ZipFile(match / "out.zip")

    return write


def test_others_verify_and_repeat_a_match_from_its_bundle_alone(
    bundle: Callable[..., zipfile.ZipFile], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = bundle("--sources", "ann")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    verified = fine("verify", str(files.filename), "--rerun", "100%")
    assert "Nothing wrong was found in 2 games, 2 played again." in verified
    files.extractall("again")
    monkeypatch.chdir("again")
    fine("match.yaml", "--out", "again", "--pages", "none", "--workers", "1", "--quiet")
    assert Path("again/games.jsonl").read_bytes() == Path("games.jsonl").read_bytes()


def test_a_bundle_describes_all_files_and_is_the_same_again(
    bundle: Callable[..., zipfile.ZipFile], match: Path
) -> None:
    files = bundle()
    data = (match / "out.zip").read_bytes()
    crate = json.loads(files.read("ro-crate-metadata.json"))["@graph"]
    described = {entity["@id"]: entity for entity in crate}
    names = {*files.namelist()} - {"ro-crate-metadata.json"}
    assert {entity["@id"] for entity in described["./"]["hasPart"]} == names
    assert all(described[name]["sha256"] == sha256(files.read(name)).hexdigest() for name in names)
    assert "calm.py" not in names
    assert b"# Two bots" in files.read("match.yaml")
    lock = tomllib.loads(files.read("pylock.toml").decode())
    (leduc,) = [package for package in lock["packages"] if package["name"] == PACKAGE]
    (wheel,) = leduc["wheels"]
    assert wheel["hashes"]["sha256"] == sha256(files.read(wheel["path"])).hexdigest()
    assert "numpy" in {package["name"] for package in lock["packages"]}
    assert lock["tool"]["cardhub"]["version"].startswith("cardhub ")
    bundle()
    assert (match / "out.zip").read_bytes() == data


def test_without_the_sources_of_a_bot_the_log_is_verified_all_the_same(
    bundle: Callable[..., zipfile.ZipFile], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = bundle()
    monkeypatch.chdir(tmp_path)
    verified = fine("verify", str(files.filename), "--rerun", "100%")
    assert "ann is not here, so its games cannot be played again" in verified
    assert "Nothing wrong was found in 2 games, 2 not played again" in verified


def test_the_files_of_a_team_are_where_the_match_file_expects_them(
    match: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDHUB_HOME", str(match / "home"))
    for name in ("bot.py", "lib/bot.py"):
        path = match / "teams/bob" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CALM)
    (match / "contest.yaml").write_text(
        MATCH.replace('{id: ann, use: "file:calm.py"}', "{folder: teams}")
    )
    fine("contest.yaml", "--out", "contest", "--pages", "none", "--workers", "1", "--quiet")
    fine("bundle", "contest", "--file", "contest.yaml", "--lock", "lock.toml", "--sources", "bob")
    with zipfile.ZipFile(match / "contest.zip") as files:
        assert {"teams/bob/bot.py", "teams/bob/lib/bot.py"} <= {*files.namelist()}


def test_a_changed_file_in_a_bundle_is_refused(
    bundle: Callable[..., zipfile.ZipFile], tmp_path: Path
) -> None:
    files = bundle()
    with zipfile.ZipFile(tmp_path / "changed.zip", "w") as changed:
        for name in files.namelist():
            changed.writestr(name, files.read(name).replace(b"seed", b"weed"))
    result = run("verify", str(tmp_path / "changed.zip"))
    assert result.exit_code != 0
    assert "differs from its digest in ro-crate-metadata.json" in result.output
    (tmp_path / "notes.zip").write_text("not a zip")
    assert "is not a bundle of a match" in run("verify", str(tmp_path / "notes.zip")).output


def test_a_bundle_is_refused_if_something_is_missing_or_may_not_leave(match: Path) -> None:
    file = ("--file", "match.yaml")
    other = match / "other.yaml"
    other.write_text(MATCH.replace("leduc", "kuhn"))
    assert "describes another match" in refusal("--file", str(other))
    assert "has no bot 'anne'. Did you mean 'ann'?" in refusal(*file, "--sources", "anne")
    assert "random has no sources of its own" in refusal(*file, "--sources", "random")
    assert "needs no package leduc" in refusal(*file, "--without", "leduc")
    (match / "calm.py").write_text(CALM + "# better\n")
    assert "the sources of ann have changed" in refusal(*file, "--sources", "ann")
    result = json.loads((match / "out/result.json").read_bytes())
    (match / "out/runs.json").unlink()
    (match / "out/result.json").write_text(json.dumps(result | {"salt": None}))
    assert "the secret of the match in out is not revealed" in refusal(*file)
    (match / "out/result.json").unlink()
    assert "the match in out is not over" in refusal(*file)


@pytest.mark.parametrize("name", [PACKAGE, "pluggy"])
def test_a_wheel_of_an_installed_package_has_its_files_and_their_record(
    name: str, tmp_path: Path
) -> None:
    wheel, data = build_wheel(name)
    (tmp_path / wheel).write_bytes(data)
    with zipfile.ZipFile(tmp_path / wheel) as files:
        names = files.namelist()
        (record,) = [name for name in names if name.endswith(".dist-info/RECORD")]
        rows = {row[0]: row[1:] for row in csv.reader(files.read(record).decode().splitlines())}
        for name in {*names} - {record}:
            digest = sha256(files.read(name)).digest()
            expected = urlsafe_b64encode(digest).decode().rstrip("=")
            assert rows[name] == [f"sha256={expected}", str(files.getinfo(name).file_size)]
    assert rows[record] == ["", ""]
    assert not [name for name in names if "__pycache__" in name or "direct_url" in name]
    assert any(name.endswith(".py") for name in names)


def test_a_private_package_is_not_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "secret-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: secret\nVersion: 1.0\nClassifier: Private :: Do Not Upload\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MatchError, match="the package secret may not be passed on"):
        build_wheel("secret")


def test_a_lock_file_has_the_installed_versions() -> None:
    versions = installed_versions(["pluggy"])
    assert versions == {"pluggy": metadata.version("pluggy")}
    with pytest.raises(MatchError, match="has pluggy not at all, installed is"):
        build_lock(lock_text({"regex": "1"}), versions, {}, "cardhub 1")
    with pytest.raises(MatchError, match=r"has pluggy 0\.1, installed is"):
        build_lock(lock_text({"pluggy": "0.1"}), versions, {}, "cardhub 1")
    with pytest.raises(MatchError, match="the lock file cannot be read"):
        build_lock("lock-version = 1", versions, {}, "cardhub 1")
