"""Every code block of the language reference is a program that is read, printed and read back."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import tvmscript
from tvmscript.ir.core.equal import assert_structural_equal

_PAGES = Path(__file__).parent.parent / "grammar_docs"
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
#: the code blocks of every page, as parameters of tests
BLOCKS = [
    pytest.param(match.group(1), id=f"{page.stem}-{number}")
    for page in sorted(_PAGES.glob("*.md"))
    for number, match in enumerate(BLOCK.finditer(page.read_text()))
    if match.group(1).startswith("@")
]


@pytest.mark.parametrize("text", BLOCKS)
def test_block_reads_back(text: str) -> None:
    program = tvmscript.from_source(text)
    assert_structural_equal(program, tvmscript.from_source(program.script()))


def test_there_are_blocks() -> None:
    assert len(BLOCKS) >= 10


def test_readme_example_prints_what_it_says(tmp_path: Path) -> None:
    """The kernel of the README, run as a new user would."""
    readme = (_PAGES.parent / "README.md").read_text()
    code = next(match.group(1) for match in BLOCK.finditer(readme) if "import tvmscript" in match.group(1))
    script = tmp_path / "kernel.py"
    script.write_text(code)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, cwd=_PAGES.parent, check=False)
    assert done.returncode == 0, done.stderr
    said = next(line.split("# ")[1] for line in code.splitlines() if line.startswith("print(z)"))
    assert done.stdout.splitlines()[0] == said
    assert "def add(a: T.handle" in done.stdout
    assert ".text" in done.stdout
