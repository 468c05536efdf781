"""Print Relax calls: `R.nn.softmax(x, axis=-1)`, `R.call_tir(cls.f, (x,), out_sinfo=...)`."""

from __future__ import annotations

import keyword
import math
from collections.abc import Mapping
from typing import Any, Final

from tvmscript.ir.core import INT32, DType, Op
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.distributed import DeviceMesh, DTensorStructInfo, Placement
from tvmscript.ir.relax.expr import Call, ExternFunc, StringImm, Tuple
from tvmscript.ir.relax.struct_info import TupleStructInfo
from tvmscript.ir.tir import IntImm
from tvmscript.printer.attribute_values import value
from tvmscript.printer.errors import NoText
from tvmscript.printer.literals import float_digits, string, tuple_text
from tvmscript.printer.printer import Printer, expr_rule
from tvmscript.printer.relax.distributed import mesh
from tvmscript.printer.relax.state import CallRule, integers, relax_state
from tvmscript.printer.relax.struct_info import device


def attribute(p: Printer, item: object) -> str:
    """Return the value of an attribute."""
    for kind, rule in relax_state(p).attribute_rules.items():
        if isinstance(item, kind):
            return rule(p, item)
    if isinstance(item, DType):
        return f'"{p.spelling.dtype(item)}"'
    if isinstance(item, bool):
        return str(item)
    if isinstance(item, float):
        return float_digits(item) if math.isfinite(item) else f'float("{item}")'
    if isinstance(item, (tuple, list)):
        return f"[{', '.join([attribute(p, part) for part in item])}]"
    if isinstance(item, VDevice):
        return device(p, item)
    if isinstance(item, DeviceMesh):
        return mesh(p, item)
    if isinstance(item, Placement):
        return string(str(item))
    if isinstance(item, dict):
        return f"{{{', '.join([f'{string(key)}: {_dictionary_value(p, item[key])}' for key in sorted(item)])}}}"
    return value(p, item)


def _dictionary_value(p: Printer, item: object) -> str:
    """Return a value of a dictionary: an int32 constant as a Python integer, which reads back as one."""
    return str(item.value) if type(item) is IntImm and item.dtype == INT32 else attribute(p, item)


def arguments(p: Printer, call: Call) -> list[str]:
    """Return the arguments of a call."""
    return [p.expr(arg) for arg in call.args]


def keywords(p: Printer, call: Call) -> list[str]:
    """Return the attributes of a call, in the order of its operator, without empty dictionaries.

    Attributes that the TVM of the dialect lacks are left out if they have the neutral value. Raises `NoText` otherwise.
    """
    op: Any = call.op
    dropped = p.spelling.dropped_attributes
    unknown: Mapping[str, object] = dropped or op.v0_27_attributes
    texts: list[str] = []
    for name, item in call.attrs.items():
        if item == {} or (name in unknown and item == unknown[name]):
            continue
        if name in dropped:
            raise NoText(what=f"the attribute {name} of {op.script_name} in the dialect {p.spelling.dialect}")
        texts.append(f"{name}={attribute(p, item)}")
    return texts


def infos(p: Printer, struct_infos: tuple[StructInfo, ...], *, is_called: bool = False) -> str:
    """Return `(R.Object,)`, or `(R.Object(),)` if `is_called`."""
    texts = [p.expr(info) for info in struct_infos]
    if is_called:
        texts = [text if "(" in text else f"{text}()" for text in texts]
    return tuple_text(texts)


def call_text(p: Printer, name: str, parts: list[str]) -> str:
    """Return a call of a function in R."""
    return f"{relax_state(p).prefix}{name}({', '.join(parts)})"


def _symbol(p: Printer, callee: Any) -> str:
    """Return the callee; an external function by its name."""
    return string(callee.global_symbol) if type(callee) is ExternFunc else p.expr(callee)


def call_tensor_function(p: Printer, call: Call, name: str) -> str:
    """Return `R.call_tir(cls.f, (x,), out_sinfo=..., tir_vars=...)`, and similar calls."""
    if len(call.args) < 2 or not call.sinfo_args:
        raise NoText(what=f"{relax_state(p).prefix}{name} without arguments or without the struct info of its result")
    callee, args, *sizes = call.args
    info = call.sinfo_args[0]
    out = f"[{p.exprs(info.fields)}]" if isinstance(info, TupleStructInfo) else p.expr(info)
    parts = [_symbol(p, callee), p.expr(args), f"{p.spelling.out_info}={out}", *keywords(p, call)]
    results = info.fields if isinstance(info, TupleStructInfo) else (info,)
    if name == "call_tir" and any(isinstance(result, DTensorStructInfo) for result in results):
        name = "dist.call_tir"
    if sizes:
        parts.append(f"tir_vars={p.expr(sizes[0])}")
    return call_text(p, name, parts)


def _packed_call(p: Printer, call: Call, name: str) -> str:
    """Return `R.call_pure_packed("f", x, sinfo_args=...)`."""
    return write_packed_call(p, call, name, result_info(p, call))


def write_packed_call(p: Printer, call: Call, name: str, result: list[str]) -> str:
    """Return a call whose first argument is the callee."""
    callee, *args = call.args
    return call_text(p, name, [_symbol(p, callee), *[p.expr(arg) for arg in args], *keywords(p, call), *result])


def result_info(p: Printer, call: Call, *, is_called: bool = False) -> list[str]:
    """Return the argument for the struct info of the result, if the call has one; see `infos`."""
    return [f"{p.spelling.info_args}={infos(p, call.sinfo_args, is_called=is_called)}"] if call.sinfo_args else []


def _with_format(count: int) -> CallRule:
    """Return the rule for `R.print(x, format=R.str("{}"))`, where the format follows `count` arguments."""

    def rule(p: Printer, call: Call, name: str) -> str:
        args = [*call.args[:count], *call.args[count + 1 :]]
        return call_text(p, name, [*[p.expr(arg) for arg in args], f"format={p.expr(call.args[count])}"])

    return rule


def _in_order(*order: int) -> CallRule:
    """Return the rule for calls whose function in R has another order of arguments."""

    def rule(p: Printer, call: Call, name: str) -> str:
        return call_text(p, name, [*[p.expr(call.args[at]) for at in order], *keywords(p, call)])

    return rule


def _on_device(p: Printer, call: Call, name: str) -> str:
    """Return `R.hint_on_device(x, R.device(dev_type=1, dev_id=0), "shared")`."""
    kind, number = p.spelling.device
    device = f"{relax_state(p).prefix}device({kind}={call.attrs['dev_type']}, {number}={call.attrs['dev_id']})"
    scope = call.attrs["memory_scope"]
    is_written = p.spelling.names_memory_scope or scope != "global"
    return call_text(p, name, [*arguments(p, call), device, *([string(scope)] if is_written else [])])


def _python_call(p: Printer, call: Call, name: str) -> str:
    """Return `R.call_py_func("work", x, out_ty=...)`."""
    callee, arg_tuple = call.args
    args = arg_tuple.fields if isinstance(arg_tuple, Tuple) else None
    if not isinstance(callee, StringImm) or args is None:
        raise NoText(what=f"{relax_state(p).prefix}{name} of a name or arguments that are variables")
    parts = [
        string(callee.value),
        *[p.expr(arg) for arg in args],
        f"{p.spelling.out_info}={p.expr(call.sinfo_args[0])}",
    ]
    return call_text(p, name, parts)


#: operators whose calls have a form of their own
CALL_RULES: Final[dict[str, CallRule]] = {
    **dict.fromkeys(
        ("relax.call_tir", "relax.call_tir_inplace", "relax.call_tir_with_grad", "relax.call_dps_packed",
         "relax.dist.call_tir_local_view"),
        call_tensor_function,
    ),
    **dict.fromkeys(
        ("relax.call_pure_packed", "relax.call_inplace_packed", "relax.call_builtin_with_ctx",
         "relax.invoke_closure", "relax.invoke_pure_closure"),
        _packed_call,
    ),
    "relax.print": _with_format(0),
    "relax.assert_op": _with_format(1),
    "relax.call_py_func": _python_call,
    "relax.hint_on_device": _on_device,
    # TVM prints the order of the call, which reads back with key starts as query lengths
    "relax.nn.attention_var_len": _in_order(0, 1, 2, 3, 5, 4, 6),
}  # fmt: skip


def _packed_attributes(p: Printer, call: Call) -> list[str]:
    """Return the attributes of a call of an external function, which may have any names."""
    for name in call.attrs:
        if not name.isidentifier() or keyword.iskeyword(name) or name in ("sinfo_args", "ty_args", "func", "span"):
            raise NoText(what=f"the attribute {name} of a call of an external function")
    if not p.spelling.typed_packed_attributes or not call.attrs or "attrs_type_key" in call.attrs:
        return [f"{name}={_packed_attribute(p, item)}" for name, item in call.attrs.items()]
    return [
        'attrs_type_key="DictAttrs"',
        *[f"{name}={_packed_attribute(p, call.attrs[name])}" for name in sorted(call.attrs)],
    ]


def _packed_attribute(p: Printer, item: object) -> str:
    """Return an attribute of a call of an external function; a device is written in full."""
    if isinstance(item, VDevice):
        with integers(p, relax_state(p).outer_int_dtype):
            return value(p, item)
    if isinstance(item, bool) and p.spelling.typed_packed_attributes:
        return f"{p.tir}bool({item})"  # True reads back as 1
    return attribute(p, item)


@expr_rule(Call)
def _call(p: Printer, node: Call, level: int) -> str:
    op = node.op
    if isinstance(op, Op):
        name = op.name.removeprefix("relax.")
        rule = relax_state(p).call_rules.get(op.name) or CALL_RULES.get(op.name)
        if rule is not None:
            return rule(p, node, name)
        return call_text(p, name, [*arguments(p, node), *keywords(p, node), *result_info(p, node)])
    if type(op) is ExternFunc:
        parts = [string(op.global_symbol), *arguments(p, node), *_packed_attributes(p, node), *result_info(p, node)]
        return call_text(p, "call_packed", parts)
    if node.attrs:
        raise NoText(what=f"the attributes {', '.join(node.attrs)} of a call of a function")
    return f"{p.expr(op)}({', '.join([*arguments(p, node), *result_info(p, node)])})"


def tuple_expr(p: Printer, node: Tuple) -> str:
    """Return `(x, y)`, `(x,)`, `R.tuple()`."""
    if not node.fields:
        return f"{relax_state(p).prefix}tuple()"
    return tuple_text([p.expr(field) for field in node.fields])
