"""Every code block of the language reference is a program that is read, printed and read back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tvmscript
from tvmscript.ir.core.equal import assert_structural_equal

_PAGES = Path(__file__).parent.parent / "grammar_docs"
_BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
#: the code blocks of every page, as parameters of tests
BLOCKS = [
    pytest.param(match.group(1), id=f"{page.stem}-{number}")
    for page in sorted(_PAGES.glob("*.md"))
    for number, match in enumerate(_BLOCK.finditer(page.read_text()))
    if match.group(1).startswith("@")
]


@pytest.mark.parametrize("text", BLOCKS)
def test_block_reads_back(text: str) -> None:
    program = tvmscript.from_source(text)
    assert_structural_equal(program, tvmscript.from_source(program.script()))


def test_there_are_blocks() -> None:
    assert len(BLOCKS) >= 10
