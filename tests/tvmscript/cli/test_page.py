"""The page of the command line: what it shows is what happens."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tvmscript.cli import COMMANDS, main

PAGE = (Path(__file__).parents[3] / "grammar_docs" / "cli.md").read_text()
FILE = re.compile(r"```python\n(# (\S+)\n.*?)```", re.DOTALL)
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)


def test_the_page_shows_what_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Every command of the page, in its order; standard error comes first where both streams have something."""
    monkeypatch.chdir(tmp_path)
    for match in FILE.finditer(PAGE):
        Path(match.group(2)).write_text(match.group(1))
    code = 0
    commands = 0
    for block in CONSOLE.finditer(PAGE):
        for step in re.split(r"^\$ ", block.group(1), flags=re.MULTILINE)[1:]:
            command, _, expected = step.partition("\n")
            if command == "echo $?":
                assert expected == f"{code}\n"
                continue
            code = main(shlex.split(command)[1:])
            out, err = capfd.readouterr()
            assert err + out == expected, command
            commands += 1
    assert commands >= 10


def test_every_command_has_its_place() -> None:
    for name in COMMANDS:
        assert f"| `{name} " in PAGE
        assert f"\n## {name}\n" in PAGE
