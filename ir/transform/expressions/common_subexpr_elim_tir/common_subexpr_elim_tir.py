"""Bind common subexpressions to variables."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Any, Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import Node, on
from tvmscript.ir.tir import Buffer, Expr, For, IfThenElse, LetStmt, PrimFunc, Stmt, TirRewriter, Var, While, uses
from tvmscript.ir.tir.expr import BinaryOp, Broadcast, BufferLoad, Call, FloatImm, IntImm, Let, Ramp, SizeVar, StringImm
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.expressions.common_subexpr_elim_tir.tie_breaks import prefix_text

#: value number of a computation -> number of evaluations
_Counts = dict[int, int]
#: limit of rounds: terms equal up to arithmetic may have parts that are equal to others, and so on
_MOST_ROUNDS: Final = 12
#: expressions that are not computations
_TRIVIAL: Final = frozenset({Var, SizeVar, IntImm, FloatImm, StringImm, Ramp, Broadcast})
#: expressions without computed parts
_LEAVES: Final = _TRIVIAL - {Ramp, Broadcast}


@dataclass(slots=True)
class _ExprInfo:
    """Properties of an expression; equal numbers mean equal computations."""

    number: int
    #: number of nodes
    size: int
    #: contains no call and no load
    is_plain: bool


@dataclass
class _ValueNumbers:
    """Value numbers of expressions."""

    #: whether expressions that simplify to the same one share a number
    up_to_arithmetic: bool
    infos: dict[Any, _ExprInfo] = field(default_factory=dict)
    numbers: dict[Any, int] = field(default_factory=dict)
    #: number -> a smallest expression of it, no part of which has the same number
    examples: dict[int, Expr] = field(default_factory=dict)
    _analyzer: Analyzer = field(default_factory=Analyzer)

    def look_up(self, expr: Expr) -> _ExprInfo:
        """Return the number, size and purity of an expression."""
        info = self.infos.get(expr)
        if info is None:
            info = self.infos[expr] = self._analyze(expr)
        return info

    def _analyze(self, expr: Expr) -> _ExprInfo:
        if expr.is_name:
            return _ExprInfo(self._number(expr), 1, True)
        if isinstance(expr, BinaryOp):
            a, b = self.look_up(expr.a), self.look_up(expr.b)
            size, is_plain = 1 + a.size + b.size, a.is_plain and b.is_plain
            number = self._number((type(expr), expr.dtype, a.number, b.number))
        else:
            size, is_plain = 1, not isinstance(expr, (Call, BufferLoad))
            key: list[object] = [type(expr)]
            for value in expr.schema.compared_of(expr):
                part, part_size, part_is_plain = self._part(value)
                size, is_plain = size + part_size, is_plain and part_is_plain
                key.append(part)
            number = self._number(expr if isinstance(expr, Let) else tuple(key))
        if self.up_to_arithmetic and is_plain:
            simple = self._analyzer.simplify(expr)
            # a variable or constant is not a computation to share
            simple = expr if type(simple) in _TRIVIAL else simple
            if simple is not expr and simple not in self.infos:
                # the simplified form is not simplified again
                self.infos[simple] = _ExprInfo(self._plain_number(simple), size, True)
            number = number if simple is expr else self.infos[simple].number
        example = self.examples.get(number)
        if example is None or size < self.infos[example].size:
            self.examples[number] = expr
        return _ExprInfo(number, size, is_plain)

    def _plain_number(self, simple: Expr) -> int:
        if simple.is_name:
            return self._number(simple)
        key = [type(simple), *[self._part(value)[0] for value in simple.schema.compared_of(simple)]]
        return self._number(tuple(key))

    def _part(self, value: object) -> tuple[Any, int, bool]:
        if isinstance(value, Expr):
            entry = self.look_up(value)
            return entry.number, entry.size, entry.is_plain
        if isinstance(value, tuple):
            parts = [self._part(element) for element in value]
            return tuple([p[0] for p in parts]), sum(p[1] for p in parts), all(p[2] for p in parts)
        return struct.pack("d", value) if isinstance(value, float) else value, 0, True

    def _number(self, key: object) -> int:
        return self.numbers.setdefault(key, len(self.numbers))

    def is_computation(self, expr: Expr) -> bool:
        """Return whether an expression may be bound: it is not trivial and depends on variables only."""
        return expr.__class__ not in _TRIVIAL and self.look_up(expr).is_plain

    def find_computations(self, value: object) -> Iterable[Expr]:
        """Yield the largest computations of an expression or of the value of a field."""
        stack: list[Any] = [value]
        while stack:
            part = stack.pop()
            kind = part.__class__
            if kind is tuple or kind is list:
                stack += part[::-1]
            elif kind not in _LEAVES and isinstance(part, Expr):
                if self.is_computation(part):
                    yield part
                elif not part.is_name:
                    stack += part.schema.parts_of(part)[::-1]

    def parts(self, expr: Expr) -> list[Expr]:
        """Return the largest computations inside of a computation."""
        return list(self.find_computations(expr.schema.parts_of(expr)))


@dataclass
class _Counter:
    """Counts of computations that a statement evaluates on every path."""

    computations: _ValueNumbers
    _tables: dict[Any, _Counts] = field(default_factory=dict)

    def counts(self, node: object) -> _Counts:
        """Return the counts of a statement or expression."""
        if node.__class__ in _LEAVES:
            return {}
        result = self._tables.get(node) if isinstance(node, Stmt) else None
        if result is None:
            result = self._count(node)
            if isinstance(node, Stmt):
                self._tables[node] = result
        return result

    def _count(self, node: object) -> _Counts:
        total: _Counts = {}
        if not isinstance(node, Stmt):
            for expr in self.computations.find_computations(node):
                number = self.computations.look_up(expr).number
                total[number] = total.get(number, 0) + 1
            return total
        # a part of a loop or branch may be skipped: count what more than one part evaluates
        if isinstance(node, For):
            return _common(self.counts(node.min), self.counts(node.extent), self.counts(node.body))
        if isinstance(node, While):
            return _common(self.counts(node.condition), self.counts(node.body))
        if isinstance(node, IfThenElse):
            otherwise = {} if node.else_case is None else self.counts(node.else_case)
            return _common(self.counts(node.condition), self.counts(node.then_case), otherwise)
        for part in _children(node.schema.parts_of(node)):
            _add(total, self.counts(part))
        return total


def _add(total: _Counts, table: _Counts) -> None:
    for number, count in table.items():
        total[number] = total.get(number, 0) + count


def _children(value: object) -> Iterable[Any]:
    """Yield the statements and expressions that a field holds."""
    if isinstance(value, tuple):
        for part in value:
            yield from _children(part)
    elif isinstance(value, (Stmt, Expr)):
        yield value
    elif isinstance(value, Node) and not value.is_name:
        yield from _children(value.schema.parts_of(value))


def _common(*tables: _Counts) -> _Counts:
    """Return the sum of the counts that more than one table has."""
    nonempty = [table for table in tables if table]
    total: _Counts = {}
    if len(nonempty) > 1:
        times = Counter(number for table in nonempty for number in table)
        for table in nonempty:
            _add(total, {number: count for number, count in table.items() if times[number] > 1})
    return total


class _Replacer(TirRewriter):
    """Replace computations by variables."""

    def __init__(self, computations: _ValueNumbers, names: dict[int, Var]) -> None:
        super().__init__()
        self.computations = computations
        self.names = names

    def rewrite(self, node: object) -> Any:
        return self.value(node)

    def value(self, value: object) -> Any:
        if value.__class__ in _LEAVES:
            return value
        if isinstance(value, Expr) and self.computations.is_computation(value):
            name = self.names.get(self.computations.look_up(value).number)
            if name is not None:
                return name
            return self.parts(value)
        return super().rewrite(value) if isinstance(value, Node) else super().value(value)

    @on(BinaryOp)
    def parts(self, node: Expr) -> Expr:
        """Rewrite the parts of a computation."""
        return self.descend(node)

    def define(self, name: object) -> Any:
        return name


class _Eliminator(TirRewriter):
    def __init__(self, func: PrimFunc, up_to_arithmetic: bool) -> None:
        super().__init__()
        self.computations = _ValueNumbers(up_to_arithmetic)
        self.counting = _Counter(self.computations)
        #: variables in scope, and value number -> variable bound to it
        self.defined: set[Var] = set(func.params)
        self.values: dict[int, Var] = {}
        self.count = 0
        #: rounds of rewriting around the current node
        self.rounds = 0

    def new_name(self, expr: Expr) -> Var:
        self.count += 1
        return Var(f"cse_var_{self.count}", expr.dtype)

    def rewrite(self, node: Any) -> Any:
        if isinstance(node, Stmt):
            shared = self.share(node, LetStmt)
            return shared if shared is not None else super().rewrite(node)
        if isinstance(node, Expr):
            return self.expression(node)
        return super().rewrite(node)

    def value(self, value: object) -> Any:
        return self.rewrite(value) if isinstance(value, (Stmt, Expr)) else super().value(value)

    def define(self, name: object) -> Any:
        return name

    def expression(self, node: Expr) -> Expr:
        if node.__class__ in _LEAVES:
            return node
        shared: Expr | None = self.share(node, Let)
        if shared is not None:
            return shared
        # parts of an expression have no other variables in scope than the whole, unless it contains a let
        return self.descend(node) if self.computations.look_up(node).size > 1 and _has_let(node) else node

    def share(self, node: object, let: Callable[..., Any]) -> Any:
        """Bind what the node computes more than once; None if there is nothing to share."""
        if self.computations.up_to_arithmetic and self.rounds > _MOST_ROUNDS:
            return None
        all_counts = self.counting.counts(node)
        if not all_counts:
            return None
        names: dict[int, Var] = {}
        bindings: list[tuple[Var, Expr]] = []
        look_up = self.computations.look_up
        counts = dict(all_counts)
        queue = self.queue(counts)
        order = len(queue)
        while queue:
            _, _, number = heappop(queue)
            example = self.computations.examples[number]
            if number in self.values:
                names[number] = self.values[number]
            elif counts[number] > 1 and self.is_defined(example):
                names[number] = self.new_name(example)
                bindings.append((names[number], example))
            else:
                for part in self.computations.parts(example):
                    part_number = look_up(part).number
                    if part_number not in counts:
                        order += 1
                        # an expression equal up to arithmetic may be larger than the one that is bound
                        size = look_up(self.computations.examples[part_number]).size
                        heappush(queue, (-size, order, part_number))
                    # once per whole, which may be bound further inside
                    counts[part_number] = counts.get(part_number, 0) + 1
        if not names:
            return None
        replacement = _Replacer(self.computations, names)
        result = replacement.rewrite(node)
        if result is node:
            # an expression equal up to arithmetic may have other parts
            return None
        for var, value in bindings:
            if not self.computations.up_to_arithmetic or var in uses(result):
                result = let(var, replacement.parts(value), result)
        self.rounds += 1
        result = self.rewrite(result)
        self.rounds -= 1
        return result

    def queue(self, counts: _Counts) -> list[tuple[int, int, int]]:
        """Return a heap of computations, largest first, ties in the order of their texts."""
        rows = [(-self.computations.look_up(self.computations.examples[number]).size, number) for number in counts]
        if len(rows) == 1:
            return [(rows[0][0], 0, rows[0][1])]
        sizes = Counter(size for size, _ in rows)
        texts = {number: prefix_text(self.computations.examples[number]) for size, number in rows if sizes[size] > 1}
        rows.sort(key=lambda row: (row[0], texts.get(row[1], "")))
        entries = [(size, order, number) for order, (size, number) in enumerate(rows)]
        heapify(entries)
        return entries

    def is_defined(self, expr: Expr) -> bool:
        return all(name in self.defined for name in uses(expr))

    # -- definitions

    @on(For)
    def loop(self, node: For) -> Stmt:
        start, extent = self.expression(node.min), self.expression(node.extent)
        self.defined.add(node.loop_var)
        return node.rebuild(min=start, extent=extent, body=self.rewrite(node.body))

    @on(LetStmt, Let)
    def let(self, node: Any) -> Any:
        value = self.expression(node.value)
        self.defined.add(node.var)
        number = self.computations.look_up(node.value).number
        is_new = self.computations.is_computation(node.value) and self.values.setdefault(number, node.var) is node.var
        body = self.rewrite(node.body)
        if is_new:
            del self.values[number]
        return node.rebuild(value=value, body=body)

    @on(Buffer)
    def buffer(self, node: Buffer) -> Buffer:
        return node


def _has_let(expr: Expr) -> bool:
    """Return whether an expression contains a let."""
    stack: list[object] = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, Let):
            return True
        if isinstance(node, tuple):
            stack += node
        elif isinstance(node, Expr) and not node.is_name:
            stack += node.schema.parts_of(node)
    return False


@dataclass(frozen=True)
class CommonSubexprElimTIR(PrimFuncPass):
    """Bind a computation that a statement evaluates more than once on every path to a variable before it.

    Computations are arithmetic on variables; calls and loads are not shared. A computation inside of a branch or loop
    is bound there. With `identify_equiv_terms`, expressions that simplify to the same one are one computation.
    `enable_cse_tir=False` disables the pass. Computations with variables of thread launches or block axes are not
    shared, as in TVM.

    rewrite:
        A[i * 8 + j] = B[i * 8 + j] + i * 8  -->    cse_var_2 = i * 8
                                                    cse_var_1 = cse_var_2 + j
                                                    A[cse_var_1] = B[cse_var_1] + cse_var_2
    """

    name = "tir.CommonSubexprElimTIR"
    #: a second run may share more, as in TVM
    is_idempotent = False
    enable_cse_tir: bool = True
    identify_equiv_terms: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        if not self.enable_cse_tir:
            return func
        return func.with_body(_Eliminator(func, self.identify_equiv_terms).rewrite(func.body))
