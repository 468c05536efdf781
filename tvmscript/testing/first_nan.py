"""Find the line of a script that stores the first NaN, by an interpreter run that checks every store."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any, Final

from tvmscript.backends import interp
from tvmscript.backends.runtime.errors import KernelAssertion
from tvmscript.ir.core import BaseFunc, IRModule, on
from tvmscript.ir.tir import AssertStmt, BufferStore, Expr, PrimFunc, Stmt, TirRewriter
from tvmscript.ir.tir.expr import And, BufferLoad, Call, Let, Not, Or, Select, StringImm
from tvmscript.ir.tir.intrin.math import isnan

_MESSAGE: Final = "a NaN is stored that was not loaded"


def first_nan(program: IRModule | BaseFunc, inputs: Sequence[Any]) -> str | None:
    """Describe the store of the first NaN and its line in the script; None if there is none.

    `inputs` are the arguments of `main`, or of the only function, before the call; they are copied. A NaN that a store
    has loaded just before is not its own. Raises what the interpreter raises.
    """
    module = IRModule.from_expr(program) if isinstance(program, BaseFunc) else program
    functions = {
        var: func.with_body(_Checked().rewrite(func.body)) if isinstance(func, PrimFunc) else func
        for var, func in module.functions.items()
    }
    built = interp.build(module.replace(functions=functions))
    try:
        built.entry_func(*copy.deepcopy(list(inputs)))
    except KernelAssertion as error:
        if _MESSAGE not in error.text or error.span is None:
            raise
        span = error.span
        return f"the first NaN is stored at {span!r}: {span.source.line(span.line).strip()}"
    return None


class _Checked(TirRewriter):
    """Replaces each store of a float by an assertion that it adds no NaN."""

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        if not node.value.dtype.is_floating or node.value.dtype.lanes != 1:
            return node
        is_right: Expr = Not(isnan(node.value))
        for load in _loads(node.value):
            is_right = Or(is_right, isnan(load))
        return AssertStmt(is_right, StringImm(_MESSAGE), node, span=node.span)


#: lazy expressions, whose loads may be out of bounds
_LAZY: Final = (Select, Let, And, Or)


def _loads(value: Any) -> Iterator[Expr]:
    """Yield the unconditional loads of floats."""
    if isinstance(value, BufferLoad):
        if value.dtype.is_floating and value.dtype.lanes == 1:
            yield value
    elif isinstance(value, Expr) and not isinstance(value, _LAZY) and not _is_conditional(value):
        for name in value.schema.walked:
            part = getattr(value, name)
            for each in part if isinstance(part, tuple) else (part,):
                yield from _loads(each)


def _is_conditional(value: Expr) -> bool:
    return isinstance(value, Call) and getattr(value.op, "name", "") == "tir.if_then_else"
