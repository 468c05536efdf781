"""Values of attributes in the dialect 0.27."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tvmscript.ir.core import Node, Target
from tvmscript.ir.tir import FloatImm, IntImm, StringImm
from tvmscript.printer.attribute_values import RULES, configuration, value
from tvmscript.printer.literals import float_literal, string
from tvmscript.printer.printer import Printer
from tvmscript.printer.v0_27.dialect import V0_27, expr_rule


def _dictionary(p: Printer, items: Mapping[Any, object]) -> str:
    if any(isinstance(key, Node) for key in items):
        return f"{{{', '.join([f'{p.expr(key)}: {value(p, item)}' for key, item in items.items()])}}}"
    texts = {p.spelling.key(key): python_value(p, item) for key, item in items.items()}
    return f"{{{', '.join([f'{string(key)}: {texts[key]}' for key in sorted(texts)])}}}"


def python_value(p: Printer, item: object) -> str:
    """Return a value as a Python literal if there is one."""
    if type(item) is IntImm and item.dtype.is_bool:
        return str(bool(item.value))
    if type(item) is FloatImm and item.dtype == "float32":
        literal = float_literal(item.value)
        return value(p, item) if literal is None else literal
    if isinstance(item, (list, tuple)):
        return f"[{', '.join([python_value(p, part) for part in item])}]"
    return value(p, item)


def _string_imm(p: Printer, item: StringImm) -> str:
    p.uses_ir = True
    return f"{p.ir}StringImm({string(item.value)})"


@expr_rule(Target)
def _target(p: Printer, node: Target, level: int) -> str:
    return f"{p.tir}target({configuration(p, node, python_value)})"


V0_27.value_rules.update({**RULES, dict: _dictionary, StringImm: _string_imm})
