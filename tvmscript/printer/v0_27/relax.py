"""Relax in the dialect 0.27: scalars are values of TIR, and a scalar parameter is also a size.

Sizes that a signature introduces are declared as `TypeVar`s before the functions. The known value of a scalar,
`R.Prim(value=n)`, has no syntax: a parameter of type `T.int64` denotes the size of the same name.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from tvmscript.ir.core import VOID, DType, Node, nodes
from tvmscript.ir.core.values.constant_data import pack
from tvmscript.ir.core.values.float_formats import FORMATS
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.distributed import DTensorStructInfo
from tvmscript.ir.relax.expr import Call, Constant, MatchCast, PrimValue, StringImm
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import FuncStructInfo, ObjectStructInfo, PrimStructInfo, TupleStructInfo
from tvmscript.ir.relax.symbolic_shape import scalar_of
from tvmscript.ir.tir import Expr, IntImm, Var
from tvmscript.ir.tir.expr import StringImm as TextImm
from tvmscript.printer.attribute_values import dictionary
from tvmscript.printer.errors import NoText
from tvmscript.printer.literals import float_digits
from tvmscript.printer.printer import Printer
from tvmscript.printer.relax.annotations import annotation
from tvmscript.printer.relax.calls import (
    CALL_RULES,
    arguments,
    attribute,
    call_tensor_function,
    call_text,
    keywords,
    result_info,
    write_packed_call,
)
from tvmscript.printer.relax.functions import constant, scalar_constant, write_match_cast
from tvmscript.printer.relax.state import STATES, RelaxState, integers, relax_state
from tvmscript.printer.relax.struct_info import callable_info
from tvmscript.printer.v0_27.dialect import expr_rule, stmt_rule
from tvmscript.printer.v0_27.spelling import ATTRIBUTE_ARGUMENTS, BOOLEANS
from tvmscript.printer.v0_27.tir import digits

#: dtypes of arrays whose elements are written as numbers
_LISTED: Final = frozenset(("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
                            "float32", "float64", "bool"))  # fmt: skip
#: larger arrays are in the section `metadata`, as all arrays are in 0.17; TVM 0.27 does not read it
_WRITTEN_OUT: Final = 4096


# signatures and struct info


class _State(RelaxState):
    def annotation(self, p: Printer, info: StructInfo, *, is_parameter: bool = False, value: Node | None = None) -> str:
        if isinstance(info, PrimStructInfo):
            # a parameter `T.int64` is a size; one without a known value is not
            return p.expr(info) if is_parameter and info.value is None else f"{p.tir}{p.spelling.dtype(info.dtype)}"
        if type(value) is StringImm and isinstance(info, ObjectStructInfo):
            p.uses_ir = True
            return f"{p.ir}StringType()"
        return p.expr(info)

    def size(self, p: Printer, value: Expr) -> str:
        if not self.introduced:
            return super().size(p, value)
        for part in nodes(value):
            if isinstance(part, Var) and part in self.introduced and part not in p.names:
                if part.dtype != "int64":
                    raise NoText(what=f"a size of type {part.dtype} in the dialect 0.27")
                p.type_variables.add(p.define(part, part.name or "v", self.frame))
        return p.expr(value) if isinstance(value, Var) else super().size(p, value)

    def name_parameters(self, p: Printer, func: Function) -> None:
        """Name the sizes that scalar parameters introduce after the parameters. Raises `NoText`."""
        sizes: set[Node] = set()
        for param in func.params:
            info = param.struct_info
            if isinstance(info, PrimStructInfo) and info.value is not None:
                if not isinstance(info.value, Var):
                    raise NoText(what=f"the scalar {param.name_hint} of the value {info.value} in the dialect 0.27")
                if info.value in sizes or info.value in p.names:
                    what = f"the scalar {param.name_hint}, whose value another parameter has, in the dialect 0.27"
                    raise NoText(what=what, hint="make it the first parameter with this size")
                p.names[info.value] = p.define(param, param.name_hint or "v")
            if info is not None:
                sizes.update(part for part in nodes(info) if isinstance(part, Var))

    def number(self, item: float) -> str:
        return digits(item) if math.isfinite(item) else f'float("{item}")'


@expr_rule(PrimStructInfo)
def _prim(p: Printer, node: PrimStructInfo, level: int) -> str:
    return f'{relax_state(p).prefix}Prim("{p.spelling.dtype(node.dtype)}")'


@expr_rule(FuncStructInfo)
def _callable(p: Printer, node: FuncStructInfo, level: int) -> str:
    _refuse_values(node)
    return callable_info(p, node, level)


@stmt_rule(MatchCast)
def _match_cast(p: Printer, node: MatchCast) -> None:
    """Write a cast; a variable that a cast to a scalar defines gets the name of the result. Raises `NoText`."""
    value = p.expr(node.value)
    name = p.define(node.var, node.var.name_hint or "v")
    info = node.struct_info
    if isinstance(info, PrimStructInfo) and isinstance(info.value, Var) and info.value not in p.names:
        p.names[info.value] = name
    else:
        _refuse_values(info)
    write_match_cast(p, node, value, name, annotation(p, info))


def _refuse_values(info: StructInfo) -> None:
    """Raise `NoText` if the struct info contains the value of a scalar."""
    if any(isinstance(part, PrimStructInfo) and part.value is not None for part in _parts(info)):
        raise NoText(what="the known value of a scalar in struct info (R.Prim(value=...)) in the dialect 0.27")


def _parts(info: StructInfo | None) -> list[StructInfo]:
    if isinstance(info, TupleStructInfo):
        return [info, *[part for field in info.fields for part in _parts(field)]]
    if isinstance(info, FuncStructInfo):
        return [info, *[part for item in (*(info.params or ()), info.ret) for part in _parts(item)]]
    return [] if info is None else [info]


# values


@expr_rule(PrimValue)
def _prim_value(p: Printer, node: PrimValue, level: int) -> str:
    value = node.value
    if isinstance(value, IntImm) and value.dtype.is_bool:
        return str(bool(value.value))
    with integers(p):
        return p.expr(value)


@expr_rule(Constant)
def _constant(p: Printer, node: Constant, level: int) -> str:
    if not isinstance(node.struct_info, DTensorStructInfo) and scalar_constant(p, node) is None:
        text = _array_text(p, node)
        if text is not None:
            return text
    return constant(p, node, level)


def _array_text(p: Printer, node: Constant) -> str | None:
    """Return `R.const([[1.0, 2.0]], "float32")`, or None if the elements do not read back from that text."""
    data = node.data
    if node.dtype not in _LISTED or str(data.dtype) != node.dtype or not 0 < math.prod(data.shape) <= _WRITTEN_OUT:
        return None
    items = (data.reshape(-1) if hasattr(data, "reshape") else data).tolist()
    if pack(items, node.dtype, tuple(data.shape)).tobytes() != data.tobytes():
        return None  # a NaN with a payload
    texts = [_element(item) for item in items]
    for extent in reversed(data.shape):
        texts = [f"[{', '.join(texts[at : at + extent])}]" for at in range(0, len(texts), extent)]
    return f'{relax_state(p).prefix}const({texts[0]}, "{node.dtype}")'


def _element(item: object) -> str:
    if not isinstance(item, float):
        return str(item)
    return float_digits(item) if math.isfinite(item) else f'float("{item}")'


def _attribute_dtype(p: Printer, item: DType) -> str:
    return "None" if item is VOID else f'"{p.spelling.dtype(item)}"'


def _attribute_dictionary(p: Printer, items: Mapping[object, object]) -> str:
    return dictionary(p, {key: item.value if isinstance(item, TextImm) else item for key, item in items.items()})


# calls


def _mixed_call(p: Printer, call: Call, name: str) -> str:
    """Return a call with arguments that are attributes or booleans in 0.27."""
    attributes, booleans = ATTRIBUTE_ARGUMENTS.get(name, {}), BOOLEANS.get(name, ())
    positional: list[str] = []
    named = [f"{key}={bool(item) if key in booleans else attribute(p, item)}" for key, item in call.attrs.items()]
    for position, arg in enumerate(call.args):
        scalar = scalar_of(arg)
        if position in booleans and isinstance(scalar, IntImm):
            positional.append(str(bool(scalar.value)))
        elif position in attributes:
            keyword, place = attributes[position]
            named.insert(place, f"{keyword}={_attribute_argument(p, call, arg)}")
        else:
            positional.append(p.expr(arg))
    return call_text(p, name, [*positional, *named, *result_info(p, call)])


def _attribute_argument(p: Printer, call: Call, arg: Node) -> str:
    """Return the number of a scalar argument. Raises `NoText` for other values."""
    scalar = scalar_of(arg)
    if scalar is not None:
        return p.expr(scalar)
    if isinstance(arg, Constant) and not arg.data.shape and arg.dtype not in FORMATS:
        return attribute(p, (arg.data.reshape(-1) if hasattr(arg.data, "reshape") else arg.data).tolist()[0])
    raise NoText(what=f"{call.op.script_name} with {arg} in the dialect 0.27")


def _call_tensor_function(p: Printer, call: Call, name: str) -> str:
    text = call_tensor_function(p, call, name)
    if len(call.args) > 2:
        raise NoText(what=f"tir_vars of {text.partition('(')[0]} in the dialect 0.27")
    return text


def _call_inplace_packed(p: Printer, call: Call, name: str) -> str:
    """Return a call of the function that does not accept bare names of types."""
    return write_packed_call(p, call, name, result_info(p, call, is_called=True))


def _split(p: Printer, call: Call, name: str) -> str:
    """Return a call; one section is no tuple in 0.27."""
    text = call_text(p, name, [*arguments(p, call), *keywords(p, call), *result_info(p, call)])
    info = call.struct_info
    return f"({text},)" if isinstance(info, TupleStructInfo) and len(info.fields) == 1 else text


def _alloc_tensor(p: Printer, call: Call, name: str) -> str:
    """Return a call with the index of the device, which 0.27 always writes."""
    device = ["0"] if len(call.args) == 4 else []
    return call_text(p, name, [*arguments(p, call), *device, *result_info(p, call)])


_State.attribute_rules = {
    DType: _attribute_dtype,
    float: lambda p, item: relax_state(p).number(item),
    dict: _attribute_dictionary,
}
_State.call_rules = {
    **{f"relax.{name}": _mixed_call for name in (*ATTRIBUTE_ARGUMENTS, *BOOLEANS)},
    **{name: _call_tensor_function for name, rule in CALL_RULES.items() if rule is call_tensor_function},
    "relax.call_inplace_packed": _call_inplace_packed,
    "relax.memory.alloc_tensor": _alloc_tensor,
    "relax.split": _split,
    "relax.vm.alloc_tensor": _alloc_tensor,
}
STATES["0.27"] = _State
