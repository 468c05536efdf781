"""Operators without a function in `T`, which TVM prints by name: `T.dma_wait(0, 1)`, `T.tir.cuda.__activemask()`.

Only operators that infer the dtype of their result are available this way. `T.Call` constructs all of them.
"""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import Op
from tvmscript.ir.tir.intrin import SURFACE
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic
from tvmscript.parser.builtins.table import TIR
from tvmscript.parser.names.namespace import Builtin, Namespace


def _offer(path: str, operator: Intrinsic) -> None:
    """Register an operator as `T.<path>`."""
    table: dict[str, Any] = TIR
    *outer, name = path.split(".")
    for depth, part in enumerate(outer, 1):
        table = table.setdefault(part, Namespace(f"T.{'.'.join(outer[:depth])}", {})).table
    table[name] = Builtin(f"T.{path}", operator.__call__)


for _operator in Op.registry.values():
    if isinstance(_operator, Intrinsic) and _operator.result is not None and _operator.script_name not in SURFACE:
        _offer(_operator.script_name or _operator.name, _operator)
