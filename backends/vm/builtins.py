"""Packed functions of the virtual machine, `vm.builtin.*`, which passes call; a function gets the frame first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from tvmscript.backends.runtime import errors
from tvmscript.backends.runtime.arguments import describe_value
from tvmscript.backends.runtime.array import NDArray, zeros
from tvmscript.backends.vm.values import FunctionValue, Value, as_shape, bind_last, is_true, leaves
from tvmscript.ir.core import VOID, DType
from tvmscript.ir.core.hooks import hook
from tvmscript.ir.relax.transform.vm.vm_shape_lower import MakeCode, MatchCode

if TYPE_CHECKING:
    from tvmscript.backends.vm.interpreter import Frame


def _require(condition: bool, context: str, expected: str, got: object) -> None:
    """Raise `WrongScalar` unless the condition holds; the context names the value."""
    if not condition:
        raise errors.WrongScalar(function="the graph", name=context.strip(), expected=expected, got=got)


def _match_shape(frame: Frame, value: Value, heap: NDArray | None, rank: int, *rest: int | str) -> Value:
    """Match the extents of a tensor or a shape by pairs of a code and a number; the context comes last."""
    extents = value.shape if isinstance(value, NDArray) else as_shape(value)
    codes, context = [int(each) for each in rest[:-1]], str(rest[-1])
    _require(len(extents) == rank, context, f"{rank} dimensions", len(extents))
    for axis, extent in enumerate(extents):
        code, number = codes[2 * axis : 2 * axis + 2]
        if code == MatchCode.STORE and heap is not None:
            heap.storage[number] = extent
        elif code in (MatchCode.EQUAL_TO_NUMBER, MatchCode.EQUAL_TO_LOAD):
            expected = number if code == MatchCode.EQUAL_TO_NUMBER or heap is None else int(heap.storage[number])
            _require(extent == expected, context, f"the extent {expected} in dimension {axis}", extent)
    return []


def _make_shape(frame: Frame, heap: NDArray | None, rank: int, *codes: int) -> tuple[int, ...]:
    pairs = zip(codes[::2], codes[1::2], strict=True)
    return tuple(
        [number if code == MakeCode.NUMBER or heap is None else int(heap.storage[number]) for code, number in pairs]
    )


def _match_prim_value(frame: Frame, value: int, heap: NDArray, code: int, number: int, context: str) -> Value:
    return _match_shape(frame, (value,), heap, 1, code, number, context)


def _make_prim_value(frame: Frame, heap: NDArray, code: int, number: int) -> int:
    return _make_shape(frame, heap, 1, code, number)[0]


def _check_tensor(frame: Frame, value: Value, rank: int, *rest: DType | str) -> Value:
    *dtype, last = rest
    context = str(last)
    if not isinstance(value, NDArray):
        raise errors.WrongScalar(
            function="the graph", name=context.strip(), expected="a tensor", got=describe_value(value)
        )
    _require(rank in (-1, value.ndim), context, f"{rank} dimensions", value.ndim)
    if dtype and DType(dtype[0]) is not VOID:
        _require(DType(dtype[0]) is value.dtype, context, str(dtype[0]), value.dtype)
    return []


def _check_shape(frame: Frame, value: Value, rank: int, context: str) -> Value:
    is_shape = isinstance(value, tuple) and rank in (-1, len(value))
    _require(is_shape, context, f"a shape of {rank} extents", describe_value(value))
    return []


def _check_prim_value(frame: Frame, value: Value, dtype: DType, context: str) -> Value:
    _require(isinstance(value, (bool, int, float)), context, str(dtype), describe_value(value))
    return []


def _check_tuple(frame: Frame, value: Value, size: int, context: str) -> Value:
    is_tuple = isinstance(value, list) and len(value) == size
    _require(is_tuple, context, f"a tuple of {size} values", describe_value(value))
    return []


def _check_func(frame: Frame, value: Value, context: str) -> Value:
    _require(callable(value), context, "a function", describe_value(value))
    return []


def _call_tir_dyn(frame: Frame, kernel: FunctionValue, *args: Value) -> Value:
    """Call a kernel; a shape is passed as its extents."""
    frame.interpreter.call(getattr(kernel, "name", "call_tir_dyn"), kernel, leaves(args))
    return []


def _invoke_debug_func(frame: Frame, effect: Value, name: str, line: str, *args: Value) -> Value:
    """Call a global function with a line of the model and values; the effect orders such calls."""
    frame.call_packed(name, (line, *args))
    return effect


def _debug_print(frame: Frame, line: str, value: NDArray) -> Value:
    print(f"{line}: shape = {value.shape}, dtype = {value.dtype}, data =\n{value.numpy()}")
    return []


def _get_cached_alloc(frame: Frame, function: FunctionValue, index: int) -> Value:
    graphs = frame.interpreter.cuda_graphs
    return function() if graphs is None else graphs.cached_alloc(function, index)


def _run_or_capture(frame: Frame, function: FunctionValue, args: list[Value], index: int) -> Value:
    graphs = frame.interpreter.cuda_graphs
    return function(*args) if graphs is None else graphs.run_or_capture(function, args, index)


#: name without `vm.builtin.` -> function
_FUNCTIONS: Final[dict[str, Callable[..., Value]]] = {
    "alloc_shape_heap": lambda frame, size: zeros((size,), "int64"),
    "match_shape": _match_shape,
    "make_shape": _make_shape,
    "match_prim_value": _match_prim_value,
    "make_prim_value": _make_prim_value,
    "check_tensor_info": _check_tensor,
    "check_shape_info": _check_shape,
    "check_prim_value_info": _check_prim_value,
    "check_tuple_info": _check_tuple,
    "check_func_info": _check_func,
    "shape_of": lambda frame, value: tuple(value.shape),
    "tensor_to_shape": lambda frame, value: tuple(map(int, value.numpy())),
    "copy": lambda frame, value: value.copyto(value.device) if isinstance(value, NDArray) else value,
    "reshape": lambda frame, value, shape: value.view(shape),
    "ensure_zero_offset": lambda frame, value: value,
    "null_value": lambda frame: None,
    "read_if_cond": lambda frame, value: is_true(value),
    "tuple_getitem": lambda frame, value, index: value[index],
    "make_closure": lambda frame, function, *captured: bind_last(function, captured),
    "invoke_closure": lambda frame, closure, *args: closure(*args),
    "call_tir_dyn": _call_tir_dyn,
    "cuda_graph.get_cached_alloc": _get_cached_alloc,
    "cuda_graph.run_or_capture": _run_or_capture,
    "invoke_debug_func": _invoke_debug_func,
    "debug_print": _debug_print,
    "to_device": lambda frame, value, *device: value,
}
#: the functions by their full names
BUILTINS: Final[dict[str, Callable[..., Value]]] = {
    **{f"vm.builtin.{name}": function for name, function in _FUNCTIONS.items()},
    "runtime.TVMArrayCreateView": lambda frame, data, shape, dtype, offset: data.view(shape, dtype, offset),
}


@hook
def more_builtins() -> Mapping[str, Callable[..., Value]]:
    """Return the builtins of higher layers by name: they take no frame."""
    raise NotImplementedError


def find_builtin(name: str) -> Callable[..., Value] | None:
    """Return the builtin of a name, which takes the frame first; None where there is none."""
    if name in BUILTINS:
        return BUILTINS[name]
    function = more_builtins().get(name) if name.startswith("vm.builtin.") else None
    return None if function is None else partial(_call_without_frame, function)


def _call_without_frame(function: Callable[..., Value], frame: Frame, *args: Value) -> Value:
    result = function(*args)
    return [] if result is None else result
