"""Expressions of bfloat16 and float16 in float32: they are rounded where they are stored, cast or bound to a name.

As with contraction, results may be more precise than those of single operations, and the same options end it (C23,
5.3.5.3.3, FLT_EVAL_METHOD). TVM and kernels for GPUs compute bfloat16 in this way, too (`tir.BF16ComputeLegalize`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from tvmscript.backends.llvm.codegen.vectorizable_loops import HALVES, LIGHT_CALLS
from tvmscript.backends.llvm.target import Target
from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.fold import make
from tvmscript.ir.core import BFLOAT16, FLOAT32, Op, on
from tvmscript.ir.tir import Buffer, Call, Expr, PrimFunc, TirRewriter
from tvmscript.ir.tir.expr import Add, BinaryOp, Broadcast, Cast, CompareOp, Div, Max, Min, Mul, Select, Sub
from tvmscript.ir.tir.intrin.control import if_then_else_
from tvmscript.ir.tir.stmt import Allocate
from tvmscript.ir.transform.function_attributes import contracts

_ARITHMETIC: Final = (Add, Sub, Mul, Div, Min, Max)
#: features of processors with arithmetic of float16
_COMPUTES_HALVES: Final = ("avx512fp16", "fullfp16")


def keep_precision(func: PrimFunc, buffers: Iterable[Buffer], target: Target) -> PrimFunc:
    """Return a function whose expressions of 16-bit floats are rounded once, where products may be contracted.

    `buffers` are those of its arguments. float16 is left to instructions that compute it, but for expressions with
    mathematical functions.

    rewrite:
        C[i] = T.exp(A[i]) * B[i]     -->     C[i] = T.bfloat16(T.exp(T.float32(A[i])) * T.float32(B[i]))
    """
    is_allowed = target.contracts and contracts(func)
    dtypes = {buffer.dtype.element for buffer in buffers}
    if not is_allowed or not (HALVES & dtypes or any(part.dtype.element in HALVES for part in _allocations(func))):
        return func
    computes_halves = any(map(target.has_feature, _COMPUTES_HALVES))
    return func.with_body(_KeepPrecision(computes_halves=computes_halves).rewrite(func.body))


def _allocations(func: PrimFunc) -> Iterator[Allocate]:
    return (stmt for stmt in statements(func.body) if isinstance(stmt, Allocate))


def _operands(value: Expr) -> tuple[Expr, ...]:
    """Return the operands of an expression of 16-bit floats that is rounded, empty for others."""
    if value.dtype.element not in HALVES:
        return ()
    if isinstance(value, _ARITHMETIC):
        return value.a, value.b
    if isinstance(value, Select):
        return value.true_value, value.false_value
    if isinstance(value, Broadcast):
        return _operands(value.value) and (value.value,)
    if not isinstance(value, Call):
        return ()
    if value.op is if_then_else_:
        return value.args[1:]
    is_function = getattr(value.op, "llvm", None) is not None and all(arg.dtype is value.dtype for arg in value.args)
    return value.args if is_function else ()


class _KeepPrecision(TirRewriter):
    def __init__(self, *, computes_halves: bool) -> None:
        super().__init__()
        self.computes_halves = computes_halves
        #: expressions -> whether they have functions
        self.known: dict[Expr, bool] = {}

    def has_functions(self, value: Expr) -> bool:
        """Return whether an expression has functions, or quotients: these take half the time in float32."""
        known = self.known.get(value)
        if known is None:
            is_function = isinstance(value, Call) and isinstance(value.op, Op) and value.op.name not in LIGHT_CALLS
            known = is_function or isinstance(value, Div) or any(map(self.has_functions, _operands(value)))
            self.known[value] = known
        return known

    def is_widened(self, value: Expr) -> bool:
        """Return whether an expression is computed in float32: it is not a single operation."""
        if not any(map(_operands, _operands(value))):
            return False
        return value.dtype.element is BFLOAT16 or not self.computes_halves or self.has_functions(value)

    def widen(self, value: Expr) -> Expr:
        """Return an expression in float32."""
        wide = FLOAT32.with_lanes(value.dtype.lanes)
        if not _operands(value):
            return Cast(wide, self.rewrite(value), value.span)
        if isinstance(value, BinaryOp):
            return make(type(value), self.widen(value.a), self.widen(value.b), value.span)
        if isinstance(value, Select):
            branches = self.widen(value.true_value), self.widen(value.false_value)
            return Select(self.rewrite(value.condition), *branches, span=value.span)
        if isinstance(value, Broadcast):
            return Broadcast(self.widen(value.value), value.lanes, span=value.span)
        assert isinstance(value, Call)
        condition = [self.rewrite(arg) for arg in value.args[:1] if value.op is if_then_else_]
        return value.rebuild(args=(*condition, *map(self.widen, _operands(value))), dtype=wide)

    @on(*_ARITHMETIC, Select, Broadcast, Call)
    def expression(self, node: Expr) -> Expr:
        if self.is_widened(node):
            return Cast(node.dtype, self.widen(node), node.span)
        return self.binary(node) if isinstance(node, BinaryOp) else self.descend(node)

    @on(Cast)
    def conversion(self, node: Cast) -> Expr:
        value = node.value
        is_wide = node.dtype.is_floating and node.dtype.element not in HALVES and _operands(value)
        if not is_wide or (self.computes_halves and value.dtype.element is not BFLOAT16):
            return self.descend(node)
        widened = self.widen(value)
        return widened if widened.dtype is node.dtype else node.replace(value=widened)

    @on(CompareOp)
    def comparison(self, node: CompareOp) -> Expr:
        if self.is_widened(node.a) or self.is_widened(node.b):
            return type(node)(self.widen(node.a), self.widen(node.b), span=node.span)
        return self.binary(node)
