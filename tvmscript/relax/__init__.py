"""TVM's front door `tvm.relax`: `BlockBuilder`, `Var`, `op.nn.relu(x)`, ..."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.core.module import GlobalVar, VDevice
from tvmscript.ir.core.types import FuncType, TupleType
from tvmscript.ir.relax.analysis.static_type import DynTensorType, ObjectType, PackedFuncType, ShapeType
from tvmscript.ir.relax.base import RelaxExpr as Expr
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import (
    Binding,
    BindingBlock,
    Call,
    Constant,
    DataflowBlock,
    DataflowVar,
    DataTypeImm,
    ExternFunc,
    If,
    MatchCast,
    PrimValue,
    SeqExpr,
    ShapeExpr,
    StringImm,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.functor import PyExprMutator, PyExprVisitor
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import (
    FuncStructInfo,
    ObjectStructInfo,
    PrimStructInfo,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.relax.transform.pipeline import get_default_pipeline, get_pipeline, register_pipeline
from tvmscript.parser.relax.builtins.constants import const
from tvmscript.relax import analysis, distributed, dpl, training, transform, utils
from tvmscript.relax import expr_functor as expr_functor
from tvmscript.relax.op import op
from tvmscript.relax.utils import extern, get_shape_of

call_tir = op.call_tir
call_tir_inplace = op.call_tir_inplace
call_tir_with_grad = op.call_tir_with_grad
call_dps_packed = op.call_dps_packed
call_pure_packed = op.call_pure_packed

if TYPE_CHECKING:
    from tvmscript.backends.vm.executable import Executable as Executable
    from tvmscript.backends.vm.interpreter import VMInstrumentReturnKind as VMInstrumentReturnKind
    from tvmscript.backends.vm.virtual_machine import VirtualMachine as VirtualMachine
    from tvmscript.graph_build import build as build

# what builds and runs graphs is imported when it is used
__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Executable": "tvmscript.backends.vm.executable",
        "VMInstrumentReturnKind": "tvmscript.backends.vm.interpreter",
        "VirtualMachine": "tvmscript.backends.vm.virtual_machine",
        "build": "tvmscript.graph_build",
    },
    dict.fromkeys(
        ("Object", "Shape", "Tensor", "dataflow", "function", "output"), "it is in R, `from tvmscript import R`"
    ),
)

__all__ = [
    "Binding",
    "BindingBlock",
    "BlockBuilder",
    "Call",
    "Constant",
    "DataTypeImm",
    "DataflowBlock",
    "DataflowVar",
    "DynTensorType",
    "Executable",
    "Expr",
    "ExternFunc",
    "FuncStructInfo",
    "FuncType",
    "Function",
    "GlobalVar",
    "If",
    "MatchCast",
    "ObjectStructInfo",
    "ObjectType",
    "PackedFuncType",
    "PrimStructInfo",
    "PrimValue",
    "PyExprMutator",
    "PyExprVisitor",
    "RelaxRewriter",
    "SeqExpr",
    "ShapeExpr",
    "ShapeStructInfo",
    "ShapeType",
    "StringImm",
    "StructInfo",
    "TensorStructInfo",
    "Tuple",
    "TupleGetItem",
    "TupleStructInfo",
    "TupleType",
    "VDevice",
    "VMInstrumentReturnKind",
    "Var",
    "VarBinding",
    "VirtualMachine",
    "analysis",
    "build",
    "call_dps_packed",
    "call_pure_packed",
    "call_tir",
    "call_tir_inplace",
    "call_tir_with_grad",
    "const",
    "distributed",
    "dpl",
    "expr_functor",
    "extern",
    "get_default_pipeline",
    "get_pipeline",
    "get_shape_of",
    "op",
    "register_pipeline",
    "training",
    "transform",
    "utils",
]
