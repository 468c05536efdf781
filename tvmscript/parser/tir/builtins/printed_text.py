"""Names of `T` with another meaning in printed texts.

A printer writes every property of a buffer, so `buffer_type="auto"` does not add strides. `T.handle("int32")` is a
pointer without a storage scope; a pointer to global memory is printed as `T.handle("int32", "global")`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from tvmscript.ir.core import Span
from tvmscript.ir.tir import Var
from tvmscript.parser.builtins.table import TIR, LayeredTable
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.tir.builtins.constructors import handle


@functools.wraps(handle)
def _handle(
    dtype: object = None, storage_scope: str | None = None, *, is_size_var: bool = False, span: Span | None = None
) -> Var:
    scope = storage_scope if storage_scope is not None else "global" if dtype is None else ""
    return handle(dtype, scope, is_size_var=is_size_var, span=span)


def _as_written(function: Callable[..., object]) -> Callable[..., object]:
    """Return a declaration that adds no strides to the buffer."""

    @functools.wraps(function)
    def declaration(*args: object, **kwargs: object) -> object:
        return function(*args, **{"strides": (), **kwargs})

    return declaration


_DECLARATIONS = ("Buffer", "match_buffer", "alloc_buffer", "decl_buffer")

#: `T` of printed texts
PRINTED = LayeredTable(
    {
        "handle": Builtin("T.handle", _handle),
        **{
            name: Builtin(f"T.{name}", _as_written(TIR[name].function), TIR[name].needs_kernel)
            for name in _DECLARATIONS
        },
    },
    TIR,
)
