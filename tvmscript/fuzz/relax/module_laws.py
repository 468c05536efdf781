"""Laws of graph modules: `LAWS`, functions that raise if a law is broken."""

from __future__ import annotations

import copy
import inspect
import pickle
import warnings
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from tvmscript.differ import Diff, diff
from tvmscript.fuzz.relax.faults import HERE, faults_of
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import IRModule, nodes
from tvmscript.ir.core.equality.equal import assert_structural_equal, structural_equal
from tvmscript.ir.core.equality.hashing import structural_hash
from tvmscript.ir.relax.errors import ResultMismatch
from tvmscript.ir.relax.expr import Call, Constant, PrimValue, ShapeExpr, Tuple, VarBinding
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.verify import find_errors, verify
from tvmscript.ir.tir import IntImm, substitute
from tvmscript.ir.tir.var import Var as SizeVar
from tvmscript.parser import from_source
from tvmscript.testing.round_trip import roundtrip

Law = Callable[[IRModule], None]


def is_well_formed(module: IRModule) -> None:
    verify(module)


def reads_back(module: IRModule) -> None:
    roundtrip(module)
    again = from_source(module.script(show_meta=True))
    assert structural_hash(again) == structural_hash(module)


def copies_are_equal(module: IRModule) -> None:
    for other in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        assert_structural_equal(module, other)
        assert structural_hash(module) == structural_hash(other)


def is_inferred_again(module: IRModule) -> None:
    """Inference from scratch gives the annotated struct info."""
    for part in nodes(module):
        if isinstance(part, Call):
            again = Call(part.op, part.args, part.attrs, part.sinfo_args)
            assert structural_equal(again.struct_info, part.struct_info), part
    for func in module.values():
        assert RelaxRewriter().rewrite(func) is func


def agrees_with_numpy(module: IRModule) -> None:
    for part in nodes(module):
        if isinstance(part, VarBinding) and isinstance(part.value, Call) and isinstance(part.value.op, Operator):
            _agrees(part.value)


#: the value of symbolic sizes in NumPy
SIZE = 2


def _agrees(call: Call) -> None:
    reference = call.op.reference
    values = [_array(arg) for arg in call.args]
    if reference is None or any(value is None for value in values) or call.op.name in OUT_OF_REACH:
        return
    if min(call.attrs.get("padding", ()), default=0) < 0:
        return  # NumPy has no negative padding
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            are_named = any(each.kind is each.VAR_KEYWORD for each in inspect.signature(reference).parameters.values())
            expected = (
                reference(np, *values, **call.attrs) if are_named else reference(np, *values, *call.attrs.values())
            )
    except (ValueError, IndexError, TypeError, ZeroDivisionError):
        return  # valid for other values
    assert _describes(call.struct_info, expected), f"{call}: {call.struct_info} but {_told(expected)}"


#: operators with data-dependent shapes, or arguments that NumPy refuses and TVM accepts (targets of higher rank,
#: slopes of any shape)
OUT_OF_REACH = frozenset(
    f"relax.{name}"
    for name in ("nonzero", "unique", "dynamic_strided_slice", "collapse_sum_like", "collapse_sum_to", "nn.prelu")
)


def _array(value: Any) -> Any:
    if isinstance(value, PrimValue):
        return getattr(value.value, "value", None)
    if isinstance(value, ShapeExpr):
        return _numbers(value.values)
    if isinstance(value, Tuple):
        fields = [_array(field) for field in value.fields]
        return None if any(field is None for field in fields) else fields
    if isinstance(value, Constant):
        return np.array(value.data).astype(str(value.dtype))
    info = getattr(value, "struct_info", None)
    if not isinstance(info, TensorStructInfo) or info.extents is None or info.dtype == "void":
        return None
    shape = _numbers(info.extents)
    return None if shape is None or min(shape, default=0) < 0 else np.ones(shape, str(info.dtype))


def _numbers(extents: tuple[Any, ...]) -> tuple[int, ...] | None:
    calls = []
    for extent in extents:
        names = {part: IntImm("int64", SIZE) for part in nodes(extent) if isinstance(part, SizeVar)}
        number = Analyzer().simplify(substitute(extent, names))
        if not isinstance(number, IntImm):
            return None
        calls.append(number.value)
    return tuple(calls)


def _told(value: Any) -> str:
    """Describe NumPy values."""
    if isinstance(value, (tuple, list)):
        return ", ".join(map(_told, value))
    return f"{np.asarray(value).dtype} of shape {np.shape(value)}"


def _describes(info: Any, value: Any) -> bool:
    if isinstance(info, TupleStructInfo):
        return len(info.fields) == len(value) and all(map(_describes, info.fields, value))
    assert isinstance(info, TensorStructInfo)
    shape = None if info.extents is None else _numbers(info.extents)
    # of bools NumPy computes int8
    dtypes = (str(info.dtype), "int8" if info.dtype == "bool" else "")
    if info.dtype != "void" and str(np.asarray(value).dtype) not in dtypes:
        return False
    return bool(info.ndim in (-1, np.ndim(value)) if shape is None else shape == np.shape(value))


def faults_are_told(module: IRModule) -> None:
    """A fault raises exactly its error, at its location."""
    faults = list(faults_of(module))
    if not faults:
        return
    # a hash of the module chooses the fault
    fault = faults[structural_hash(module) % len(faults)]
    errors = find_errors(fault.module, results=fault.error is ResultMismatch)
    told = [error for error in errors if isinstance(error, fault.error)]
    others = [error for error in errors if not isinstance(error, (fault.error, *fault.also))]
    assert told, f"{fault.words}, but: {errors}"
    assert not others, f"{fault.words}, and: {others}"
    elsewhere = [error.span for error in told if fault.is_here and error.span is not HERE]
    assert not elsewhere, f"{fault.words}, at {elsewhere}"


def leads(first: IRModule, second: IRModule) -> None:
    difference = diff(first, second)
    assert_structural_equal(difference.apply(first), second)
    again = Diff.from_json(difference.json())
    assert_structural_equal(again.apply(first), second)
    assert bool(difference) == (not structural_equal(first, second))
    assert again.text() == difference.text()


LAWS: Final[list[Law]] = [
    is_well_formed,
    reads_back,
    copies_are_equal,
    is_inferred_again,
    agrees_with_numpy,
    faults_are_told,
]
