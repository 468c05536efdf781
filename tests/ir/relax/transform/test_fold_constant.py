"""FoldConstant: operators that NumPy computes, against their kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tvmscript import relax
from tvmscript.ir.relax.expr import Constant
from tvmscript.ir.relax.transform.operators import fold_constant, legalize_ops
from tvmscript.ir.relax.transform.operators.fold_constant import FoldConstant

#: operators of one operand, and of two
_UNARY = {
    "sqrt": lambda x: relax.op.sqrt(x),
    "negative": lambda x: relax.op.negative(x),
    "abs": lambda x: relax.op.abs(x),
    "expand_dims": lambda x: relax.op.expand_dims(x, axis=[0, 2]),
    "permute_dims": lambda x: relax.op.permute_dims(x, axes=[1, 0]),
    "squeeze": lambda x: relax.op.squeeze(x),
    "strided_slice": lambda x: relax.op.strided_slice(x, [0], [0], [1]),  # its elements keep their places
}
_BINARY = ("add", "subtract", "multiply", "divide")


def _folded(values: list[np.ndarray], name: str) -> Constant | None:
    """Return the constant that a call of an operator on arrays becomes, None where it stays."""
    builder = relax.BlockBuilder()
    with builder.function("main", []):
        with builder.dataflow():
            args = [relax.const(value) for value in values]
            call = _UNARY[name](*args) if name in _UNARY else getattr(relax.op, name)(*args)
            output = builder.emit_output(call)
        builder.emit_func_output(output)
    main = FoldConstant()(builder.get())["main"]
    (value,) = [binding.value for block in main.body.blocks for binding in block.bindings] or [main.body.body]
    return value if isinstance(value, Constant) else None


@pytest.mark.parametrize("name", [*_UNARY, *_BINARY])
def test_as_the_kernel_to_the_last_bit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bits as the kernel has, infinities, zeros of both signs and subnormal numbers included."""
    values = np.array([[1 / 3, -0.0, np.inf], [1e-42, 3e38, -7.5]], "float32")
    values = np.abs(values) if name == "sqrt" else values
    operands = [values] if name in _UNARY else [values, np.array([[0.1], [np.float32(1e-3)]], "float32")]
    by_numpy = _folded(operands, name)
    monkeypatch.setattr(fold_constant, "_EXACT", frozenset())
    by_kernel = _folded(operands, name)
    assert by_numpy is not None
    assert by_kernel is not None
    assert by_numpy.data.tobytes() == by_kernel.data.tobytes()
    assert (by_numpy.data.shape, by_numpy.dtype) == (by_kernel.data.shape, by_kernel.dtype)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (np.array([-1.0], "float32"), "sqrt"),
        (np.array([1, 2], "int32"), "negative"),
        (np.array([2.0], "float16"), "abs"),
    ],
)
def test_kernels_compute_the_others(value: np.ndarray, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """NaNs, integers and short floats: their kernels say what they are."""
    asked: list[object] = []

    def call_kernel(*args: Any) -> object:
        asked.append(args)
        return legalize_ops.call_kernel(*args)

    monkeypatch.setattr(fold_constant, "call_kernel", call_kernel)
    folded = _folded([value], name)
    assert folded is not None
    assert len(asked) == 1
