"""`T.custom_op.name(x)`: operators that TVM does not have, whose texts it prints by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tvmscript.ir.core import VOID, Op, Span
from tvmscript.ir.tir import Call, Expr
from tvmscript.ir.tir.operators import as_expr
from tvmscript.parser.builtins.table import TIR
from tvmscript.parser.names.namespace import Builtin, Namespace
from tvmscript.parser.tir.builtins.constructors import as_dtype


def _function(name: str) -> Callable[..., Expr]:
    """Return the function that calls an operator; the result has the dtype of the first argument, or `dtype`."""

    def call(*args: Any, dtype: Any = None, span: Span | None = None) -> Expr:
        values = tuple([as_expr(arg, None, span) for arg in args])
        inferred = values[0].dtype if values else VOID
        return Call(inferred if dtype is None else as_dtype(dtype), Op.get(name), values, span)

    call.__doc__ = f"Call the operator `{name}`."
    return call


class _CustomOperators(Mapping[str, object]):
    """The functions of users' operators: any name."""

    def get(self, key: str, default: Any = None) -> Any:
        """Return the function of an operator."""
        return default if key.startswith("_") else self[key]

    def __getitem__(self, key: str) -> Builtin:
        return Builtin(f"T.{Op.CUSTOM}{key}", _function(f"{Op.CUSTOM}{key}"))

    def __iter__(self) -> Iterator[str]:
        return (name.removeprefix(Op.CUSTOM) for name in Op.registry if name.startswith(Op.CUSTOM))

    def __len__(self) -> int:
        return len(list(iter(self)))


TIR["custom_op"] = Namespace("T.custom_op", _CustomOperators())
