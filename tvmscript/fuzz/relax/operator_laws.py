"""Laws of valid operator calls, and of calls with one mistake.

    check_operator_call(operator_call("matmul", random.Random(0)), seed=0)

The result equals NumPy's. With less known arguments (symbolic sizes, unknown shape or dtype) the inferred struct info
still holds. A call with a wrong argument is refused, and the error names that argument.
"""

from __future__ import annotations

import inspect
import random
import warnings
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from tvmscript.fuzz.observing import observe, observe_error
from tvmscript.fuzz.relax.known_arguments import DEVICE, Known, Less, Names, everything, on_device
from tvmscript.fuzz.relax.mistakes import Mistake, mistakes
from tvmscript.fuzz.relax.refusals import blamed
from tvmscript.ir.core.span import Source, Span
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.errors import InvalidCall
from tvmscript.ir.relax.expr import Call, Constant, DataTypeImm, ShapeExpr, Tuple, Var
from tvmscript.ir.relax.struct_info import PrimStructInfo, ShapeStructInfo, TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.struct_info_lattice import BaseCheckResult, struct_info_base_check
from tvmscript.ir.tir import IntImm
from tvmscript.testing.operator_calls import Data, Number, OperatorCall, Sizes, argument_names, call_of, operator


def made(call: OperatorCall, known: Known = everything) -> Call:
    """Construct the call, with distinct spans of the arguments. Raises `InvalidCall`."""
    places = _Places()

    def value(given: Any, kind: str = "Expr") -> Any:
        if isinstance(given, Data):
            return Var(f"x{places.count}", known(given), span=places.next())
        if isinstance(given, Sizes):
            info = known(given)
            if isinstance(info, ShapeStructInfo) and info.values is not None:
                return ShapeExpr(info.values, span=places.next())
            return Var(f"s{places.count}", info, span=places.next())
        if isinstance(given, list):
            items = [value(item) for item in given]
            is_tuple = kind in ("Tuple", "Expr") and not any(isinstance(item, int) for item in items)
            return Tuple(tuple(items), span=places.next()) if is_tuple else items
        return DataTypeImm(given) if kind == "DType" else given

    kinds = [each.kind for each in operator(call.operator).parameters]
    args = [value(each, kind) for each, kind in zip(call.args, kinds, strict=False)]
    return call_of(call.operator, *args, span=places.whole, **call.attrs)


class _Places:
    """Distinct spans for arguments."""

    def __init__(self) -> None:
        self.source = Source("x" * 99)
        self.count = 0
        self.whole = Span(self.source, 1, 1, 1, 99)

    def next(self) -> Span:
        self.count += 1
        return Span(self.source, 1, 1 + self.count, 1, 2 + self.count)


# Results

#: operators with data-dependent shapes
OPEN: Final = frozenset({"dynamic_strided_slice", "nonzero", "unique", "tensor_to_shape"})


def _check_result(call: OperatorCall, built: Call) -> None:
    expected = call.result if call.result is not None else _by_numpy(call, built)
    is_open = call.operator in OPEN
    assert _is(built.struct_info, expected, is_open=is_open), f"{built.struct_info} rather than {expected}"


def _by_numpy(call: OperatorCall, built: Call) -> Any:
    """Run the NumPy reference on arrays of ones; zeros for indices."""
    reference = operator(call.operator).reference
    assert reference is not None, "neither NumPy nor the call says what comes out"
    parameters = operator(call.operator).parameters
    given = [each for at, each in enumerate(call.args) if parameters[at].is_argument]
    values = [_array(each) for each in given] + [_default(each) for each in built.args[len(given) :]]
    are_named = any(each.kind is each.VAR_KEYWORD for each in inspect.signature(reference).parameters.values())
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
        if are_named or len(values) < len(operator(call.operator).arguments):
            result = reference(np, *values, **built.attrs)
        else:
            result = reference(np, *values, *built.attrs.values())
    return tuple(map(_data, result)) if isinstance(result, (tuple, list)) else _data(result)


def _array(given: Any) -> Any:
    if isinstance(given, Data):
        filling = 0 if given.dtype in ("int64", "int32") else 1
        return np.full(given.shape, filling, given.dtype)
    if isinstance(given, Sizes):
        return given.extents
    return [_array(item) for item in given] if isinstance(given, list) else given


def _default(value: Any) -> Any:
    """The value of a default argument."""
    return 0 if isinstance(value, Constant) else getattr(getattr(value, "value", None), "value", None)


def _data(array: Any) -> Data:
    return Data(np.shape(array), str(np.asarray(array).dtype))


def _is(info: StructInfo | None, expected: Any, *, is_open: bool = False) -> bool:
    """Test whether struct info is as expected; `is_open` allows unknown extents."""
    if isinstance(expected, tuple):
        return (
            isinstance(info, TupleStructInfo)
            and len(info.fields) == len(expected)
            and all(_is(field, each, is_open=is_open) for field, each in zip(info.fields, expected, strict=True))
        )
    if isinstance(expected, Number):
        return (
            isinstance(info, PrimStructInfo) and info.dtype == expected.dtype and _number(info.value) == expected.value
        )
    if isinstance(expected, Sizes):
        return isinstance(info, ShapeStructInfo) and _has(info.values, info.ndim, expected.extents, is_open)
    return (
        isinstance(info, TensorStructInfo)
        and info.dtype == expected.dtype
        and _has(info.extents, info.ndim, expected.shape, is_open)
    )


def _has(values: Sequence[Any] | None, ndim: int, expected: tuple[int, ...], is_open: bool) -> bool:
    if values is None:
        return is_open and ndim == len(expected)
    return tuple(map(_number, values)) == expected


def _number(size: Any) -> int | None:
    return size.value if isinstance(size, IntImm) else None


def _is_true(general: StructInfo | None, info: StructInfo | None) -> bool:
    assert general is not None
    assert info is not None
    return struct_info_base_check(_written(general), info) is BaseCheckResult.PASS


def _written(info: StructInfo) -> StructInfo:
    """Drop shapes that are variables."""
    if isinstance(info, TupleStructInfo):
        return TupleStructInfo(tuple(map(_written, info.fields)))
    if isinstance(info, TensorStructInfo) and isinstance(info.shape, Var):
        return TensorStructInfo(None, info.dtype, info.ndim, info.vdevice)
    return info


# Less known arguments

_OF_SHAPES: Final = frozenset(
    ("builtin.alloc_tensor", "ccl.scatter_from_worker0", "dist.redistribute_replica_to_shard", "dynamic_strided_slice",
     "tensor_to_shape")
)  # fmt: skip
_NORMS: Final = frozenset(("nn.batch_norm", "nn.group_norm", "nn.instance_norm", "nn.layer_norm", "nn.rms_norm"))
#: fact -> operators that refuse arguments without it, as TVM 0.17 does
ASKED: Final = {
    "shape": _OF_SHAPES,
    "rank": _OF_SHAPES
    | _NORMS
    | {"full", "full_like", "image.resize2d", "image.resize3d", "nn.pad", "nn.pixel_shuffle", "outer",
       "vision.all_class_non_max_suppression"},
    "dtype": _NORMS | {"dequantize", "einsum", "quantize", "where"},
}  # fmt: skip


def _check_less(call: OperatorCall, built: Call, r: random.Random) -> None:
    if call.operator in AS_IN_TVM:
        return
    questions = Less(r)
    try:
        less = made(call, questions).struct_info
        observe("less", str, less)
    except InvalidCall as error:
        observe_error(error)
        if not any(call.operator in ASKED[kind] for kind in questions.unknown):
            unknown = " and the ".join(sorted(questions.unknown))
            raise AssertionError(f"refused where the {unknown} is not known: {error.text}") from error
        return
    assert _is_true(less, built.struct_info), f"{built.struct_info}; of less that is known: {less}"


#: operators that infer too much from unknown arguments, as in TVM: einsum, topk of short axes
AS_IN_TVM: Final = frozenset({"einsum", "topk"})
#: operators that infer less from symbolic sizes: they depend on sizes of 1, or the number of indices
LESS_BY_NAME: Final = frozenset({"squeeze", "gather_nd", "scatter_nd"})
#: operators that require constant sizes
WANT_NUMBERS: Final = frozenset({"dynamic_strided_slice", "tensor_to_shape"})


def _check_names(call: OperatorCall, built: Call, r: random.Random) -> None:
    if call.operator in AS_IN_TVM:
        return
    are_shared = r.random() < 0.6
    names = Names(r, are_shared=are_shared)
    try:
        general = made(call, names)
        observe("named", str, general.struct_info)
    except InvalidCall as error:
        observe_error(error)
        if not are_shared or call.operator in WANT_NUMBERS:
            return
        raise AssertionError(f"refused for sizes with names: {error.text}") from error
    filled = names.filled(general.struct_info)
    assert _is_true(filled, built.struct_info), f"{built.struct_info}, by names {general.struct_info}, filled {filled}"
    is_less = are_shared and call.operator not in (LESS_BY_NAME | OPEN)
    assert not is_less or _is_true(built.struct_info, filled), f"{built.struct_info}, by names {general.struct_info}"


# Devices

#: operators whose results have no device of their arguments
MOVED: Final = frozenset({"nn.pad", "memory.alloc_tensor", "vm.alloc_tensor"})


def _check_device(call: OperatorCall) -> None:
    if call.operator in MOVED or call.operator.startswith("vision.") or not isinstance(call.args[0], (Data, list)):
        return
    placed = made(call, on_device).struct_info
    for info in placed.fields if isinstance(placed, TupleStructInfo) else (placed,):
        assert not isinstance(info, TensorStructInfo) or info.vdevice is DEVICE, f"{info} is on no device"


# Mistakes


def _check_wrong(call: OperatorCall, r: random.Random) -> None:
    """Check that a call with a mistake is refused."""
    blameable = [mistake for mistake in mistakes(call) if blamed(mistake)]
    if not blameable:
        return
    mistake = r.choice(blameable)
    try:
        taken = made(mistake.call)
    except InvalidCall as error:
        _check_place(mistake, error)
        return
    raise AssertionError(f"taken though {mistake.words}: {taken}: {taken.struct_info}")


def _check_place(mistake: Mistake, error: InvalidCall) -> None:
    """Check that the error names a right parameter, and points at the argument or, for attributes, the call."""
    call, words, span = mistake.call, mistake.words, error.span
    name, arguments = str(error.facts["argument"]), operator(call.operator).arguments
    assert name in blamed(mistake), f"{words}: {name} is blamed rather than {' or '.join(sorted(blamed(mistake)))}"
    given = dict(zip(argument_names(call.operator, len(call.args)), call.args, strict=True)).get(name)
    is_argument = isinstance(given, (Data, Sizes, list)) and any(each.name == name for each in arguments)
    assert span is not None, f"{words}: no place"
    assert is_argument == (span.end_column - span.column < 90), f"{words}: the error about {name} is at {span}"


def check_operator_call(call: OperatorCall, seed: int) -> None:
    """Raises an `AssertionError`, or `InvalidCall` where the call is refused."""
    r = random.Random(seed)
    result = made(call)
    assert result.struct_info is not None
    _check_result(call, result)
    _check_less(call, result, r)
    _check_names(call, result, r)
    _check_device(call)
    _check_wrong(call, r)
