"""The page about testing: its files are written, and its commands print what it says, `...` standing for anything."""

from __future__ import annotations

import doctest
import importlib
import inspect
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[3]
_PAGE = (_ROOT / "grammar_docs" / "testing.md").read_text("utf-8")
FILES = dict(re.findall(r"^```python (\S+\.py)\n(.*?)^```", _PAGE, re.DOTALL | re.MULTILINE))
#: sessions: whether they take long, what they say
SESSIONS = re.findall(r"^```console(| long)\n(.*?)^```", _PAGE, re.DOTALL | re.MULTILINE)
_NAMES = {
    "python": [sys.executable],
    "tvmscript": [sys.executable, "-c", "import sys; from tvmscript.cli import main; sys.exit(main())"],
}


def run(command: str, folder: Path, asked: list[str]) -> str:
    name, *words = shlex.split(command)
    ended = subprocess.run(
        [*_NAMES[name], *words],
        input="".join(f"{line}\n" for line in asked),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        env={
            **os.environ,
            "PYTHONPATH": str(_ROOT),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            # what Hypothesis finds out about the package, which takes it long
            "HYPOTHESIS_STORAGE_DIRECTORY": str(_ROOT / ".hypothesis"),
        },
    )
    return ended.stdout


def check(session: str, folder: Path) -> None:
    """Run the commands of a session one after the other."""
    commands = re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]
    assert commands
    for text in commands:
        command, _, said = text.partition("\n")
        asked = re.findall(r"^\(Pdb\) (.*)$", said, re.MULTILINE)
        # what a person types is not in the output
        said = re.sub(r"^\(Pdb\) .*\n", "(Pdb) ", said, flags=re.MULTILINE)
        found = run(command, folder, asked)
        options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        assert doctest.OutputChecker().check_output(said, found, options), f"$ {command}\n{found}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_files_and_sessions() -> None:
    assert len(FILES) >= 8
    assert len(SESSIONS) >= 6
    assert "breakpoint" in FILES["look.py"]


@pytest.mark.parametrize(
    "name",
    [
        "testing.strategies",
        "testing.scopes",
        "testing.kernels",
        "testing.lane_kernels",
        "testing.graph_strategies",
        "fuzz.schedule.transformations",
        "fuzz.parser",
    ],
)
def test_every_strategy_has_an_example(name: str) -> None:
    section = _PAGE.partition("\n## Strategies\n")[2].partition("\n## ")[0]
    module = importlib.import_module(f"tvmscript.{name}")
    assert f"| `{name.removeprefix('testing.')}` |" in section
    used: list[str] = []
    for public in module.__all__:
        assert re.search(rf"\b{public}\b", section) or not public.islower(), public
        value = getattr(module, public)
        if callable(value) and "SearchStrategy" in str(inspect.signature(value).return_annotation):
            used.append(public)
            assert re.search(rf"\b{public}\b", FILES["test_strategies.py"]), public
    assert len(used) >= 2


@pytest.mark.long
@pytest.mark.parametrize("session", [session for long, session in SESSIONS if not long])
def test_session(session: str, folder: Path) -> None:
    check(session, folder)


@pytest.mark.fuzz
@pytest.mark.parametrize("session", [session for long, session in SESSIONS if long])
def test_long_session(session: str, folder: Path) -> None:
    check(session, folder)
    assert len((folder / "small.py").read_text().splitlines()) < 20
