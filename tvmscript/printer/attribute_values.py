"""Values of attributes and annotations as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tvmscript.ir.core import DType, Node, Target
from tvmscript.ir.core.module import DummyGlobalInfo, GlobalVar, VDevice
from tvmscript.ir.tir import StringImm
from tvmscript.printer.constants import attribute_data, is_array
from tvmscript.printer.errors import NoText
from tvmscript.printer.literals import float_literal, string
from tvmscript.printer.printer import V0_17, Printer, ValueRule, expr_rule


def value(p: Printer, item: object) -> str:
    """Return the text of an attribute's value. Raises `NoText` for what the language cannot express."""
    rule = p.value_rules.get(type(item))
    if rule is not None:
        return rule(p, item)
    if isinstance(item, Node):
        return p.expr(item)
    if is_array(item):
        return attribute_data(p, item)
    raise NoText(
        what=f"the value {item!r} of type {type(item).__name__}",
        hint="attributes hold numbers, strings, expressions, lists and dictionaries of them",
    )


def dictionary(p: Printer, items: Mapping[Any, object]) -> str:
    """Return a dictionary in the form of the dialect."""
    return p.value_rules[dict](p, items)


def _dictionary(p: Printer, items: Mapping[Any, object]) -> str:
    """Return a dictionary, sorted by key; variables and buffers as keys keep their order."""
    if any(isinstance(key, Node) for key in items):
        return f"{{{', '.join([f'{p.expr(key)}: {value(p, item)}' for key, item in items.items()])}}}"
    return f"{{{', '.join([f'{string(key)}: {value(p, items[key])}' for key in sorted(items)])}}}"


def _string_imm(p: Printer, item: StringImm) -> str:
    """Return a StringImm with its constructor: a bare string reads back as a string."""
    return f"{p.tir}StringImm({string(item.value)})"


def _sequence(p: Printer, items: tuple[object, ...] | list[Any]) -> str:
    return f"[{', '.join([value(p, item) for item in items])}]"


def _number(p: Printer, item: float) -> str:
    literal = float_literal(item)
    return literal if literal is not None else f'{p.tir}float64("{item}")'


RULES: dict[type, ValueRule] = {
    StringImm: _string_imm,
    str: lambda p, item: string(item),
    DType: lambda p, item: f'"{item}"',
    type(None): lambda p, item: "None",
    bool: lambda p, item: str(item),
    int: lambda p, item: str(item),
    float: _number,
    tuple: _sequence,
    list: _sequence,
    dict: _dictionary,
}
V0_17.value_rules.update(RULES)


@expr_rule(GlobalVar)
def _global_var(p: Printer, node: GlobalVar, level: int) -> str:
    name = p.names.get(node)
    if name is not None:
        state: Any = p.relax
        return name if state is None or state.frame is None else state.function(p, name)
    p.uses_ir = True
    return f"{p.ir}GlobalVar({string(node.name_hint)})"


def configuration(p: Printer, target: Target, write: Callable[[Printer, object], str] = value) -> str:
    """Return the dictionary of all options of a target."""
    entries = {"keys": target.keys, "kind": str(target.kind), "tag": target.tag, **target.options}
    texts = {key: write(p, entry) for key, entry in entries.items()}
    if target.host is not None:
        texts["host"] = configuration(p, target.host, write)
    return f"{{{', '.join([f'{string(key)}: {texts[key]}' for key in sorted(texts)])}}}"


@expr_rule(Target)
def _target(p: Printer, node: Target, level: int) -> str:
    return f"{p.tir}target({configuration(p, node)})"


@expr_rule(DummyGlobalInfo)
def _dummy(p: Printer, node: DummyGlobalInfo, level: int) -> str:
    p.uses_ir = True
    return f"{p.ir}dummy_global_info()"


@expr_rule(VDevice)
def _vdevice(p: Printer, node: VDevice, level: int) -> str:
    p.uses_ir = True
    target = configuration(p, node.target) if isinstance(node.target, Target) else value(p, node.target)
    return f"{p.ir}vdevice({target}, {node.vdevice_id}, {string(node.memory_scope)})"
