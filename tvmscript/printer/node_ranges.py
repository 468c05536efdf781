"""Rules that put marks around the text of every node, for ranges and underlines."""

from __future__ import annotations

from typing import Any

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
    p.expr_rules = _MarkingExprs(p.expr_rules, marks)
    p.stmt_rules = _MarkingStmts(p.stmt_rules, marks)


class _MarkingExprs(dict[type, ExprRule]):
    def __init__(self, rules: dict[type, ExprRule], marks: Marks) -> None:
        super().__init__()
        self.rules = rules
        self.marks = marks

    def __missing__(self, cls: type) -> ExprRule:
        rule, marks, own = self.rules[cls], self.marks, _INFIX.get(cls)

        def marked(p: Printer, node: Any, level: int) -> str:
            text = rule(p, node, level if own is None else 0)
            wrapped = marks.wrap(node, text)
            # an operator begins with the mark of its operand, a call such as T.Add(a, b) with its name
            return f"({wrapped})" if own is not None and level > own and not text.startswith(p.tir) else wrapped

        self[cls] = marked
        return marked


class _MarkingStmts(dict[type, StmtRule]):
    def __init__(self, rules: dict[type, StmtRule], marks: Marks) -> None:
        super().__init__()
        self.rules = rules
        self.marks = marks

    def __missing__(self, cls: type) -> StmtRule:
        rule, marks = self.rules[cls], self.marks
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

        self[cls] = marked
        return marked
