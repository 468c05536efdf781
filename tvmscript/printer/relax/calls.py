"""Calls of the graph level as text: `R.nn.softmax(x, axis=-1)`, `R.call_tir(cls.f, (x,), out_sinfo=...)`."""

from __future__ import annotations

import keyword
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from tvmscript.ir.core.dtype import INT32, VOID, DType
from tvmscript.ir.core.float_formats import FORMATS
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.core.op import Op
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.distributed import DeviceMesh, DTensorStructInfo, Placement
from tvmscript.ir.relax.expr import Call, Constant, ExternFunc, StringImm, Tuple
from tvmscript.ir.relax.struct_info import TupleStructInfo
from tvmscript.ir.relax.symbolic_shape import scalar_of
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.expr import StringImm as TextImm
from tvmscript.printer.attribute_values import dictionary, value
from tvmscript.printer.errors import NoText
from tvmscript.printer.literals import float_digits, string
from tvmscript.printer.printer import Printer, expr_rule
from tvmscript.printer.relax.distributed import mesh
from tvmscript.printer.relax.state import graph_of, integers
from tvmscript.printer.relax.struct_info import device
from tvmscript.printer.v0_27.tir import digits
from tvmscript.printer.v0_27.words import DROPPED, FLAGS, NAMED


def attribute(p: Printer, item: Any) -> str:
    """The value of an attribute."""
    if isinstance(item, DType):
        return "None" if p.tirx and item is VOID else f'"{p.words.dtypes.get(item, item)}"'
    if isinstance(item, bool):
        return str(item)
    if isinstance(item, float):
        if p.tirx and math.isfinite(item):
            return digits(item)
        return float_digits(item) if math.isfinite(item) else f'float("{item}")'
    if isinstance(item, tuple | list):
        return f"[{', '.join([attribute(p, part) for part in item])}]"
    if isinstance(item, VDevice):
        return device(p, item)
    if isinstance(item, DeviceMesh):
        return mesh(p, item)
    if isinstance(item, Placement):
        return string(str(item))
    if isinstance(item, dict) and p.tirx:
        texts = {key: part.value if isinstance(part, TextImm) else part for key, part in item.items()}
        return dictionary(p, texts)
    if isinstance(item, dict):
        return f"{{{', '.join([f'{string(key)}: {_said(p, item[key])}' for key in sorted(item)])}}}"
    return value(p, item)


def _said(p: Printer, item: Any) -> str:
    """A value in a mapping: integers as Python writes them, if they are read back as what they are."""
    return str(item.value) if type(item) is IntImm and item.dtype == INT32 else attribute(p, item)


def arguments(p: Printer, call: Call) -> list[str]:
    """Arguments of a call."""
    return [p.expr(arg) for arg in call.args]


def _current(p: Printer, call: Call, name: str) -> str:
    """A call as 0.27 writes it: arguments that are attributes there are keywords, some numbers are flags."""
    named, flags = NAMED.get(name, {}), FLAGS.get(name, ())
    positional: list[str] = []
    given = [f"{key}={bool(item) if key in flags else attribute(p, item)}" for key, item in call.attrs.items()]
    for position, arg in enumerate(call.args):
        scalar = scalar_of(arg)
        if position in flags and isinstance(scalar, IntImm):
            positional.append(str(bool(scalar.value)))
        elif position in named:
            keyword, place = named[position]
            given.insert(place, f"{keyword}={_plain(p, call, arg)}")
        else:
            positional.append(p.expr(arg))
    return _called(p, name, [*positional, *given, *_result(p, call)])


def _plain(p: Printer, call: Call, arg: Any) -> str:
    """The number that an argument is. Raises `NoText` where it is none."""
    scalar = scalar_of(arg)
    if scalar is not None:
        return p.expr(scalar)
    if isinstance(arg, Constant) and not arg.data.shape and arg.dtype not in FORMATS:
        return attribute(p, (arg.data.reshape(-1) if hasattr(arg.data, "reshape") else arg.data).tolist()[0])
    raise NoText(what=f"{call.op.script_name} with {arg} in the dialect 0.27")


def keywords(p: Printer, call: Call) -> list[str]:
    """Attributes of a call, in the order of its operator; a mapping of nothing is left out, and so is what the TVM of
    the dialect does not know, as long as it says nothing. Raises `NoText` where it does.
    """
    op: Any = call.op
    unknown: Mapping[str, Any] = DROPPED if p.tirx else op.v0_27_attributes
    made: list[str] = []
    for name, item in call.attrs.items():
        if item == {} or (name in unknown and item == unknown[name]):
            continue
        if p.tirx and name in DROPPED:
            raise NoText(what=f"the attribute {name} of {op.script_name} in the dialect 0.27")
        made.append(f"{name}={attribute(p, item)}")
    return made


def infos(p: Printer, given: tuple[StructInfo, ...], *, is_called: bool = False) -> str:
    """`(R.Object,)`; names alone may be called."""
    texts = [p.expr(item) for item in given]
    if is_called:
        texts = [text if "(" in text else f"{text}()" for text in texts]
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"


def _called(p: Printer, name: str, parts: list[str]) -> str:
    return f"{graph_of(p).prefix}{name}({', '.join(parts)})"


def _symbol(p: Printer, callee: Any) -> str:
    """What is called, an external function by its name."""
    return string(callee.global_symbol) if type(callee) is ExternFunc else p.expr(callee)


def _tensor_call(p: Printer, call: Call, name: str) -> str:
    """`R.call_tir(cls.f, (x,), out_sinfo=..., tir_vars=...)`, and its relatives."""
    callee, given, *sizes = call.args
    info = call.sinfo_args[0]
    out = f"[{p.exprs(info.fields)}]" if isinstance(info, TupleStructInfo) else p.expr(info)
    parts = [_symbol(p, callee), p.expr(given), f"{p.words.out_info}={out}", *keywords(p, call)]
    if name == "call_tir" and isinstance(info, DTensorStructInfo):
        name = "dist.call_tir"
    if sizes and p.tirx:
        raise NoText(what=f"tir_vars of {graph_of(p).prefix}{name} in the dialect 0.27")
    if sizes:
        parts.append(f"tir_vars={p.expr(sizes[0])}")
    return _called(p, name, parts)


def _packed_call(p: Printer, call: Call, name: str) -> str:
    """`R.call_pure_packed("f", x, sinfo_args=...)`."""
    callee, *given = call.args
    parts = [_symbol(p, callee), *[p.expr(arg) for arg in given], *keywords(p, call), *_result(p, call)]
    return _called(p, name, parts)


def _result(p: Printer, call: Call) -> list[str]:
    """What a call says of its result, where it does."""
    # the one function of 0.27 that does not take the names of types alone
    is_called = p.tirx and getattr(call.op, "name", "") == "relax.call_inplace_packed"
    return [f"{p.words.info_args}={infos(p, call.sinfo_args, is_called=is_called)}"] if call.sinfo_args else []


def _formatted(count: int) -> Callable[[Printer, Call, str], str]:
    """The rule for calls that print: `R.print(x, format=R.str("{}"))`; the format stands behind `count` arguments."""

    def rule(p: Printer, call: Call, name: str) -> str:
        given = [*call.args[:count], *call.args[count + 1 :]]
        return _called(p, name, [*[p.expr(arg) for arg in given], f"format={p.expr(call.args[count])}"])

    return rule


def _in_order(*order: int) -> Callable[[Printer, Call, str], str]:
    """The rule for calls that have their arguments in another order than the function in R."""

    def rule(p: Printer, call: Call, name: str) -> str:
        return _called(p, name, [*[p.expr(call.args[at]) for at in order], *keywords(p, call)])

    return rule


def _on_device(p: Printer, call: Call, name: str) -> str:
    """`R.hint_on_device(x, R.device(dev_type=1, dev_id=0))`; 0.27 says the scope of the memory in any case."""
    kind, number = p.words.device
    device = f"{graph_of(p).prefix}device({kind}={call.attrs['dev_type']}, {number}={call.attrs['dev_id']})"
    scope = call.attrs["memory_scope"]
    return _called(p, name, [*arguments(p, call), device, *([string(scope)] if p.tirx or scope != "global" else [])])


def _python_call(p: Printer, call: Call, name: str) -> str:
    """`R.call_py_func("work", x, out_ty=...)`."""
    callee, given = call.args
    args = given.fields if isinstance(given, Tuple) else None
    if not isinstance(callee, StringImm) or args is None:
        raise NoText(what=f"{graph_of(p).prefix}{name} of a name or arguments that are variables")
    parts = [string(callee.value), *[p.expr(arg) for arg in args], f"{p.words.out_info}={p.expr(call.sinfo_args[0])}"]
    return _called(p, name, parts)


def _in_memory(p: Printer, call: Call, name: str) -> str:
    """A tensor in memory: 0.27 says the number of the device in any case."""
    number = ["0"] if p.tirx and len(call.args) == 4 else []
    return _called(p, name, [*arguments(p, call), *number, *_result(p, call)])


#: operators with a form of their own: name -> what writes a call
CALLS: Final[dict[str, Callable[[Printer, Call, str], str]]] = {
    **dict.fromkeys(
        ("relax.call_tir", "relax.call_tir_inplace", "relax.call_tir_with_grad", "relax.call_dps_packed",
         "relax.dist.call_tir_local_view"),
        _tensor_call,
    ),
    **dict.fromkeys(
        ("relax.call_pure_packed", "relax.call_inplace_packed", "relax.call_builtin_with_ctx",
         "relax.invoke_closure", "relax.invoke_pure_closure"),
        _packed_call,
    ),
    "relax.print": _formatted(0),
    "relax.assert_op": _formatted(1),
    "relax.call_py_func": _python_call,
    "relax.hint_on_device": _on_device,
    **dict.fromkeys(("relax.memory.alloc_tensor", "relax.vm.alloc_tensor"), _in_memory),
    # TVM prints them in the call's order, which reads back with the starts of keys as lengths of queries
    "relax.nn.attention_var_len": _in_order(0, 1, 2, 3, 5, 4, 6),
}  # fmt: skip


def _said_to_external(p: Printer, call: Call) -> list[str]:
    """Attributes of a call of an external function, which may have any names; a device is written in full."""
    for name in call.attrs:
        if not name.isidentifier() or keyword.iskeyword(name) or name in ("sinfo_args", "ty_args", "func", "span"):
            raise NoText(what=f"the attribute {name} of a call of an external function")
    if p.tirx or not call.attrs or "attrs_type_key" in call.attrs:
        return [f"{name}={_told(p, item)}" for name, item in call.attrs.items()]
    return ['attrs_type_key="DictAttrs"', *[f"{name}={_told(p, call.attrs[name])}" for name in sorted(call.attrs)]]


def _told(p: Printer, item: Any) -> str:
    if isinstance(item, VDevice):
        with integers(p, graph_of(p).plain):
            return value(p, item)
    if isinstance(item, bool) and not p.tirx:
        return f"{p.tir}bool({item})"  # True is read as 1
    return attribute(p, item)


@expr_rule(Call)
def _call(p: Printer, node: Call, level: int) -> str:
    op = node.op
    if isinstance(op, Op):
        name = op.name.removeprefix("relax.")
        special = CALLS.get(op.name)
        if special is not None:
            return special(p, node, name)
        if p.tirx and (name in NAMED or name in FLAGS):
            return _current(p, node, name)
        return _called(p, name, [*arguments(p, node), *keywords(p, node), *_result(p, node)])
    if type(op) is ExternFunc:
        parts = [string(op.global_symbol), *arguments(p, node), *_said_to_external(p, node), *_result(p, node)]
        return _called(p, "call_packed", parts)
    if node.attrs:
        raise NoText(what=f"the attributes {', '.join(node.attrs)} of a call of a function")
    return f"{p.expr(op)}({', '.join([*arguments(p, node), *_result(p, node)])})"


def tuple_text(p: Printer, node: Tuple) -> str:
    """`(x, y)`, `(x,)`, `R.tuple()`."""
    if not node.fields:
        return f"{graph_of(p).prefix}tuple()"
    return f"({p.expr(node.fields[0])},)" if len(node.fields) == 1 else f"({p.exprs(node.fields)})"
