"""FoldConstant: evaluate calls whose arguments are constants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tvmscript.ir.core import FLOAT32, FLOAT64, GlobalVar, IRModule, Target, on
from tvmscript.ir.relax.analysis.reshape import has_reshape_pattern
from tvmscript.ir.relax.analysis.unused import remove_all_unused
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Call, Constant, PrimValue, ShapeExpr, Tuple, Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.call_tir import call_tir
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.transform.operators.legalize_ops import call_kernel
from tvmscript.ir.tir import IntImm, PrimFunc
from tvmscript.ir.tir.function import compile_function

#: elements of tensors up to which a kernel is interpreted: compiling it takes longer
_MOST_INTERPRETED: Final = 1 << 10
#: operators that NumPy computes as their kernels do, to the last bit: results are rounded once, or copied
_EXACT: Final = frozenset(
    f"relax.{name}"
    for name in (
        *("add", "subtract", "multiply", "divide", "sqrt", "negative", "abs"),
        *("expand_dims", "permute_dims", "squeeze"),
    )
)


@dataclass(frozen=True)
class FoldConstant(RelaxFunctionPass):
    """Replace a call of a kernel on constants by the constant that it computes, and in dataflow blocks a call of an
    operator on constants by the constant that its kernel computes. Unused bindings go.

    rewrite:
        lv = R.add(R.const([1.0, 2.0]), R.const([1.0, 1.0]))  -->  R.const([2.0, 3.0]) at the uses of lv
    """

    name = "relax.FoldConstant"

    def transform(self, func: Function, mod: IRModule) -> Function:
        folder = _Folder(mod)
        folded: Function = folder.rewrite(func)
        return remove_all_unused(folded)


class _Folder(RelaxRewriter):
    """Rewriter of calls on constants. Variables of constants are replaced by them."""

    def __init__(self, mod: IRModule) -> None:
        super().__init__()
        self.mod = mod
        #: kernel, and whether it is for few elements -> what computes its result
        self.evaluators: dict[tuple[PrimFunc, bool], Callable[..., object]] = {}
        #: holds the kernels of operators
        self.kernels = BlockBuilder()

    @on(Var)
    def var(self, node: Var) -> RelaxExpr:
        new: Any = self.renamed.get(node, node)
        value = self.builder.lookup_binding(new) if isinstance(new, Var) else None
        return value if isinstance(value, Constant) else new

    @on(Call)
    def call(self, node: Call) -> RelaxExpr:
        call: Call = self.descend(node)
        if not isinstance(call.op, Operator):
            return call
        if call.op is call_tir:
            return self._evaluate(call, self.mod) or call
        call = self._with_shapes(call)
        operator = call.op
        takes_constants = all(_is_constant(arg) for arg in call.args)
        if not takes_constants or operator.legalize is None or not self.builder.current_block_is_dataflow():
            return call
        constant = _compute_exactly(operator, call)
        if constant is not None:
            return constant
        kernel_call = call_kernel(self.kernels, operator, call)
        return (None if kernel_call is call else self._evaluate(kernel_call, self.kernels.get())) or call

    def _with_shapes(self, call: Call) -> Call:
        """Return the call with variables of shapes replaced by the shapes."""
        args = tuple([self._shape_of(arg) for arg in call.args])
        return call if all(new is old for new, old in zip(args, call.args, strict=True)) else call.replace(args=args)

    def _shape_of(self, arg: Any) -> Any:
        value = self.builder.lookup_binding(arg) if isinstance(arg, Var) else None
        return value if isinstance(value, ShapeExpr) else arg

    def _evaluate(self, call: Call, mod: IRModule) -> Constant | None:
        """Return the constant that a call of a kernel computes; None where arguments are not constants."""
        (info,) = call.sinfo_args
        callee, fields, *sizes = call.args
        if not isinstance(info, TensorStructInfo) or not isinstance(fields, Tuple) or sizes:
            return None
        shape = tuple([extent.value for extent in info.extents or () if isinstance(extent, IntImm)])
        constants = [field for field in fields.fields if isinstance(field, Constant) and not _is_narrow(field)]
        func = mod[callee] if isinstance(callee, GlobalVar) and callee in mod else None
        is_static = info.extents is not None and len(shape) == len(info.extents)
        if not isinstance(func, PrimFunc) or not is_static or len(constants) < len(fields.fields):
            return None
        arrays = [np.array(constant.data) for constant in constants]
        result = np.empty(shape, str(info.dtype))
        is_small = max(array.size for array in (*arrays, result)) <= _MOST_INTERPRETED
        evaluator = self.evaluators.get((func, is_small))
        if evaluator is None:
            evaluator = self.evaluators[func, is_small] = _evaluator(func, len(arrays), is_small)
        evaluator(*arrays, result)
        return Constant(result, info.dtype)


def _compute_exactly(operator: Operator, call: Call) -> Constant | None:
    """Return what NumPy computes for a call on floats; None where its kernel may compute something else."""
    info, reference = call.struct_info, operator.reference
    if operator.name not in _EXACT or reference is None or not isinstance(info, TensorStructInfo):
        return None
    constants = [arg for arg in call.args if isinstance(arg, Constant) and arg.dtype is info.dtype]
    if len(constants) < len(call.args) or info.dtype not in (FLOAT32, FLOAT64):
        return None
    with np.errstate(all="ignore"):
        result = np.ascontiguousarray(reference(np, *(constant.data for constant in constants), *call.attrs.values()))
    sizes = [extent.value for extent in info.extents or () if isinstance(extent, IntImm)]
    is_expected = result.dtype == str(info.dtype) and [*result.shape] == sizes
    # the signs of NaNs differ
    return Constant(result, info.dtype) if is_expected and not np.isnan(result).any() else None


def _evaluator(func: PrimFunc, num_inputs: int, is_small: bool) -> Callable[..., object]:
    """Return a function that computes the result of a kernel, interpreted for few elements and compiled for many."""
    if num_inputs == 1 and has_reshape_pattern(func):
        return lambda source, result: np.copyto(result, source.reshape(-1)[: result.size].reshape(result.shape))
    return compile_function(func, Target.make("interp" if is_small else "llvm"))


def _is_constant(arg: Any) -> bool:
    if isinstance(arg, Tuple):
        return all(map(_is_constant, arg.fields))
    return isinstance(arg, (Constant, ShapeExpr, PrimValue))


def _is_narrow(constant: Constant) -> bool:
    """Return whether the elements are stored as bits, as those of bfloat16 and narrower floats are."""
    return str(constant.data.dtype) != str(constant.dtype)
