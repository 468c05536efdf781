"""What holds for every right call of an operator, and for one with something wrong in it.

    check_operator_call(operator_call("matmul", random.Random(0)), seed=0)

The call gives what NumPy gives. Who knows less of its arguments (names in the place of sizes, no shape, no dtype) is
told something that is true all the same. With an argument that does not fit it is refused, and the error points there.
"""

from __future__ import annotations

import inspect
import random
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.core.span import Source, Span
from tvmscript.ir.core.target import Target
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call, Constant, DataTypeImm, ShapeExpr, Tuple, Var
from tvmscript.ir.relax.lattice import BaseCheckResult, struct_info_base_check
from tvmscript.ir.relax.op.operator import InvalidCall
from tvmscript.ir.relax.sizes import simplified
from tvmscript.ir.relax.struct_info import (
    UNKNOWN_NDIM,
    PrimStructInfo,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.substitute import substitute
from tvmscript.ir.tir.var import Var as SizeVar
from tvmscript.testing.graph_laws.refusals import REFUSED
from tvmscript.testing.operator_calls import Data, Number, OperatorCall, Sizes, call_of, operator

#: what is known of a tensor or a shape of a call
Known = Callable[[Data | Sizes], StructInfo]


def _all(given: Data | Sizes) -> StructInfo:
    """Everything."""
    if isinstance(given, Sizes):
        return _shape(given.extents)
    return TensorStructInfo(given.shape, given.dtype)


def _shape(extents: Any) -> ShapeStructInfo:
    """Of numbers and names."""
    return ShapeStructInfo(extents)


def made(call: OperatorCall, known: Known = _all) -> Call:
    """The call of the program; each argument has a place of its own. Raises `InvalidCall`."""
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
    """A text of as many columns as there are arguments."""

    def __init__(self) -> None:
        self.source = Source("x" * 99)
        self.count = 0
        self.whole = Span(self.source, 1, 1, 1, 99)

    def next(self) -> Span:
        self.count += 1
        return Span(self.source, 1, 1 + self.count, 1, 2 + self.count)


# What comes out

#: operators whose results have a shape that the data decides
OPEN: Final = frozenset({"dynamic_strided_slice", "nonzero", "unique", "tensor_to_shape"})


def _check_result(call: OperatorCall, found: Call) -> None:
    expected = call.result if call.result is not None else _by_numpy(call, found)
    assert expected is None or _is(found.struct_info, expected, is_open=call.operator in OPEN), (
        f"{found.struct_info} rather than {expected}"
    )


def _by_numpy(call: OperatorCall, found: Call) -> Any:
    """The result of the reference on arrays of ones, of zeros where they are places."""
    reference = operator(call.operator).reference
    assert reference is not None, "neither NumPy nor the call says what comes out"
    parameters = operator(call.operator).parameters
    given = [each for at, each in enumerate(call.args) if parameters[at].is_argument]
    values = [_array(each) for each in given] + [_default(each) for each in found.args[len(given) :]]
    are_named = any(each.kind is each.VAR_KEYWORD for each in inspect.signature(reference).parameters.values())
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
        if are_named or len(values) < len(operator(call.operator).arguments):
            result = reference(np, *values, **found.attrs)
        else:
            result = reference(np, *values, *found.attrs.values())
    return tuple(map(_data, result)) if isinstance(result, tuple | list) else _data(result)


def _array(given: Any) -> Any:
    if isinstance(given, Data):
        filling = 0 if given.dtype in ("int64", "int32") else 1
        return np.full(given.shape, filling, given.dtype)
    if isinstance(given, Sizes):
        return given.extents
    return [_array(item) for item in given] if isinstance(given, list) else given


def _default(value: Any) -> Any:
    """An argument that was not given, as a number."""
    return 0 if isinstance(value, Constant) else getattr(getattr(value, "value", None), "value", None)


def _data(array: Any) -> Data:
    return Data(np.shape(array), str(np.asarray(array).dtype))


def _is(info: StructInfo | None, expected: Any, *, is_open: bool = False) -> bool:
    """Whether this is what is known; -1 stands for an extent that is not."""
    if isinstance(expected, tuple):
        return (
            isinstance(info, TupleStructInfo)
            and len(info.fields) == len(expected)
            and all(_is(field, each, is_open=is_open) for field, each in zip(info.fields, expected, strict=True))
        )
    if isinstance(expected, Number):
        value = None if expected.value is None else expected.value
        return isinstance(info, PrimStructInfo) and info.dtype == expected.dtype and _number(info.value) == value
    if isinstance(expected, Sizes):
        return isinstance(info, ShapeStructInfo) and _has(info.values, info.ndim, expected.extents, is_open)
    return (
        isinstance(info, TensorStructInfo)
        # of bools NumPy computes int8
        and str(info.dtype) in (expected.dtype, "bool" if expected.dtype == "int8" else "")
        and _has(info.extents, info.ndim, expected.shape, is_open)
    )


def _has(values: Sequence[Any] | None, ndim: int, expected: tuple[int, ...], is_open: bool) -> bool:
    if values is None:
        return is_open and ndim == len(expected)
    return tuple(map(_number, values)) == expected


def _number(size: Any) -> int | None:
    return size.value if isinstance(size, IntImm) else None


# Who knows less


class _Less:
    """Knows less of some arguments: the rank alone, the dtype alone, nothing."""

    def __init__(self, r: random.Random) -> None:
        self.r = r

    def __call__(self, given: Data | Sizes) -> StructInfo:
        if isinstance(given, Sizes):
            return _all(given) if self.r.random() < 0.5 else ShapeStructInfo(ndim=len(given.extents))
        kind = self.r.choice(("all", "rank", "nothing", "dtype"))
        if kind == "all":
            return _all(given)
        if kind == "dtype":
            return TensorStructInfo(given.shape, DType("void"))
        return TensorStructInfo(None, given.dtype, len(given.shape) if kind == "rank" else UNKNOWN_NDIM)


class _Names:
    """Knows sizes by name: every size of a number has one name, or some sizes have names of their own."""

    def __init__(self, r: random.Random, *, are_shared: bool) -> None:
        self.r = r
        self.are_shared = are_shared
        self.shared: dict[int, SizeVar | int] = {}
        self.numbers: dict[Any, IntImm] = {}

    def name(self, extent: int) -> SizeVar | int:
        if self.r.random() < 0.5:
            return extent
        made = SizeVar(f"n{len(self.numbers)}", "int64")
        self.numbers[made] = IntImm("int64", extent)
        return made

    def size(self, extent: int) -> SizeVar | int:
        if not self.are_shared:
            return self.name(extent)
        if extent not in self.shared:
            self.shared[extent] = extent if extent < 2 else self.name(extent)
        return self.shared[extent]

    def __call__(self, given: Data | Sizes) -> StructInfo:
        if isinstance(given, Sizes):
            return _shape([self.size(extent) for extent in given.extents])
        return TensorStructInfo([self.size(extent) for extent in given.shape], given.dtype)

    def filled(self, info: Any) -> Any:
        """The same with numbers for names."""
        if isinstance(info, TupleStructInfo):
            return TupleStructInfo(tuple(self.filled(field) for field in info.fields))
        if isinstance(info, TensorStructInfo) and info.extents is not None:
            return TensorStructInfo([self._value(extent) for extent in info.extents], info.dtype, vdevice=info.vdevice)
        if isinstance(info, ShapeStructInfo) and info.values is not None:
            return _shape([self._value(extent) for extent in info.values])
        if isinstance(info, PrimStructInfo) and info.value is not None:
            return PrimStructInfo(info.dtype, self._value(info.value))
        return info

    def _value(self, size: Any) -> Any:
        return simplified(substitute(size, self.numbers))


def _is_true(general: StructInfo | None, found: StructInfo | None) -> bool:
    assert general is not None
    assert found is not None
    return struct_info_base_check(_written(general), found) is BaseCheckResult.PASS


def _written(info: StructInfo) -> StructInfo:
    """The same without shapes that are variables."""
    if isinstance(info, TupleStructInfo):
        return TupleStructInfo(tuple(map(_written, info.fields)))
    if isinstance(info, TensorStructInfo) and isinstance(info.shape, Var):
        return TensorStructInfo(None, info.dtype, info.ndim, info.vdevice)
    return info


def _check_less(call: OperatorCall, found: Call, r: random.Random) -> None:
    if call.operator in AS_IN_TVM:
        return
    try:
        less = made(call, _Less(r)).struct_info
    except InvalidCall:
        return  # some ask for what is not known here
    assert _is_true(less, found.struct_info), f"{found.struct_info}; of less that is known: {less}"


#: operators that say of little what need not be so, as in TVM: einsum of operands, topk of short axes
AS_IN_TVM: Final = frozenset({"einsum", "topk"})
#: operators that say less where sizes have names: they ask whether a size is 1, or how many indices there are
LESS_BY_NAME: Final = frozenset({"squeeze", "gather_nd", "scatter_nd"})
#: operators that want to know sizes
WANT_NUMBERS: Final = frozenset({"dynamic_strided_slice", "tensor_to_shape"})


def _check_names(call: OperatorCall, found: Call, r: random.Random) -> None:
    if call.operator in AS_IN_TVM:
        return
    are_shared = r.random() < 0.6
    names = _Names(r, are_shared=are_shared)
    try:
        general = made(call, names)
    except InvalidCall as error:
        if not are_shared or call.operator in WANT_NUMBERS:
            return
        raise AssertionError(f"refused for sizes with names: {error.text}") from error
    filled = names.filled(general.struct_info)
    assert _is_true(filled, found.struct_info), f"{found.struct_info}, by names {general.struct_info}, filled {filled}"
    is_less = are_shared and call.operator not in (LESS_BY_NAME | OPEN)
    assert not is_less or _is_true(found.struct_info, filled), f"{found.struct_info}, by names {general.struct_info}"


# Devices

DEVICE: Final = VDevice(Target("llvm"), 0, "global")
#: operators whose results are not said to be where their arguments are
MOVED: Final = frozenset({"nn.pad", "memory.alloc_tensor", "vm.alloc_tensor"})


def _on_device(given: Data | Sizes) -> StructInfo:
    info = _all(given)
    return info.replace(vdevice=DEVICE) if isinstance(info, TensorStructInfo) else info


def _check_device(call: OperatorCall) -> None:
    if call.operator in MOVED or call.operator.startswith("vision.") or not isinstance(call.args[0], Data | list):
        return
    placed = made(call, _on_device).struct_info
    for info in placed.fields if isinstance(placed, TupleStructInfo) else (placed,):
        assert not isinstance(info, TensorStructInfo) or info.vdevice is DEVICE, f"{info} is on no device"


# What does not fit

_LAYOUTS: Final = ("layout", "data_layout", "kernel_layout", "out_layout")
_AXES: Final = ("axis", "axes", "channel_axis", "seq_axis", "batch_axis")


def wrong_calls(call: OperatorCall) -> dict[str, tuple[OperatorCall, str]]:
    """What may be wrong with a call: in words, the call, and the parameter that is to blame."""
    found: dict[str, tuple[OperatorCall, str]] = {}
    parameters = operator(call.operator).parameters

    def say(words: str, args: Sequence[Any], attrs: dict[str, Any], blamed: str) -> None:
        found[words] = OperatorCall(call.operator, tuple(args), attrs), blamed

    for name, value in call.attrs.items():
        if name in _LAYOUTS:
            say(f"{name} is no layout", call.args, {**call.attrs, name: "NXYC"}, name)
        if name in _AXES and value is not None:
            far = [9] * len(value) if isinstance(value, list) else 9
            say(f"{name} is too large", call.args, {**call.attrs, name: far}, name)
            far = [*value[1:], -9] if isinstance(value, list) else -9
            say(f"{name} is too small", call.args, {**call.attrs, name: far}, name)
            if isinstance(value, list) and value:
                say(f"{name} is there twice", call.args, {**call.attrs, name: [*value[1:], value[0], value[0]]}, name)
                ndim = len(call.args[0].shape)
                other = value[0] - ndim if value[0] >= 0 else value[0] + ndim
                twice = [*value[:-1], other] if len(value) > 1 else [value[0], other]
                say(f"{name} is there from both ends", call.args, {**call.attrs, name: twice}, name)
    for at, given in enumerate(call.args):
        name = parameters[min(at, len(parameters) - 1)].name
        for words, other in _others(given):
            say(f"argument {at} {words}", [*call.args[:at], other, *call.args[at + 1 :]], call.attrs, name)
    return found


def _others(given: Any) -> list[tuple[str, Any]]:
    if isinstance(given, Data):
        extents = given.shape
        return [
            ("is a shape", Sizes(extents)),
            ("is a tuple", [given, given]),
            ("has another dtype", Data(extents, "int16" if "float" in given.dtype else "float32")),
            ("has an axis more", Data((11, *extents), given.dtype)),
            ("has two axes less", Data(extents[2:], given.dtype)),
            ("has other sizes", Data(tuple(extent + 11 for extent in extents), given.dtype)),
        ]
    if isinstance(given, Sizes):
        return [
            ("is a tensor", Data((2,), "int64")),
            ("has other sizes", Sizes(tuple(extent + 11 for extent in given.extents))),
        ]
    if isinstance(given, list) and given and isinstance(given[0], Data):
        first, *rest = given
        return [
            ("is a tensor", first),
            ("is empty", []),
            ("holds a shape", [Sizes((2,)), *rest]),
            ("holds another dtype", [*given, Data(first.shape, "int16" if "float" in first.dtype else "float32")]),
            ("holds another rank", [*given, Data((11, *first.shape), first.dtype)]),
            ("holds other sizes", [*given, Data(tuple(extent + 11 for extent in first.shape), first.dtype)]),
        ]
    return []


def _check_wrong(call: OperatorCall, r: random.Random) -> None:
    """One thing that is wrong with the call has it refused."""
    chances = wrong_calls(call)
    known = [words for words in chances if call.operator in REFUSED.get(words, ())]
    if not known:
        return
    words = r.choice(known)
    wrong, changed = chances[words]
    try:
        taken = made(wrong)
    except InvalidCall as error:
        blamed = {name or changed for name in REFUSED[words][call.operator]}
        _check_place(wrong, error, words, blamed)
        return
    raise AssertionError(f"taken though {words}: {taken}: {taken.struct_info}")


def _check_place(call: OperatorCall, error: InvalidCall, words: str, blamed: set[str]) -> None:
    """An error about an argument points at it, one about an attribute at the whole call."""
    name, span = error.facts["argument"], error.span
    assert name in blamed, f"{words}: {name} is blamed rather than {' or '.join(sorted(blamed))}"
    places = [at for at, each in enumerate(operator(call.operator).arguments) if each.name == name]
    given = call.args[places[0]] if places and places[0] < len(call.args) else None
    is_argument = isinstance(given, Data | Sizes | list)
    assert span is not None, f"{words}: no place"
    assert is_argument == (span.end_column - span.column < 90), f"{words}: the error about {name} is at {span}"


def check_operator_call(call: OperatorCall, seed: int) -> None:
    """Raises an `AssertionError`, or `InvalidCall` where the call is refused."""
    r = random.Random(seed)
    found = made(call)
    assert found.struct_info is not None
    _check_result(call, found)
    _check_less(call, found, r)
    _check_names(call, found, r)
    _check_device(call)
    _check_wrong(call, r)


__all__ = ["check_operator_call", "made", "wrong_calls"]
