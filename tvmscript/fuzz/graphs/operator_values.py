"""Kernels of operators compute what the NumPy references of the operators do: any operator, any call of it."""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tvmscript.fuzz.errors import LevelsDisagree
from tvmscript.fuzz.observing import observe, observe_error
from tvmscript.fuzz.relax.operator_laws import made
from tvmscript.ir.core import nodes
from tvmscript.ir.core.errors import DTypeMismatch, WrongType
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.op import Op
from tvmscript.ir.relax import expr
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import ShapeStructInfo, TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import definable_tir_vars_in_struct_info, tir_vars_in_struct_info
from tvmscript.ir.relax.transform.operators.legalize_ops import LegalizeOps
from tvmscript.ir.tir import IntImm
from tvmscript.testing.operator_calls import operator_call

#: operators that become kernels
LEGALIZED: Final = sorted(
    name.removeprefix("relax.")
    for name, op in Op.registry.items()
    if isinstance(op, Operator) and (op.legalize or op.expand)
)
#: operators whose result no reference tells, or that are several kernels; that of batch_norm is inference, as 0.27 has
#: it, the kernel trains
UNTOLD: Final = frozenset({
    "image.grid_sample", "image.resize3d", "vision.all_class_non_max_suppression", "vision.non_max_suppression",
    "vision.roi_align", "vision.roi_pool", "ccl.allgather", "ccl.allreduce", "ccl.broadcast_from_worker0",
    "ccl.scatter_from_worker0", "dist.redistribute_replica_to_shard", "image.resize2d", "collapse_sum_like",
    "nn.batch_norm", "grad.nll_loss_backward", "grad.max_pool2d_backward", "grad.avg_pool2d_backward",
    "layout_transform", "dynamic_strided_slice",
})  # fmt: skip
TOLD: Final = tuple(name for name in LEGALIZED if name not in UNTOLD)
#: operators whose integers behind the first tensor are places in it, whatever their dtype
_WITH_PLACES: Final = ("gather", "index", "take", "scatter", "reverse_sequence")
#: least value of a float argument, where 0 is none
_LEAST: Final = {"acosh": 1.0}

#: (a module, arrays) -> the results of `main`
Run = Callable[[IRModule, Sequence[Any]], Any]


@dataclass(frozen=True)
class OperatorValues:
    """A call of an operator that the seed draws."""

    name: str
    seed: int


def module_of(call: expr.Call) -> IRModule:
    """Return a function of the call; its parameters are the variables of the call and the sizes beside them."""
    names = iter("xyzuvwabcdef")
    params: list[expr.Var] = []

    def param(value: Any) -> Any:
        if isinstance(value, expr.Tuple):
            return expr.Tuple(tuple(param(field) for field in value.fields))
        if not isinstance(value, expr.Var):
            return value
        params.append(expr.Var(next(names), value.struct_info))
        return params[-1]

    call = call.replace(args=tuple(param(arg) for arg in call.args))
    infos = [param.struct_info for param in params if param.struct_info is not None]
    defined = {size for info in infos for size in definable_tir_vars_in_struct_info(info)}
    beside = [
        size
        for arg in call.args
        if arg.struct_info is not None
        for size in tir_vars_in_struct_info(arg.struct_info)
        if size not in defined
    ]
    if beside:
        params.append(expr.Var("sizes", ShapeStructInfo(tuple(dict.fromkeys(beside)))))
    bb = BlockBuilder()
    with bb.function("main", params):
        with bb.dataflow():
            value = bb.emit_output(call)
        bb.emit_func_output(value)
    return bb.get()


def check_values(example: OperatorValues, run: Run) -> bool:
    """Compare kernels on small arrays with the reference; return whether there were any. Raises `LevelsDisagree`."""
    mod = module_of(made(operator_call(example.name, random.Random(example.seed))))
    try:
        legalized = LegalizeOps()(mod)
    except (WrongType, DTypeMismatch) as error:
        observe_error(error)
        return False  # the inventory has the operator for other dtypes
    observe("legalized", legalized.script)
    main = mod["main"]
    assert isinstance(main, Function)
    call = next(node for node in nodes(main) if isinstance(node, expr.Call))
    infos = [info for param in main.params if isinstance(info := param.struct_info, TensorStructInfo)]
    if legalized is mod or len(infos) != len(main.params):
        return False
    arrays = _arrays(example, infos, main.ret_struct_info)
    if example.name in _SECOND:
        second = _SECOND[example.name](np.random.default_rng(example.seed), arrays, dict(call.attrs))
        if second is None:
            return False  # there are more updates than elements
        arrays[1] = second
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
        try:
            expected = run(mod, arrays)
        except ValueError:
            return False  # NumPy has no integer for a value beside the tensor
    narrowest = min([array.dtype.itemsize for array in arrays if array.dtype.kind == "f"], default=8)
    _compare(example.name, run(legalized, arrays), expected, narrowest)
    return True


def _arrays(example: OperatorValues, infos: Sequence[TensorStructInfo], result: StructInfo | None) -> list[Any]:
    rng = np.random.default_rng(example.seed)
    least = _LEAST.get(example.name, 0.0)
    has_ties, has_places = rng.random() < 0.5, any(word in example.name for word in _WITH_PLACES)
    shapes = [[extent.value for extent in info.extents or () if isinstance(extent, IntImm)] for info in infos]
    is_signed = not (isinstance(result, TensorStructInfo) and str(result.dtype).startswith("uint"))
    places = max(1, min((size for shape in shapes for size in shape), default=1))
    arrays: list[Any] = []
    for place, (info, shape) in enumerate(zip(infos, shapes, strict=True)):
        dtype = str(info.dtype)
        is_index = place > 0 and (infos[0].dtype is not info.dtype or has_places)
        if dtype == "bool":
            arrays.append(rng.integers(0, 2, shape).astype(bool))
        elif "float" in dtype and has_ties:
            arrays.append(np.asarray(_halves(rng, shape, has_zero=place == 0, is_signed=is_signed), dtype))
        elif "float" in dtype:
            arrays.append(rng.uniform(least + 0.1, least + 0.9, shape).astype(dtype))
        else:
            arrays.append(rng.integers(*((0, places) if is_index else (1, 5)), shape).astype(dtype))
    return arrays


def _halves(rng: np.random.Generator, shape: Sequence[int], *, has_zero: bool, is_signed: bool) -> Any:
    """Return numbers among which there are equal ones, and ties of roundings; divisors are not 0."""
    numbers = rng.integers(0 if has_zero else 1, 6, shape) / 2
    return numbers * rng.choice((-1, 1), shape) if is_signed else numbers


def _places_along_axis(rng: np.random.Generator, arrays: Sequence[Any], attrs: Mapping[str, Any]) -> Any:
    """Return places of scatter_elements: no line along the axis has one twice."""
    data, places = arrays[:2]
    axis = int(attrs["axis"]) % data.ndim
    lines = np.argsort(rng.random((*places.shape[:axis], data.shape[axis], *places.shape[axis + 1 :])), axis)
    return np.take(lines, np.arange(places.shape[axis]), axis).astype(places.dtype)


def _places_of_slices(rng: np.random.Generator, arrays: Sequence[Any], attrs: Mapping[str, Any]) -> Any:
    """Return places of scatter_nd, each once; None where there are fewer."""
    data, places = arrays[:2]
    *updates, count = places.shape
    sizes = data.shape[:count]
    if math.prod(updates) > math.prod(sizes):
        return None
    chosen = rng.permutation(math.prod(sizes))[: math.prod(updates)]
    return np.stack(np.unravel_index(chosen, sizes), -1).reshape(places.shape).astype(places.dtype)


def _sorted_boundaries(_: np.random.Generator, arrays: Sequence[Any], __: Mapping[str, Any]) -> Any:
    return np.sort(arrays[1])


#: operator -> the draw of its second array: places that are there once, where updates of one element have no order;
#: boundaries in order
_SECOND: Final = {
    "scatter_elements": _places_along_axis,
    "scatter_nd": _places_of_slices,
    "bucketize": _sorted_boundaries,
}


def _compare(name: str, actual: Any, expected: Any, narrowest: int) -> None:
    """Compare values up to the rounding errors of the narrowest float, of that many bytes."""
    if isinstance(expected, (list, tuple)):
        fields = actual if isinstance(actual, (list, tuple)) else [actual]  # a tuple of one
        for left, right in zip(fields, expected, strict=True):
            _compare(name, left, right, narrowest)
        return
    after, before = (np.asarray(each) for each in (actual, expected))
    is_float = before.dtype.kind == "f"
    tolerance = {2: 5e-2, 4: 1e-5, 8: 1e-6}[min(before.dtype.itemsize, narrowest)] if is_float else 0.0
    if "norm" in name:
        tolerance = max(tolerance, 1e-3)  # variances are differences
    if after.dtype != before.dtype or after.shape != before.shape:
        raise _differ(name, "", f"{before.dtype}{before.shape}", f"{after.dtype}{after.shape}")
    if is_float and not np.isfinite(before).all():
        return  # sums of narrow floats overflow in one order
    near = np.isclose(after.astype("float64"), before.astype("float64"), tolerance, tolerance, equal_nan=True)
    if "avg_pool" in name:
        near |= np.isnan(after) & (before == 0)  # of a window of padding alone
    for at in np.argwhere(~near)[:1]:
        raise _differ(name, at.tolist(), before[tuple(at)], after[tuple(at)])


def _differ(name: str, index: object, before: object, after: object) -> LevelsDisagree:
    return LevelsDisagree(
        name=f"the kernel of {name}", other="NumPy", buffer="", index=index, before=before, after=after
    )
