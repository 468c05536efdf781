"""Calls of the graph level as text: `R.nn.softmax(x, axis=-1)`, `R.call_tir(cls.f, (x,), out_sinfo=...)`."""

from __future__ import annotations

import keyword
import math
from collections.abc import Callable
from typing import Any, Final

from tvmscript.ir.core.dtype import INT32, DType
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.core.op import Op
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.distributed import DeviceMesh, DTensorStructInfo, Placement
from tvmscript.ir.relax.expr import Call, ExternFunc, Tuple
from tvmscript.ir.relax.struct_info import TupleStructInfo
from tvmscript.ir.tir.expr import IntImm
from tvmscript.printer.errors import NoText
from tvmscript.printer.literals import float_digits, string
from tvmscript.printer.printer import Printer, expr_rule
from tvmscript.printer.relax_distributed import mesh
from tvmscript.printer.relax_scope import graph_of
from tvmscript.printer.relax_struct_info import device
from tvmscript.printer.values import value

#: attributes that operators have since TVM 0.18
_LATER: Final = frozenset(("input_axis_separators",))


def attribute(p: Printer, item: Any) -> str:
    """The value of an attribute."""
    if isinstance(item, DType):
        return f'"{item}"'
    if isinstance(item, bool):
        return str(item)
    if isinstance(item, float):
        return float_digits(item) if math.isfinite(item) else f'float("{item}")'
    if isinstance(item, tuple | list):
        return f"[{', '.join([attribute(p, part) for part in item])}]"
    if isinstance(item, VDevice):
        return device(p, item)
    if isinstance(item, DeviceMesh):
        return mesh(p, item)
    if isinstance(item, Placement):
        return string(str(item))
    if isinstance(item, dict):
        return f"{{{', '.join([f'{string(key)}: {_said(p, item[key])}' for key in sorted(item)])}}}"
    return value(p, item)


def _said(p: Printer, item: Any) -> str:
    """A value in a mapping: integers as Python writes them, if they are read back as what they are."""
    return str(item.value) if type(item) is IntImm and item.dtype == INT32 else attribute(p, item)


def arguments(p: Printer, call: Call) -> list[str]:
    """Arguments of a call."""
    return [p.expr(arg) for arg in call.args]


def keywords(p: Printer, call: Call) -> list[str]:
    """Attributes of a call, in the order of its operator; a mapping of nothing is left out, and so is what TVM 0.17
    does not know, as long as it says nothing.
    """
    given = [(name, item) for name, item in call.attrs.items() if item != {} and (item or name not in _LATER)]
    return [f"{name}={attribute(p, item)}" for name, item in given]


def infos(p: Printer, given: tuple[StructInfo, ...]) -> str:
    """`(R.Object,)`."""
    return f"({p.expr(given[0])},)" if len(given) == 1 else f"({p.exprs(given)})"


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
    parts = [_symbol(p, callee), p.expr(given), f"out_sinfo={out}", *keywords(p, call)]
    if name == "call_tir" and isinstance(info, DTensorStructInfo):
        name = "dist.call_tir"
    if sizes:
        parts.append(f"tir_vars={p.expr(sizes[0])}")
    return _called(p, name, parts)


def _packed_call(p: Printer, call: Call, name: str) -> str:
    """`R.call_pure_packed("f", x, sinfo_args=...)`."""
    callee, *given = call.args
    parts = [_symbol(p, callee), *[p.expr(arg) for arg in given], *keywords(p, call)]
    if call.sinfo_args:
        parts.append(f"sinfo_args={infos(p, call.sinfo_args)}")
    return _called(p, name, parts)


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
    """`R.hint_on_device(x, R.device(dev_type=1, dev_id=0))`."""
    device = ", ".join(keywords(p, call))
    return _called(p, name, [*arguments(p, call), f"{graph_of(p).prefix}device({device})"])


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
    "relax.hint_on_device": _on_device,
    # TVM prints them in the call's order, which reads back with the starts of keys as lengths of queries
    "relax.nn.attention_var_len": _in_order(0, 1, 2, 3, 5, 4, 6),
}  # fmt: skip


def _said_to_external(p: Printer, call: Call) -> list[str]:
    """Attributes of a call of an external function, which may have any names; a device is written in full."""
    for name in call.attrs:
        if not name.isidentifier() or keyword.iskeyword(name) or name in ("sinfo_args", "func", "span"):
            raise NoText(what=f"the attribute {name} of a call of an external function")
    return [
        f"{name}={value(p, item) if isinstance(item, VDevice) else attribute(p, item)}"
        for name, item in call.attrs.items()
    ]


@expr_rule(Call)
def _call(p: Printer, node: Call, level: int) -> str:
    op = node.op
    if isinstance(op, Op):
        name = op.name.removeprefix("relax.")
        special = CALLS.get(op.name)
        if special is not None:
            return special(p, node, name)
        parts = [*arguments(p, node), *keywords(p, node)]
        if node.sinfo_args:
            parts.append(f"sinfo_args={infos(p, node.sinfo_args)}")
        return _called(p, name, parts)
    if type(op) is ExternFunc:
        parts = [string(op.global_symbol), *arguments(p, node), *_said_to_external(p, node)]
        if node.sinfo_args:
            parts.append(f"sinfo_args={infos(p, node.sinfo_args)}")
        return _called(p, "call_packed", parts)
    if node.attrs:
        raise NoText(what=f"the attributes {', '.join(node.attrs)} of a call of a function")
    parts = arguments(p, node)
    if node.sinfo_args:
        parts.append(f"sinfo_args={infos(p, node.sinfo_args)}")
    return f"{p.expr(op)}({', '.join(parts)})"


def tuple_text(p: Printer, node: Tuple) -> str:
    """`(x, y)`, `(x,)`, `R.tuple()`."""
    if not node.fields:
        return f"{graph_of(p).prefix}tuple()"
    return f"({p.expr(node.fields[0])},)" if len(node.fields) == 1 else f"({p.exprs(node.fields)})"
