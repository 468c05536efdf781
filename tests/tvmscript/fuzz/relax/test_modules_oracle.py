"""Random graph modules without annotations: TVM reads them, infers what we inferred, and prints the same text."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import Phase, given, settings

from tvmscript.ir.core.module import IRModule
from tvmscript.testing.graph_strategies import graph_modules

#: what TVM 0.17 loses or says otherwise, and why
OTHERWISE = {
    "R.Shape([])": "TVM reads a shape without extents as one of which nothing is known",
    "R.tuple()": "TVM forgets the name of an empty tuple where it is used",
    "if R.const": "TVM forgets sizes of variables that branches make, unless they are annotated",
    "T.Add(": "TVM does not read what it prints: the constant inside is int32",
    "T.Div(": "as above",
    "T.min(": "T.max(T.min(1, n) - T.min(0, n), 0) is simpler here",
    "metadata[": "constants are omitted",
    '"relax.force_pure": T.bool(': "TVM makes an integer of a bool attribute where it reads it",
    "call_tir_with_grad(": "TVM leaves the values of sizes out",
    "I.vdevice({": "TVM adds the machine to a target",
    "R.ExternFunc(": "TVM writes the name alone, which reads back as a string",
    "@R.function\n        def": "TVM wants sizes that are used in functions inside to be defined by their parameters",
}

#: how TVM 0.17 refuses operators and arguments of TVM 0.27, and one-dimensional pools with `ceil_mode` (a fault of its)
REFUSALS = (
    "has no attribute",
    "too many positional arguments",
    "positional arguments but",
    "unexpected keyword argument",
    "indexing 1 on an array of size 1",
)


def compared(tvm: Any, module: IRModule) -> bool:
    """Whether TVM could be asked; then it agrees."""
    text = module.script()
    if any(words in text for words in OTHERWISE):
        return False
    try:
        theirs = tvm.print(module.script(show_all_struct_info=False))
    except sys.modules["tvmscript_oracle"].OracleError as error:
        if not any(words in str(error) for words in REFUSALS):
            raise
        return False
    assert theirs.strip() == text.strip()
    return True


def ask(tvm: Any, count: int) -> list[bool]:
    asked: list[bool] = []

    @settings(max_examples=count, phases=[Phase.generate])
    @given(graph_modules())
    def agrees(module: IRModule) -> None:
        asked.append(compared(tvm, module))

    agrees()
    return asked


@pytest.mark.fuzz
# what is drawn differs from process to process, and TVM 0.17 has faults of its own in what is rare
def test_tvm_infers_the_same(oracle: Any) -> None:
    assert sum(ask(oracle, 3000)) >= 500
