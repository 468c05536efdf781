"""TVM's spelling of the tensor level: `tvm.tir.PrimFunc`, `tvm.tir.Var`, `tvm.tir.transform.Simplify()`, ...

The functions that make expressions are those of `T`: `tvm.tir.exp(x)`, `tvm.tir.vscale()`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tvmscript.ir.arith.index_map import IndexMap
from tvmscript.ir.arith.python_operators import FUNCTIONS
from tvmscript.ir.core.lazy import submodule
from tvmscript.ir.schedule.intrinsics.registry import TensorIntrin
from tvmscript.ir.tir import Buffer, PrimFunc, Stmt, const
from tvmscript.ir.tir.base import EqualOp, ExprOp, NotEqualOp
from tvmscript.ir.tir.base import Expr as PrimExpr
from tvmscript.ir.tir.buffer import make_buffer as decl_buffer
from tvmscript.ir.tir.expr import (
    EQ,
    GE,
    GT,
    LE,
    LT,
    NE,
    Add,
    And,
    Broadcast,
    BufferLoad,
    BufferRegion,
    Call,
    Cast,
    Div,
    FloatImm,
    FloorDiv,
    FloorMod,
    IntImm,
    IterVar,
    Let,
    Max,
    Min,
    Mod,
    Mul,
    Not,
    Or,
    Ramp,
    Range,
    Select,
    Shuffle,
    SizeVar,
    StringImm,
    Sub,
    Var,
)
from tvmscript.ir.tir.expr import BinaryOp as BinaryOpExpr
from tvmscript.ir.tir.expr import CompareOp as CmpExpr
from tvmscript.ir.tir.expr import LogicalOp as LogicalExpr
from tvmscript.ir.tir.intrin import SURFACE as _SURFACE
from tvmscript.ir.tir.intrin.packed import trace
from tvmscript.ir.tir.stmt import (
    Allocate,
    AllocateConst,
    AssertStmt,
    AttrStmt,
    Block,
    BlockRealize,
    BufferStore,
    DeclBuffer,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    LetStmt,
    MatchBufferRegion,
    SeqStmt,
    While,
    stmt_list,
)
from tvmscript.ir.tir.stmt import seq as stmt_seq
from tvmscript.ir.tir.te_nodes import BufferRealize, CommReducer, DataProducer, Prefetch, ProducerLoad, Reduce
from tvmscript.language.tir import T
from tvmscript.tir import transform

if TYPE_CHECKING:
    from tvmscript.ir.tir.operators import all_of as all
    from tvmscript.ir.tir.operators import any_of as any
    from tvmscript.tir import analysis as analysis
    from tvmscript.tir import schedule as schedule
    from tvmscript.tir import stmt_functor as stmt_functor
    from tvmscript.tir.analysis import BlockDependenceInfo as BlockDependenceInfo
    from tvmscript.tir.data_layout import BijectiveLayout as BijectiveLayout
    from tvmscript.tir.data_layout import Layout as Layout
    from tvmscript.tir.data_layout import bijective_layout as bijective_layout
    from tvmscript.tir.data_layout import layout as layout
    from tvmscript.tir.reduction import comm_reducer as comm_reducer
    from tvmscript.tir.reduction import max as max
    from tvmscript.tir.reduction import min as min
    from tvmscript.tir.reduction import sum as sum
    from tvmscript.tir.schedule import BlockRV as BlockRV
    from tvmscript.tir.schedule import ExprRV as ExprRV
    from tvmscript.tir.schedule import LoopRV as LoopRV
    from tvmscript.tir.schedule import Schedule as Schedule
    from tvmscript.tir.schedule import ScheduleError as ScheduleError
    from tvmscript.tir.schedule import ScheduleState as ScheduleState
    from tvmscript.tir.schedule import StmtSRef as StmtSRef
    from tvmscript.tir.schedule import Trace as Trace

#: TVM's base classes of constants and of expressions with operators, for `isinstance`
ConstExpr = (IntImm, FloatImm, StringImm)
PrimExprWithOp = PrimExpr

#: what is loaded when it is first used
_LATER: dict[str, tuple[str, ...]] = {
    "analysis": ("BlockDependenceInfo",),
    "data_layout": ("BijectiveLayout", "Layout", "bijective_layout", "layout"),
    "reduction": ("comm_reducer", "max", "min", "sum"),
    "stmt_functor": (),
    "schedule": ("BlockRV", "ExprRV", "LoopRV", "Schedule", "ScheduleError", "ScheduleState", "StmtSRef", "Trace"),
}

__all__ = [
    "EQ",
    "GE",
    "GT",
    "LE",
    "LT",
    "NE",
    "Add",
    "Allocate",
    "AllocateConst",
    "And",
    "AssertStmt",
    "AttrStmt",
    "BinaryOpExpr",
    "Block",
    "BlockRealize",
    "Broadcast",
    "Buffer",
    "BufferLoad",
    "BufferRealize",
    "BufferRegion",
    "BufferStore",
    "Call",
    "Cast",
    "CmpExpr",
    "CommReducer",
    "ConstExpr",
    "DataProducer",
    "DeclBuffer",
    "Div",
    "EqualOp",
    "Evaluate",
    "ExprOp",
    "FloatImm",
    "FloorDiv",
    "FloorMod",
    "For",
    "ForKind",
    "IfThenElse",
    "IndexMap",
    "IntImm",
    "IterVar",
    "Let",
    "LetStmt",
    "LogicalExpr",
    "MatchBufferRegion",
    "Max",
    "Min",
    "Mod",
    "Mul",
    "Not",
    "NotEqualOp",
    "Or",
    "Prefetch",
    "PrimExpr",
    "PrimExprWithOp",
    "PrimFunc",
    "ProducerLoad",
    "Ramp",
    "Range",
    "Reduce",
    "Select",
    "SeqStmt",
    "Shuffle",
    "SizeVar",
    "Stmt",
    "StringImm",
    "Sub",
    "TensorIntrin",
    "Var",
    "While",
    "all",
    "any",
    "const",
    "decl_buffer",
    "stmt_list",
    "stmt_seq",
    "trace",
    "transform",
]


def __getattr__(name: str) -> Any:
    for room, names in _LATER.items():
        if name == room or name in names:
            module = importlib.import_module(f"tvmscript.tir.{room}")
            return module if name == room else getattr(module, name)
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    if name in _SURFACE:
        return _SURFACE[name]
    inner_module = submodule(__name__, name)
    if inner_module is None:
        hint = ": it is in T, `from tvmscript import T`" if hasattr(T, name) else ""
        raise AttributeError(f"module 'tvmscript.tir' has no attribute {name!r}{hint}")
    return inner_module


def __dir__() -> list[str]:
    return sorted({*__all__, *_LATER, *(name for names in _LATER.values() for name in names), *_SURFACE, *FUNCTIONS})
