"""Real TVM's opinion on the examples and the language reference: same text, same numbers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.test_docs import BLOCKS
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.tir.function import PrimFunc

pytestmark = pytest.mark.oracle

_EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


def program_text(path: Path) -> str:
    """The programs of an example, without the Python around them."""
    text = path.read_text()
    start = min(at for at in (text.find("@I."), text.find("@T.")) if at >= 0)
    return in_tvms_spelling(text[start:].split("\n\n\ndef reference")[0] + "\n")


def in_tvms_spelling(text: str) -> str:
    """Without what is there for type checkers."""
    return re.sub(r"Annotated\[(T\.\w+), (.*?)\](?=[,)]| ->|$)", r"\1(\2)", text, flags=re.MULTILINE).replace(
        "(I.Module)", ""
    )


#: Where TVM 0.17 differs, and we do not follow.
DIFFERENT = (
    "0 <= A[i] < B[i]",  # read as a comparison of `0 <= A[i]` with `B[i]`
    "data=C)",  # renames the variable C after the buffer that is declared over it
    "data=tile,",  # and the variable tile
    "data=data)",  # and the variable data
    "    def add(",  # functions in functions are macros of ours
    'T.target("llvm")',  # adds the machine's triple
    "for scale in [1.0, 2.0]",  # knows no loops over lists in graph functions
)
TEXTS = [pytest.param(program_text(path), id=path.stem) for path in _EXAMPLES] + [
    block for block in BLOCKS if not any(part in str(block.values[0]) for part in DIFFERENT)
]


@pytest.mark.parametrize("text", TEXTS)
def test_same_text(oracle: Any, text: str) -> None:
    ours = tvmscript.from_source(text).script()
    assert ours == oracle.print(text).rstrip("\n")
    assert oracle.print(ours).rstrip("\n") == ours


@pytest.mark.parametrize("path", _EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("target", ["llvm", "interp"])
def test_same_numbers(oracle: Any, tmp_path: Path, path: Path, target: str) -> None:
    program = tvmscript.from_source(program_text(path))
    module = program if isinstance(program, IRModule) else IRModule.from_expr(program)
    built = tvmscript.build(module, target=target)
    for var, func in module.functions_items():
        if target == "interp" and var.name_hint == "tiled":
            continue  # a hundred million steps
        assert isinstance(func, PrimFunc)
        inputs = [each.value for each in random_inputs(func, seed=3)]
        built[var.name_hint](*inputs)
        out = tmp_path / "r.npz"
        oracle.run(program_text(path), str(out), seed=3, func=var.name_hint)
        with np.load(out) as theirs:
            for index, mine in enumerate(inputs):
                np.testing.assert_allclose(mine, theirs[f"out_{index}"], rtol=2e-5, atol=1e-5)
