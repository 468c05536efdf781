"""Functions of float32 in TVM 0.27's spelling of PTX: `T.ptx.ex2`, `T.ptx.max`, `T.ptx.min`; results are rounded once.

Source: PTX ISA, section "Floating Point Instructions".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from tvmscript.backends.interp.calls import SPECIAL, unavailable
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.interp.ptx_operands import Registers, guarded, parse_call
from tvmscript.ir.tir import Call

_MOST_EXPONENT: Final = 128


def _exp2(exponent: float) -> float:
    return math.inf if exponent >= _MOST_EXPONENT else math.pow(2.0, exponent)


def _numbers(function: Callable[[list[float]], float]) -> Callable[..., float]:
    """Return the function of the arguments that are numbers; NaN where none is."""

    def run(*values: float) -> float:
        numbers = [value for value in values if not math.isnan(value)]
        return function(numbers) if numbers else math.nan

    return run


#: family -> names of its operands, and what it computes of them
_FUNCTIONS: Final[dict[str, tuple[tuple[str, ...], Callable[..., float]]]] = {
    "ex2": (("value",), _exp2),
    "max": (("a", "b"), _numbers(max)),
    "min": (("a", "b"), _numbers(min)),
}
#: modifiers of what is computed here
_MODIFIERS: Final = {"approx", "ftz", "f32", ""}


def _function(compiler: Compiler, node: Call) -> Code:
    family = getattr(node.op, "name", "").rpartition(".")[2]
    instruction = parse_call(node, family)
    if instruction is None or not set(instruction.words) <= _MODIFIERS or "c" in instruction.operands:
        return unavailable(node)
    names, function = _FUNCTIONS[family]
    result = Registers(compiler, instruction.operands["d"])
    codes = [compiler.code(instruction.operands[name][0]) for name in names]

    def run(frame: Frame) -> int:
        result.write(frame, [function(*[float(code(frame)) for code in codes])])
        return 0

    return guarded(compiler, instruction, run)


SPECIAL.update({f"tir.ptx.{family}": _function for family in _FUNCTIONS})
