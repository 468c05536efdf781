"""Traces as Python programs: a function `apply_trace(sch)` that does the same steps."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Sequence
from typing import Any

from tvmscript.ir.core import Node
from tvmscript.ir.schedule.instruction import Instruction
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.trace.to_json import Names, check_forms
from tvmscript.ir.tir import FloatImm, IntImm, StringImm, Var
from tvmscript.ir.tir.index_map import IndexMap

with warnings.catch_warnings():
    # astor asks `ast` for classes that are deprecated since Python 3.12
    warnings.simplefilter("ignore", DeprecationWarning)
    import astor

#: Instructions whose inputs are written without the names of their parameters.
_POSITIONAL = frozenset({"GetChildBlocks"})
#: Parameters that are not written where they are empty.
_OMITTED_IF_EMPTY = frozenset({"consumer_blocks"})


def instruction_lines(insts: Sequence[Instruction], decisions: dict[Instruction, Any]) -> list[str]:
    """One line of Python for each instruction, with all of its arguments, as TVM writes them.

    Where TVM's line is no Python or does something else (quotes in text, text in dicts, floats without a fraction,
    the buffer of `reindex`), ours says what was done. Raises `BadTrace` for instructions of another form.
    """
    check_forms(insts)
    names = Names()
    return [_render_line(inst, decisions.get(inst), names) for inst in insts]


def render_program(insts: Sequence[Instruction], decisions: dict[Instruction, Any]) -> str:
    """A function that does the steps of a trace to a schedule."""
    lines = instruction_lines(insts, decisions) or ["pass"]
    return "\n".join(
        ["# from tvm import tir", "def apply_trace(sch: tir.Schedule) -> None:", *(f"  {x}" for x in lines)]
    )


def _render_line(inst: Instruction, decision: Any, names: Names) -> str:
    kind = inst.kind
    call = ast.Call(ast.Attribute(ast.Name("sch", ast.Load()), kind.method, ast.Load()), [], [])
    inputs = list(inst.inputs)
    for name in kind.inputs:
        if name.startswith("*"):
            rest = [_render_value(item, names) for item in inputs]
            if name[1:] == kind.star:
                call.args += rest
            else:
                call.keywords.append(ast.keyword(name[1:], ast.List(rest, ast.Load())))
        elif kind.name in _POSITIONAL:
            call.args.append(_render_value(inputs.pop(0), names))
        else:
            given = inputs.pop(0)
            if name not in _OMITTED_IF_EMPTY or given:
                call.keywords.append(
                    ast.keyword(name, _render_value(int(given) if isinstance(given, bool) else given, names))
                )
    for name, value in zip(kind.attrs, inst.attrs, strict=True):
        call.keywords.append(ast.keyword(name, _render_value(value, names)))
    if kind.has_decision:
        call.keywords.append(ast.keyword("decision", _render_value(decision, names)))
    call.keywords.sort(key=lambda item: kind.parameters.index(str(item.arg)))
    targets = ", ".join(names.of(item) for item in inst.outputs)
    comma = "," if kind.gives_list and len(inst.outputs) == 1 else ""
    return f"{targets}{comma} = {_unparse(call)}" if targets else _unparse(call)


def _render_value(value: Any, names: Names) -> ast.expr:
    """The Python expression of an argument."""
    if isinstance(value, (BlockRV, LoopRV)) or (isinstance(value, Var) and value in names.names):
        return ast.Name(names.of(value), ast.Load())
    if isinstance(value, (IntImm, FloatImm, StringImm)):
        return _render_value(value.value, names)
    if isinstance(value, float):
        return _verbatim(_render_float(value))
    if isinstance(value, list):
        return ast.List([_render_value(item, names) for item in value], ast.Load())
    if isinstance(value, tuple):
        return ast.Tuple([_render_value(item, names) for item in value], ast.Load())
    if isinstance(value, dict):
        keys: list[ast.expr | None] = [ast.Constant(key) for key in sorted(value)]
        return ast.Dict(keys, [_render_value(value[key], names) for key in sorted(value)])
    if isinstance(value, IndexMap):
        value = names.rename(value)
        variables = ", ".join(var.name for var in value.initial_indices)
        results = "".join(f"{_render_expr(item)}, " for item in value.final_indices)
        return _verbatim(f"lambda {variables}: ({results.strip()})")
    if isinstance(value, Node):
        return _verbatim(_render_expr(names.rename(value)))
    return ast.Constant(value)


def _render_expr(expr: Node) -> str:
    """The text of an expression with numbers as Python's own: they take on the dtype of what they meet."""
    return re.sub(r"T\.int(?:32|64)\((-?\d+)\)", r"\1", str(expr))


def _render_float(value: float) -> str:
    """All 17 digits of a float, as TVM writes it; text of a float, not of an integer, where it is a whole number."""
    digits = f"{value:.17g}"
    return digits if re.search("[.einf]", digits) else f"{digits}.0"


def _verbatim(text: str) -> ast.expr:
    """A piece of Python as it is written."""
    return ast.Name(text, ast.Load())


def _unparse(tree: ast.AST) -> str:
    """A piece of Python on one line."""
    text: str = astor.to_source(tree, pretty_source="".join, pretty_string=lambda text, *_, **__: json.dumps(text))
    return text.strip()
