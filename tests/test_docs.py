"""Every code block of the language reference is what it says it is.

A block that begins with `@` or with an import of TVM or of `typing`, as a comment too, is a program: it is read,
printed, read back and, unless its fence says `no-run`, run by the interpreter and by LLVM. Lines with `# error: CODE`
are refused with that code, and no others are. A block whose fence says `run` is Python; `print(x)  # y` prints y.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript
from tools.reference.forms import EXPRESSIONS, OUTSIDE, STATEMENTS
from tvmscript import I, T
from tvmscript.backends.llvm.target import EXACT
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.parser.names.namespace import Builtin
from tvmscript.printer.options import Options

_PAGES = Path(__file__).parent.parent / "grammar_docs"
BLOCK = re.compile(r"^```python *([^\n]*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_ERROR = re.compile(r"# error: (TS\d{4})")
_SAID = re.compile(r"^ *print\(.*\)  # (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A code block: the words behind `python` in its fence, and its text."""

    name: str
    words: tuple[str, ...]
    text: str

    @property
    def is_program(self) -> bool:
        return self.text.startswith(("@", "from tvm", "from typing", "# from ")) and "run" not in self.words


def blocks_of(page: Path) -> list[Block]:
    found = enumerate(BLOCK.finditer(page.read_text(encoding="utf-8")))
    return [Block(f"{page.stem}-{number}", tuple(match[1].split()), match[2]) for number, match in found]


#: pages whose examples have tests of their own
_ELSEWHERE = ("cli", "diff", "testing")
ALL = [block for page in sorted(_PAGES.glob("*.md")) if page.stem not in _ELSEWHERE for block in blocks_of(page)]
REFUSED = [block for block in ALL if block.is_program and _ERROR.search(block.text)]
PROGRAMS = [block for block in ALL if block.is_program and block not in REFUSED]
PYTHON = [block for block in ALL if "run" in block.words]
#: programs as TVM 0.17 prints them, for tests that want some; those that it prints otherwise begin with an import
NOT_RUN = frozenset(block.text for block in PROGRAMS if "no-run" in block.words)
BLOCKS = [pytest.param(block.text, id=block.name) for block in PROGRAMS if block.text.startswith("@")]


def params(blocks: list[Block]) -> list[Any]:
    return [pytest.param(block, id=block.name) for block in blocks]


def test_every_block_is_of_some_kind() -> None:
    assert {block.name for block in ALL} == {block.name for block in (*REFUSED, *PROGRAMS, *PYTHON)}
    assert len(PROGRAMS) >= 30
    assert len(REFUSED) >= 10


@pytest.mark.parametrize("block", params(PROGRAMS))
def test_block_reads_back(block: Block) -> None:
    program = tvmscript.from_source(block.text)
    printed = program.script()
    assert_structural_equal(program, tvmscript.from_source(printed))
    assert tvmscript.from_source(printed).script() == printed


@pytest.mark.parametrize("block", params([block for block in PROGRAMS if "no-run" not in block.words]))
def test_block_runs(block: Block) -> None:
    """The interpreter and LLVM compute the same."""
    program = tvmscript.from_source(block.text)
    module = program if isinstance(program, IRModule) else IRModule.from_expr(program)
    built = {target: tvmscript.build(module, target=target) for target in ("interp", EXACT)}
    for var, func in module.functions_items():
        assert isinstance(func, PrimFunc)
        if "global_symbol" not in func.attrs:
            continue
        results: list[Any] = []
        for made in built.values():
            inputs = [each.value for each in random_inputs(func, seed=5)]
            results.append([made[var.name_hint](*inputs), *inputs])
        for ours, theirs in zip(*results, strict=True):
            if ours is not None:
                np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6, err_msg=var.name_hint)


@pytest.mark.parametrize("block", params(REFUSED))
def test_block_is_refused(block: Block) -> None:
    with pytest.raises(tvmscript.DiagnosticError) as caught:
        tvmscript.from_source(block.text)
    expected = {
        (number, code) for number, line in enumerate(block.text.splitlines(), 1) for code in _ERROR.findall(line)
    }
    assert {(error.line, error.code) for error in caught.value.errors} == expected


def test_every_construct_has_an_example() -> None:
    """What changes the program that is being read; values and intrinsics are in names.md, tested by their tables."""
    examples = [example for form in (*OUTSIDE, *STATEMENTS, *EXPRESSIONS) for example in form.examples]
    text = "\n".join([*(block.text for block in PROGRAMS), *examples])
    constructs = [
        value.name
        for space in (T, T.axis, I)
        for value in (getattr(space, name) for name in dir(space))
        if isinstance(value, Builtin) and value.needs_kernel
    ]
    missing = {name for name in constructs if not re.search(rf"\b{re.escape(name)}\(", text)}
    # the section with large constants has tests of its own: tests/tvmscript/printer
    assert missing <= {"T.metadata", "T.data"}


def test_links_lead_somewhere() -> None:
    for page in _PAGES.glob("*.md"):
        prose = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#:]+)\)", prose):
            assert (_PAGES / target).exists(), f"{page.name}: {target}"
    index = (_PAGES / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in _PAGES.glob("*.md") if f"({page.name})" not in index] == ["README.md"]


def test_every_printer_option_is_described() -> None:
    text = (_PAGES / "printing.md").read_text(encoding="utf-8")
    table = "\n".join(line for line in text.splitlines() if line.startswith("| `"))
    assert set(re.findall(r"`(\w+)`", "\n".join(row.split("|")[1] for row in table.splitlines()))) == {
        entry.name for entry in fields(Options)
    }


def run(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    script = folder / "example.py"
    script.write_text(text, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(_PAGES.parent)}
    command = [sys.executable, str(script)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, check=False)


def test_python_prints_what_it_says(tmp_path: Path) -> None:
    """All Python blocks, one after the other as one file, since starting Python takes longer than they do."""
    text = "\n".join(block.text for block in PYTHON)
    done = run(text, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == _SAID.findall(text)


def test_readme_is_one_program(tmp_path: Path) -> None:
    """The Python blocks of the README, pasted in order into one file."""
    readme = (_PAGES.parent / "README.md").read_text(encoding="utf-8")
    code = "\n".join(match[2] for match in BLOCK.finditer(readme))
    finished = run(code, tmp_path)
    assert finished.returncode == 0, finished.stderr
    lines = finished.stdout.splitlines()
    assert lines[0] == code.split("print(z)  # ")[1].splitlines()[0]
    assert code.split("print(mlp.ret_struct_info)  # ")[1].splitlines()[0] in lines
    for text in ("def add(a: T.handle", ".text", "T.vectorized(16)", "n = T.int64()", 'n = TypeVar("n")'):
        assert text in finished.stdout
    assert (tmp_path / "passes" / "index.html").exists()
