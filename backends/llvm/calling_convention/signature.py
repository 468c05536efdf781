"""Signature of a function for its callers: the parameters, also those that a packed function unpacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from tvmscript.ir.core import HANDLE, INT32, BaseFunc, Op, nodes
from tvmscript.ir.tir import EQ, AssertStmt, Buffer, Call, DeclBuffer, Expr, IntImm, LetStmt, PrimFunc, Var
from tvmscript.ir.transform.calling_convention.make_packed_api.signature import FFISignature
from tvmscript.ir.transform.calling_convention.runtime_fields import Field
from tvmscript.ir.transform.function_attributes import CallingConv

#: What the symbols of packed functions begin with.
PREFIX: Final = FFISignature.prefix
#: attribute of functions whose arrays are in the memory of a device: "cuda"
DEVICE_TYPE: Final = "tvmscript.device_type"
#: the number of the device that the arrays of such a function are on, in its body and in those that it calls
DEVICE_ID: Final = Var("device_id", INT32)


@dataclass(frozen=True)
class Interface:
    """Parameters of a compiled function, as its caller passes them."""

    #: a variable for each argument
    params: tuple[Var, ...]
    #: arrays among them, with the buffers that they are
    buffers: Mapping[Var, Buffer] = field(default_factory=dict)
    #: how many arguments there must be; None where nobody looks
    count: int | None = None


def is_packed(func: BaseFunc) -> bool:
    """Return whether the function has the packed calling convention of `tir.MakePackedAPI`."""
    value = getattr(func, "attrs", {}).get("calling_conv")
    return bool(getattr(value, "value", value) == CallingConv.C_PACKED)


def is_on_cuda(func: PrimFunc) -> bool:
    """Return whether the arrays of a function are in the memory of a CUDA device."""
    return func.attrs.get(DEVICE_TYPE) == "cuda"


def hidden_variables(func: PrimFunc) -> tuple[Var, ...]:
    """Return the variables of a function that are no parameters and no sizes: the device of its arrays."""
    return (DEVICE_ID,) if is_on_cuda(func) else ()


def interface_of(func: PrimFunc) -> Interface:
    """Return the parameters of a function of any calling convention."""
    if not is_packed(func):
        return Interface(func.params, func.buffer_map, len(func.params))
    _, args, num_args, _ = func.params
    params: dict[int, Var] = {}
    handles: dict[Var, Var] = {}
    buffers: dict[Var, Buffer] = {}
    count: int | None = None
    for node in nodes(func.body):
        if isinstance(node, LetStmt):
            for structure, place, name in _fields(node.value):
                if structure is args and name == Field.ANY_VALUE:
                    params.setdefault(place, node.var)
                elif structure in params.values() and name == Field.DATA:
                    handles.setdefault(node.var, structure)
        elif isinstance(node, DeclBuffer) and node.buffer.data in handles:
            buffers.setdefault(handles[node.buffer.data], node.buffer)
        elif isinstance(node, AssertStmt) and isinstance(node.condition, EQ) and node.condition.a is num_args:
            count = int(node.condition.b) if isinstance(node.condition.b, IntImm) else count
    size = max([count or 0, *(place + 1 for place in params)])
    # an argument that nobody reads has no variable
    listed = [params[place] if place in params else Var(f"argument_{place}", HANDLE) for place in range(size)]
    return Interface(tuple(listed), buffers, count)


def _fields(value: Expr) -> Iterator[tuple[Var, int, int]]:
    """Fields of structures that a value reads: the structure, the place, the number of the field."""
    for node in nodes(value):
        if isinstance(node, Call) and isinstance(node.op, Op) and node.op.name == "tir.tvm_struct_get":
            structure, place, name = node.args
            if isinstance(structure, Var) and isinstance(place, IntImm) and isinstance(name, IntImm):
                yield structure, place.value, name.value
