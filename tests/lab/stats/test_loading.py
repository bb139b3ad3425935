"""Import time: numpy and scipy are loaded on demand."""

import subprocess
import sys


def test_the_command_line_starts_without_the_statistics() -> None:
    """Playing a game loads neither numpy nor scipy, nor does a match before its end."""
    asked = "import sys, cardhub, cardhub.cli.main, cardhub.play, cardhub.lab.analysis"
    asked += "; print(*sys.modules)"
    process = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, check=True, text=True
    )
    names = {name.split(".")[0] for name in process.stdout.split()}
    assert "cardhub" in names
    assert names & {"numpy", "scipy"} == set()
    assert "cardhub.lab.stats" not in process.stdout.split()
