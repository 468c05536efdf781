"""The table of converters: `@operator("ADD")` registers one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tvmscript.frontend.tflite.values import Node, Value
from tvmscript.ir.relax.base import RelaxExpr

#: the result, or several
Converter = Callable[[Node], Value | list[Value] | list[RelaxExpr]]
OPERATORS: Final[dict[str, Converter]] = {}
#: operators that take quantized tensors as integers
AS_IS: Final = {
    "QUANTIZE", "DEQUANTIZE", "RESHAPE", "SQUEEZE", "EXPAND_DIMS", "TRANSPOSE", "STRIDED_SLICE", "SLICE", "SHAPE",
    "GATHER", "GATHER_ND", "REVERSE_V2", "TILE", "SPLIT", "SPLIT_V", "UNPACK", "PACK", "SPACE_TO_DEPTH",
    "DEPTH_TO_SPACE", "BROADCAST_TO", "RANK", "FAKE_QUANT",
    "IF", "WHILE", "CALL_ONCE", "VAR_HANDLE", "READ_VARIABLE", "ASSIGN_VARIABLE",
}  # fmt: skip


def operator(*names: str) -> Callable[[Converter], Converter]:
    """Register a converter."""

    def register(converter: Converter) -> Converter:
        OPERATORS.update(dict.fromkeys(names, converter))
        return converter

    return register
