"""Rules that mark the text of every node, for ranges and underlines."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import BaseFunc, IRModule
from tvmscript.ir.core.dispatch import ClassTable
from tvmscript.ir.tir import BlockRealize
from tvmscript.ir.tir import expr as E
from tvmscript.printer.printer import ExprRule, Printer, StmtRule
from tvmscript.printer.text_buffer import DECLARED, RangeMarks
from tvmscript.printer.tir import exprs

#: Precedence of the operators that may need parentheses, which are outside of the range of the node.
_PRECEDENCE: dict[type, int] = {
    **dict.fromkeys((E.Add, E.Sub), exprs.ADD),
    **dict.fromkeys((E.Mul, E.Div, E.FloorDiv, E.FloorMod), exprs.MUL),
    **dict.fromkeys((E.EQ, E.NE, E.LT, E.LE, E.GT, E.GE), exprs.COMPARE),
    E.And: exprs.AND,
    E.Or: exprs.OR,
    E.Not: exprs.NOT,
}


def mark_everything(p: Printer, marks: RangeMarks) -> None:
    """Make a printer mark every node that it writes."""
    p.marks = marks
    p.tracks_lines = True
    p.expr_rules = _marking_exprs(p.expr_rules, marks)
    p.stmt_rules = _marking_stmts(p.stmt_rules, marks)


def _marking_exprs(rules: ClassTable[ExprRule], marks: RangeMarks) -> ClassTable[ExprRule]:
    """Return the rules of expressions with marks around their texts."""

    def marking_rule(cls: type) -> ExprRule:
        rule, own = rules[cls], _PRECEDENCE.get(cls)

        def write(p: Printer, node: Any, level: int) -> str:
            text = rule(p, node, level if own is None else 0)
            wrapped = marks.wrap(node, text)
            # the text of an operator begins with the mark of its operand, a call such as T.Add(a, b) with T
            return f"({wrapped})" if own is not None and level > own and not text.startswith(p.tir) else wrapped

        return write

    return ClassTable(marking_rule)


def _marking_stmts(rules: ClassTable[StmtRule], marks: RangeMarks) -> ClassTable[StmtRule]:
    """Return the rules of statements with marks around their lines."""

    def marking_rule(cls: type) -> StmtRule:
        rule = rules[cls]
        is_definition = issubclass(cls, (BaseFunc, IRModule))

        def write(p: Printer, stmt: Any) -> None:
            # declarations in front of a statement move its first line, which the scope holds
            before = len(p.lines)
            rule(p, stmt)
            begin = before if is_definition else p.frames[-1].mark
            lines = p.lines
            while begin < len(lines) and lines[begin].lstrip(" ").startswith((DECLARED, "#")):
                begin += 1
            if begin < len(lines):
                text = "\n".join(lines[begin:])
                lines[begin:] = [marks.wrap(stmt, marks.wrap(stmt.block, text) if cls is BlockRealize else text)]

        return write

    return ClassTable(marking_rule)
