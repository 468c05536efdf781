"""Core of the IR: dtypes, nodes, traversal, equality, errors, operator registry, modules.

Other packages import from here what they use most; the rest has its own modules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tvmscript.ir.core.lazy import lazy_names

if TYPE_CHECKING:  # the names of `_EXPORTS`, for type checkers and editors
    from tvmscript.ir.core.dtype import BFLOAT16 as BFLOAT16
    from tvmscript.ir.core.dtype import BOOL as BOOL
    from tvmscript.ir.core.dtype import FLOAT16 as FLOAT16
    from tvmscript.ir.core.dtype import FLOAT32 as FLOAT32
    from tvmscript.ir.core.dtype import FLOAT64 as FLOAT64
    from tvmscript.ir.core.dtype import HANDLE as HANDLE
    from tvmscript.ir.core.dtype import INT32 as INT32
    from tvmscript.ir.core.dtype import INT64 as INT64
    from tvmscript.ir.core.dtype import VOID as VOID
    from tvmscript.ir.core.dtype import DType as DType
    from tvmscript.ir.core.equality.equal import structural_equal as structural_equal
    from tvmscript.ir.core.errors import DiagnosticError as DiagnosticError
    from tvmscript.ir.core.errors import IRError as IRError
    from tvmscript.ir.core.errors import TVMScriptError as TVMScriptError
    from tvmscript.ir.core.errors import UnknownName as UnknownName
    from tvmscript.ir.core.errors import WrongType as WrongType
    from tvmscript.ir.core.module import BaseFunc as BaseFunc
    from tvmscript.ir.core.module import GlobalVar as GlobalVar
    from tvmscript.ir.core.module import IRModule as IRModule
    from tvmscript.ir.core.node import Node as Node
    from tvmscript.ir.core.op import CallEffect as CallEffect
    from tvmscript.ir.core.op import Op as Op
    from tvmscript.ir.core.span import Span as Span
    from tvmscript.ir.core.suggestions import closest as closest
    from tvmscript.ir.core.targets.target import Target as Target
    from tvmscript.ir.core.types import PointerType as PointerType
    from tvmscript.ir.core.types import PrimType as PrimType
    from tvmscript.ir.core.types import Type as Type
    from tvmscript.ir.core.visit import Rewriter as Rewriter
    from tvmscript.ir.core.visit import Visitor as Visitor
    from tvmscript.ir.core.visit import nodes as nodes
    from tvmscript.ir.core.visit import on as on

# module -> names that are loaded from it on first use: `import tvmscript` loads none of them
_EXPORTS = {
    "dtype": "BFLOAT16 BOOL FLOAT16 FLOAT32 FLOAT64 HANDLE INT32 INT64 VOID DType",
    "equality.equal": "structural_equal",
    "errors": "DiagnosticError IRError TVMScriptError UnknownName WrongType",
    "module": "BaseFunc GlobalVar IRModule",
    "node": "Node",
    "op": "CallEffect Op",
    "span": "Span",
    "suggestions": "closest",
    "targets.target": "Target",
    "types": "PointerType PrimType Type",
    "visit": "Rewriter Visitor nodes on",
}

__getattr__, __dir__ = lazy_names(
    __name__, {name: f"{__name__}.{module}" for module, names in _EXPORTS.items() for name in names.split()}
)
