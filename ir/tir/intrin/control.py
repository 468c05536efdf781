"""Control flow and hints: lazy select, return, assumptions, profiling sections."""

from __future__ import annotations

from tvmscript.ir.core import BOOL, HANDLE, INT32, CallEffect, Span, WrongType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic, offer, same_as_first, script_intrinsic, surface
from tvmscript.ir.tir.operators import as_expr, match_types

if_then_else_ = Intrinsic(
    "if_then_else",
    "cond t f",
    lambda args: args[1].dtype,
    is_exact=True,
    doc="t if cond is true, otherwise f; only the selected one is evaluated.",
)


@surface("if_then_else")
def if_then_else(cond: object, t: object, f: object, dtype: object = None, span: Span | None = None) -> Expr:
    """t if the scalar bool cond is true, otherwise f, in one dtype; only the selected one is evaluated."""
    cond = as_expr(cond, None, span)
    if cond.dtype is not BOOL:
        raise WrongType(where="T.if_then_else", expected="a scalar bool condition", got=cond.dtype, span=span)
    return if_then_else_(cond, *match_types(t, f, "T.if_then_else", span), span=span)


likely_ = Intrinsic(
    "likely",
    "cond",
    same_as_first,
    effect=CallEffect.EXPR_ANNOTATION,
    vectorizable=True,
    reference=lambda cond: cond,
    doc="cond, with the hint that it is mostly true.",
)


@surface("likely")
def likely(cond: object, dtype: object = None, span: Span | None = None) -> Expr:
    """cond, with the hint that it is mostly true; constants are returned unchanged."""
    cond = as_expr(cond, None, span)
    return cond if isinstance(cond, IntImm) else likely_(cond, span=span)


assume = offer(
    Intrinsic("assume", "cond", BOOL, effect=CallEffect.EMBED_INFO, doc="Assume that cond is true."),
    defaults={"cond": True},
)
ret = script_intrinsic("ret", "val", same_as_first, effect=CallEffect.CONTROL_JUMP, doc="Return val from the function.")
undef = script_intrinsic("undef", "", INT32, effect=CallEffect.READ_STATE, doc="An undefined value.")
tvm_thread_invariant = script_intrinsic(
    "tvm_thread_invariant",
    "cond",
    same_as_first,
    reference=lambda cond: cond,
    doc="cond, which is uniform over threads.",
)
tvm_tuple = script_intrinsic(
    "tvm_tuple", "*value", HANDLE, effect=CallEffect.EMBED_INFO, doc="A tuple of values in an annotation."
)
start_profile_intrinsic = script_intrinsic(
    "start_profile_intrinsic", "id", HANDLE, num_inputs=-1, doc="Start the profiling section of this id."
)
end_profile_intrinsic = script_intrinsic(
    "end_profile_intrinsic", "id", HANDLE, num_inputs=-1, doc="End the profiling section of this id."
)
