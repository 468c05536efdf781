"""From a node to its text: the header, the fragment or program, the options on lines."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core.flags import deep_recursion
from tvmscript.ir.core.module import BaseFunc, IRModule
from tvmscript.ir.core.node import Node
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.stmt import MatchBufferRegion
from tvmscript.printer import blocks, buffers, calls, exprs, functions, loops, stmts, tensor_level, values
from tvmscript.printer.layout import Marks, TextRange, numbered
from tvmscript.printer.options import read_options
from tvmscript.printer.printer import Printer

#: the modules whose rules are in the printer's tables
RULE_MODULES = (blocks, buffers, calls, exprs, functions, loops, stmts, tensor_level, values)


def script(node: Node, **options: Any) -> str:
    """The text of a program or a part of one. Options: see `Options`.

    Raises `UnknownOption`, `InvalidOption`; `NoText` for an attribute that the language cannot write.
    """
    chosen = read_options(options)
    with deep_recursion():
        text = _text(Printer(node, chosen), node)
    return numbered(text) if chosen.print_line_numbers else text


def script_with_ranges(node: Node, **options: Any) -> tuple[str, list[TextRange]]:
    """The text, and where each expression and statement stands in it (outer ones first)."""
    marks = Marks()
    with deep_recursion():
        text = _text(Printer(node, read_options(options), marks), node)
    return marks.take_out(text)


def _text(p: Printer, node: Node) -> str:
    if isinstance(node, Stmt | BaseFunc | IRModule | MatchBufferRegion):
        p.stmt_rules[type(node)](p, node)
        text = "\n".join(p.lines)
        if isinstance(node, IRModule):
            return _with_header(p, True, text)
        return _with_header(p, p.uses_ir, text) if isinstance(node, BaseFunc) else text
    text = p.expr(node)
    return "\n".join([*p.lines, text]) if p.options.verbose_expr else text


def _with_header(p: Printer, uses_ir: bool, text: str) -> str:
    """The text below the imports that it needs."""
    lines: list[str] = []
    if uses_ir:
        lines.append(f"# from tvm.script import ir as {p.options.ir_prefix}")
    if p.tir in text:
        lines.append(f"# from tvm.script import tir as {p.options.tir_prefix}")
    return "\n".join([*lines, "", text])
