"""Rules that put marks around the text of every node, for ranges and underlines."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core.dispatch import ClassTable
from tvmscript.ir.core.module import BaseFunc, IRModule
from tvmscript.ir.tir import expr as E
from tvmscript.ir.tir.stmt import BlockRealize
from tvmscript.printer.printer import ExprRule, Printer, StmtRule
from tvmscript.printer.text_buffer import DECLARED, Marks
from tvmscript.printer.tir import exprs

#: How tightly the operators bind that may need parentheses; these are no part of the node's own range.
_INFIX: dict[type, int] = {
    **dict.fromkeys((E.Add, E.Sub), exprs.ADD),
    **dict.fromkeys((E.Mul, E.Div, E.FloorDiv, E.FloorMod), exprs.MUL),
    **dict.fromkeys((E.EQ, E.NE, E.LT, E.LE, E.GT, E.GE), exprs.COMPARE),
    E.And: exprs.AND,
    E.Or: exprs.OR,
    E.Not: exprs.NOT,
}


def mark_everything(p: Printer, marks: Marks) -> None:
    """Let a printer put marks around what it writes."""
    p.marks = marks
    p.tracks_lines = True
    p.expr_rules = _marking_exprs(p.expr_rules, marks)
    p.stmt_rules = _marking_stmts(p.stmt_rules, marks)


def _marking_exprs(rules: ClassTable[ExprRule], marks: Marks) -> ClassTable[ExprRule]:
    """Return the rules of expressions with marks around their texts."""

    def marking(cls: type) -> ExprRule:
        rule, own = rules[cls], _INFIX.get(cls)

        def marked(p: Printer, node: Any, level: int) -> str:
            text = rule(p, node, level if own is None else 0)
            wrapped = marks.wrap(node, text)
            # an operator begins with the mark of its operand, a call such as T.Add(a, b) with its name
            return f"({wrapped})" if own is not None and level > own and not text.startswith(p.tir) else wrapped

        return marked

    return ClassTable(marking)


def _marking_stmts(rules: ClassTable[StmtRule], marks: Marks) -> ClassTable[StmtRule]:
    """Return the rules of statements with marks around their lines."""

    def marking(cls: type) -> StmtRule:
        rule = rules[cls]
        is_definition = issubclass(cls, BaseFunc | IRModule)

        def marked(p: Printer, stmt: Any) -> None:
            # what is declared in front of a statement moves its first line: the scope knows where it is
            before = len(p.lines)
            rule(p, stmt)
            begin = before if is_definition else p.frames[-1].mark
            lines = p.lines
            while begin < len(lines) and lines[begin].lstrip(" ").startswith((DECLARED, "#")):
                begin += 1
            if begin < len(lines):
                text = "\n".join(lines[begin:])
                lines[begin:] = [marks.wrap(stmt, marks.wrap(stmt.block, text) if cls is BlockRealize else text)]

        return marked

    return ClassTable(marking)
