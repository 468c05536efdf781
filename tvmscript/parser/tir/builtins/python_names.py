"""Names of TVM's Python modules that scripts use beside `T`, `I` and `R`: `tvm.tir.const`, `tvm.target.Target`."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.core import Span
from tvmscript.ir.tir import Expr, operators
from tvmscript.parser.builtins.module import vdevice
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.tir.builtins.constructors import as_dtype, target


def _const(value: float, dtype: object = None, span: Span | None = None) -> Expr:
    """A constant."""
    return operators.const(value, None if dtype is None else as_dtype(dtype), span)


#: names of `tvm.tir` that `T` does not have
TIR_NAMES: Final[dict[str, object]] = {"const": Builtin("tvm.tir.const", _const)}
#: names of `tvm.target`
TARGET_NAMES: Final[dict[str, object]] = {"Target": Builtin("tvm.target.Target", target)}
#: names of `tvm.ir` that `I` does not have
IR_NAMES: Final[dict[str, object]] = {"VDevice": Builtin("tvm.ir.VDevice", vdevice)}
