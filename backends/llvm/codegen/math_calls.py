"""Which function computes which operator, and in which precision."""

from __future__ import annotations

from tvmscript.backends.llvm.codegen.codegen import operators
from tvmscript.backends.llvm.codegen.intrinsics import Intrinsics
from tvmscript.backends.llvm.context import Body
from tvmscript.backends.llvm.math import error_function, exponential, inverse, logarithm, power, trigonometric
from tvmscript.backends.llvm.types import value_type
from tvmscript.backends.llvm.vector_builder import Lanes, Value
from tvmscript.ir.core.dtype import FLOAT32, FLOAT64, INT64, DType
from tvmscript.ir.tir import expr as tir

#: Functions with a float32 form and a double form.
_OWN: dict[str, Body] = {
    "exp": exponential.exp,
    "exp2": exponential.exp2,
    "exp10": exponential.exp10,
    "log": logarithm.log,
    "log2": logarithm.log2,
    "log10": logarithm.log10,
    "log1p": logarithm.log1p,
    "sin": trigonometric.sin,
    "cos": trigonometric.cos,
    "tan": trigonometric.tan,
    "tanh": exponential.tanh,
    "sigmoid": exponential.sigmoid,
    "erf": error_function.erf,
    "pow": power.pow,
    "rsqrt": power.rsqrt,
}
#: Functions that are computed in double for float32, too.
_DOUBLE: dict[str, Body] = {
    "asin": inverse.asin,
    "acos": inverse.acos,
    "atan": inverse.atan,
    "atan2": inverse.atan2,
    "sinh": exponential.sinh,
    "cosh": exponential.cosh,
    "asinh": logarithm.asinh,
    "acosh": logarithm.acosh,
    "atanh": logarithm.atanh,
    "hypot": power.hypot,
}


class MathCalls(Intrinsics):
    """Expressions with calls of mathematical functions."""

    @operators(**_OWN)
    def _own_precision(self, node: tir.Call, body: Body) -> str:
        dtype = node.args[0].dtype
        return self._apply(node, body, FLOAT64 if dtype.bits == 64 or dtype.is_integer else FLOAT32)

    @operators(**_DOUBLE)
    def _in_double(self, node: tir.Call, body: Body) -> str:
        return self._apply(node, body, FLOAT64)

    def _apply(self, node: tir.Call, body: Body, wide: DType) -> str:
        """The function in the precision of `wide`, its result rounded to the dtype."""
        lanes = node.args[0].dtype.lanes
        kind = value_type(wide)
        operands = [(kind, self.convert.cast(self.expr(arg), arg.dtype, wide.with_lanes(lanes))) for arg in node.args]
        value = self.program.call(self.text, f"{body.__name__}.{kind}", body, lanes, operands)
        return self.convert.cast(value.operand, wide.with_lanes(lanes), node.dtype)

    @operators("ldexp")
    def _ldexp(self, node: tir.Call) -> str:
        x, exponent = node.args
        wide, long = FLOAT64.with_lanes(x.dtype.lanes), INT64.with_lanes(x.dtype.lanes)
        operands = [
            ("double", self.convert.cast(self.expr(x), x.dtype, wide)),
            ("i64", self.convert.cast(self.expr(exponent), exponent.dtype, long)),
        ]
        value = self.program.call(self.text, "ldexp", power.ldexp, x.dtype.lanes, operands)
        return self.convert.cast(value.operand, wide, node.dtype)

    @operators("fmod")
    def _fmod(self, node: tir.Call) -> str:
        """The C library's fmod, lane by lane: LLVM has no vector form of the remainder."""
        x, y = node.args
        if node.dtype.is_integer:
            return self.expr(tir.Mod(x, y))
        return self.float_op("frem", self.expr(x), self.expr(y), node.dtype)

    @operators("nextafter")
    def _nextafter(self, node: tir.Call) -> str:
        """One step in the bit pattern, in the dtype's own width."""
        dtype = node.dtype
        if dtype.code not in ("float", "bfloat"):
            self.refuse(f"nextafter of {dtype}", node)
        wide = FLOAT64 if dtype.bits == 64 else FLOAT32
        integer = DType(f"int{dtype.bits}")
        operands: list[tuple[str, str]] = []
        for arg in node.args:
            operand = self.expr(arg)
            pattern = self.reinterpreted(operand, dtype, integer.with_lanes(dtype.lanes))
            operands.append((value_type(integer), pattern))
            operands.append((value_type(wide), self.convert.cast(operand, dtype, wide.with_lanes(dtype.lanes))))
        value = self.program.call(self.text, f"nextafter.{dtype.element}", _following, dtype.lanes, operands)
        return self.reinterpreted(value.operand, integer.with_lanes(dtype.lanes), dtype)


def _following(lanes: Lanes, x_bits: Value, x: Value, y_bits: Value, y: Value) -> Value:
    """The pattern after x towards y."""
    width = int(x_bits.type[1:])
    sign = -(1 << (width - 1))
    away = x_bits + ((x < y) ^ (x > 0.0)).choose(x_bits.of(-1), 1)
    smallest = (y_bits & sign) | 1
    moved = x.eq(0.0).choose(smallest, away)
    moved = x.eq(y).choose(y_bits, moved)
    nan = x.is_nan().choose(x_bits, y_bits)
    return (x.is_nan() | y.is_nan()).choose(nan, moved)
