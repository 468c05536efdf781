"""Operators of graphs in the interpreter: calls in destination-passing style, closures, shapes, printing, memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from tvmscript.backends.runtime.array import NDArray, array, empty
from tvmscript.backends.runtime.errors import KernelAssertion
from tvmscript.backends.vm.values import (
    Value,
    as_function,
    as_items,
    as_shape,
    as_tensor,
    bind_last,
    is_true,
    leaves,
)
from tvmscript.ir.core import DType, GlobalVar
from tvmscript.ir.relax.expr import Call, DataTypeImm, ExternFunc, Tuple
from tvmscript.ir.relax.op.call_tir import tuple_fields
from tvmscript.ir.relax.struct_info import TupleStructInfo

if TYPE_CHECKING:
    from tvmscript.backends.vm.interpreter import Frame

#: a rule: the result of a call of the operator
Rule = Callable[["Frame", Call], Value]


# ---- calls in destination-passing style


def _call_kernel(frame: Frame, call: Call) -> Value:
    callee = call.args[0]
    given = frame.value(call.args[1])
    args: list[Value] = list(given) if isinstance(given, list) else [given]
    infos = tuple_fields(call.sinfo_args[0])
    targets = call.attrs.get("inplace_indices", (-1,) * len(infos))
    results = [
        args[place] if place != -1 else frame.new_tensor(info) for info, place in zip(infos, targets, strict=True)
    ]
    args += [result for result, place in zip(results, targets, strict=True) if place == -1]
    if len(call.args) > 2:
        args.append(frame.value(call.args[2]))
    if isinstance(callee, ExternFunc):
        frame.interpreter.call(callee.global_symbol, frame.packed(callee.global_symbol), leaves(args))
    else:
        assert isinstance(callee, GlobalVar)
        frame.interpreter.call(callee.name_hint, frame.interpreter.function(callee.name_hint), leaves(args))
    return results if isinstance(call.sinfo_args[0], TupleStructInfo) else results[0]


def _call_tir_dyn(frame: Frame, call: Call) -> Value:
    callee = call.args[0]
    assert isinstance(callee, GlobalVar)
    args = leaves(as_items(frame.value(call.args[1])))
    frame.interpreter.call(callee.name_hint, frame.interpreter.function(callee.name_hint), args)
    return []


# ---- packed functions and closures


def _call_packed(frame: Frame, call: Call) -> Value:
    callee = call.args[0]
    args = [frame.value(arg) for arg in call.args[1:]]
    if isinstance(callee, ExternFunc):
        return frame.call_packed(callee.global_symbol, args)
    result: Value = as_function(frame.value(callee))(*args)
    return result


def _call_builtin(frame: Frame, call: Call) -> Value:
    name, args = call.args
    assert isinstance(name, ExternFunc)
    return frame.call(Call(name, args.fields if isinstance(args, Tuple) else (args,)))


def _make_closure(frame: Frame, call: Call) -> Value:
    return bind_last(as_function(frame.value(call.args[0])), as_items(frame.value(call.args[1])))


def _invoke_closure(frame: Frame, call: Call) -> Value:
    result: Value = as_function(frame.value(call.args[0]))(*as_items(frame.value(call.args[1])))
    return result


# ---- shapes and views


def _reshape(frame: Frame, call: Call) -> Value:
    data = as_tensor(frame.value(call.args[0]))
    return data.view(as_shape(frame.value(call.args[1])))


def _view(frame: Frame, call: Call) -> Value:
    value, shape, dtype, offset = frame.args(call)
    data = as_tensor(value)
    return data.view(
        shape if isinstance(shape, tuple) else data.shape,
        dtype if isinstance(dtype, DType) else data.dtype,
        offset if isinstance(offset, int) else 0,
    )


def _shape_of(frame: Frame, call: Call) -> tuple[int, ...]:
    return as_tensor(frame.value(call.args[0])).shape


def _tensor_to_shape(frame: Frame, call: Call) -> tuple[int, ...]:
    return tuple(map(int, as_tensor(frame.value(call.args[0])).numpy()))


def _shape_to_tensor(frame: Frame, call: Call) -> NDArray:
    return array(np.array(frame.value(call.args[0]), np.int64), frame.interpreter.device)


def _same(frame: Frame, call: Call) -> Value:
    return frame.value(call.args[0])


# ---- printing and assertions


def _print(frame: Frame, call: Call) -> Value:
    form, *values = frame.args(call)
    print(_formatted(str(form), values))
    return []


def _assert(frame: Frame, call: Call) -> Value:
    """Raise `KernelAssertion` where the condition does not hold."""
    condition, form, *values = frame.args(call)
    if not is_true(condition):
        text = _formatted(str(form), values)
        raise KernelAssertion(text=f"{frame.name}: {text}" if text else f"{frame.name}: an assertion does not hold")
    return []


def _formatted(form: str, values: Sequence[Value]) -> str:
    return form.format(*values) if form else " ".join(map(str, values))


# ---- memory


def _alloc_tensor(frame: Frame, call: Call) -> NDArray:
    return empty(as_shape(frame.value(call.args[0])), _dtype(call, 1), frame.interpreter.device)


def _alloc_storage(frame: Frame, call: Call) -> NDArray:
    return empty(as_shape(frame.value(call.args[0])), "uint8", frame.interpreter.device)


def _tensor_in_storage(frame: Frame, call: Call) -> NDArray:
    storage, offset, shape = [frame.value(arg) for arg in call.args[:3]]
    assert isinstance(offset, int)
    return as_tensor(storage).view(as_shape(shape), _dtype(call, 3), offset)


def _dtype(call: Call, place: int) -> DType:
    argument = call.args[place]
    assert isinstance(argument, DataTypeImm)
    return argument.value


def _nothing(frame: Frame, call: Call) -> Value:
    return []


#: name of an operator without `relax.` -> its rule
RULES: Final[dict[str, Rule]] = {
    **dict.fromkeys(("call_tir", "call_tir_inplace", "call_tir_with_grad", "call_dps_packed"), _call_kernel),
    **dict.fromkeys(("call_pure_packed", "call_inplace_packed"), _call_packed),
    "call_builtin_with_ctx": _call_builtin,
    "make_closure": _make_closure,
    **dict.fromkeys(("invoke_closure", "invoke_pure_closure"), _invoke_closure),
    "reshape": _reshape,
    "memory.view": _view,
    **dict.fromkeys(("memory.ensure_zero_offset", "builtin.stop_lift_params"), _same),
    **dict.fromkeys(("to_vdevice", "hint_on_device"), _same),
    "shape_of": _shape_of,
    "tensor_to_shape": _tensor_to_shape,
    "shape_to_tensor": _shape_to_tensor,
    "null_value": lambda frame, call: None,
    "print": _print,
    "assert_op": _assert,
    "builtin.alloc_tensor": _alloc_tensor,
    **dict.fromkeys(("memory.alloc_storage", "vm.alloc_storage"), _alloc_storage),
    **dict.fromkeys(("memory.alloc_tensor", "vm.alloc_tensor"), _tensor_in_storage),
    **dict.fromkeys(("memory.kill_tensor", "memory.kill_storage", "vm.kill_object"), _nothing),
    "vm.call_tir_dyn": _call_tir_dyn,
}
