"""Arguments that are attributes in 0.27: scalars are written as numbers, others have no text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.relax.expr import Constant
from tvmscript.ir.relax.function import Function
from tvmscript.printer.errors import NoText

PAD = """
@R.function
def main(x: R.Tensor((2, 3), "float32"), v: R.Tensor((), "float32")):
    y = R.nn.pad(x, {}, pad_width=[1, 1, 1, 1])
    return y
"""


@pytest.mark.parametrize(
    ("value", "number"),
    [("R.const(2.5, 'float32')", "2.5"), ("R.const(-3, 'int32')", "-3"), ("R.prim_value(2)", "2")],
)
def test_numbers(value: str, number: str) -> None:
    func = tvmscript.from_source(PAD.format(value), check_well_formed=False)
    text = func.script(dialect="0.27")
    assert f'R.nn.pad(x, pad_width=[1, 1, 1, 1], pad_value={number}, pad_mode="constant")' in text
    assert tvmscript.from_source(text, check_well_formed=False).script(dialect="0.27") == text


@pytest.mark.parametrize("value", ["v", "R.const(2.5, 'bfloat16')"])
def test_values_without_a_text(value: str) -> None:
    func = tvmscript.from_source(PAD.format(value), check_well_formed=False)
    with pytest.raises(NoText, match=r"R\.nn\.pad with"):
        func.script(dialect="0.27")


def test_numpy_arrays() -> None:
    """Programs that are made in Python have arrays of NumPy."""
    func = tvmscript.from_source(PAD.format("R.const(2.5, 'float32')"), check_well_formed=False)
    assert isinstance(func, Function)
    text = func.script(dialect="0.27")
    binding: Any = func.body.blocks[0].bindings[0]
    constant = Constant(np.array(2.5, "float32"), DType("float32"))
    call = binding.value.replace(args=(binding.value.args[0], constant))
    block = func.body.blocks[0].replace(bindings=(binding.replace(value=call),))
    assert func.replace(body=func.body.replace(blocks=(block,))).script(dialect="0.27") == text
