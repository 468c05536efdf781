"""Quantization."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("quantize", "dequantize")
def _quantize(name: str, r: Draws) -> OperatorCall:
    shape = r.shape(1)
    axis = r.axis(len(shape))
    parameter = (shape[axis],) if r.random() < 0.6 else ()
    narrow = r.choice(("int8", "uint8", "int16", "uint16"))
    wide = r.choice(("float32", "float16"))
    source, dtypes = (wide, narrow) if name == "quantize" else (narrow, wide)
    args = (Data(shape, source), Data(parameter, "float32"), Data(parameter, "int8"))
    return OperatorCall(name, args, {"axis": axis, "out_dtype": dtypes})
