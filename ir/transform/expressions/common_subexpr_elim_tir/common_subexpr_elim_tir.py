"""What is computed several times without reading memory is computed once, and has a name."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Any, ClassVar, Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BinaryOp, Broadcast, BufferLoad, Call, FloatImm, IntImm, Let, Ramp, SizeVar, StringImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import For, IfThenElse, LetStmt, While
from tvmscript.ir.tir.substitute import uses
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.expressions.common_subexpr_elim_tir.tie_breaks import prefix_text

#: How often each computation is done, by its number.
_Table = dict[int, int]
#: Terms that are equal up to arithmetic may have parts that are equal to others, and so on: there it ends.
_MOST_ROUNDS: Final = 12
#: What is no computation of its own.
_TRIVIAL: Final = frozenset({Var, SizeVar, IntImm, FloatImm, StringImm, Ramp, Broadcast})
#: What has no parts to compute.
_LEAVES: Final = _TRIVIAL - {Ramp, Broadcast}


@dataclass(slots=True)
class _Known:
    """What is known about an expression: equal numbers are equal computations."""

    number: int
    #: nodes of the tree
    size: int
    #: neither calls nor reads memory
    is_plain: bool


@dataclass
class _Computations:
    """Expressions by number."""

    #: expressions that are equal once they are simplified have one number too
    up_to_arithmetic: bool
    known: dict[Any, _Known] = field(default_factory=dict)
    numbers: dict[Any, int] = field(default_factory=dict)
    #: a shortest one of the expressions of each number: no part of it is equal to the whole
    examples: dict[int, Expr] = field(default_factory=dict)
    _analyzer: Analyzer = field(default_factory=Analyzer)

    def look_up(self, expr: Expr) -> _Known:
        """What is known about an expression."""
        found = self.known.get(expr)
        if found is None:
            found = self.known[expr] = self._look_at(expr)
        return found

    def _look_at(self, expr: Expr) -> _Known:
        if expr.is_name:
            return _Known(self._number(expr), 1, True)
        if isinstance(expr, BinaryOp):
            a, b = self.look_up(expr.a), self.look_up(expr.b)
            size, is_plain = 1 + a.size + b.size, a.is_plain and b.is_plain
            number = self._number((type(expr), expr.dtype, a.number, b.number))
        else:
            size, is_plain = 1, not isinstance(expr, Call | BufferLoad)
            key: list[Any] = [type(expr)]
            for value in expr.schema.compared_of(expr):
                part, part_size, part_is_plain = self._part(value)
                size, is_plain = size + part_size, is_plain and part_is_plain
                key.append(part)
            number = self._number(expr if isinstance(expr, Let) else tuple(key))
        if self.up_to_arithmetic and is_plain:
            simple = self._analyzer.simplify(expr)
            # a variable or constant is no computation that others could be equal to
            simple = expr if type(simple) in _TRIVIAL else simple
            if simple is not expr and simple not in self.known:
                # what is simple is not simplified again
                self.known[simple] = _Known(self._plain_number(simple), size, True)
            number = number if simple is expr else self.known[simple].number
        known = self.examples.get(number)
        if known is None or size < self.known[known].size:
            self.examples[number] = expr
        return _Known(number, size, is_plain)

    def _plain_number(self, simple: Expr) -> int:
        if simple.is_name:
            return self._number(simple)
        key = [type(simple), *[self._part(value)[0] for value in simple.schema.compared_of(simple)]]
        return self._number(tuple(key))

    def _part(self, value: Any) -> tuple[Any, int, bool]:
        if isinstance(value, Expr):
            known = self.look_up(value)
            return known.number, known.size, known.is_plain
        if isinstance(value, tuple):
            parts = [self._part(item) for item in value]
            return tuple([p[0] for p in parts]), sum(p[1] for p in parts), all(p[2] for p in parts)
        return struct.pack("d", value) if isinstance(value, float) else value, 0, True

    def _number(self, key: Any) -> int:
        return self.numbers.setdefault(key, len(self.numbers))

    def is_computation(self, expr: Expr) -> bool:
        """Whether an expression may get a name: it computes something and depends on nothing but variables."""
        return expr.__class__ not in _TRIVIAL and self.look_up(expr).is_plain

    def inside(self, value: Any) -> Iterable[Expr]:
        """The largest computations of an expression, or of what a field holds."""
        stack: list[Any] = [value]
        while stack:
            item = stack.pop()
            kind = item.__class__
            if kind is tuple or kind is list:
                stack += item[::-1]
            elif kind not in _LEAVES and isinstance(item, Expr):
                if self.is_computation(item):
                    yield item
                elif not item.is_name:
                    stack += item.schema.parts_of(item)[::-1]

    def parts(self, expr: Expr) -> list[Expr]:
        """The largest computations that a computation is made of."""
        return list(self.inside(expr.schema.parts_of(expr)))


@dataclass
class _Counting:
    """How often statements do each computation, whichever way they go."""

    computations: _Computations
    _tables: dict[Any, _Table] = field(default_factory=dict)

    def table(self, node: Any) -> _Table:
        """Computations of a statement or expression."""
        if node.__class__ in _LEAVES:
            return {}
        found = self._tables.get(node) if isinstance(node, Stmt) else None
        if found is None:
            found = self._count(node)
            if isinstance(node, Stmt):
                self._tables[node] = found
        return found

    def _count(self, node: Any) -> _Table:
        total: _Table = {}
        if not isinstance(node, Stmt):
            for expr in self.computations.inside(node):
                number = self.computations.look_up(expr).number
                total[number] = total.get(number, 0) + 1
            return total
        #: of a loop or branch count what more than one of its parts does: each of them may be left out
        if isinstance(node, For):
            return _shared(self.table(node.min), self.table(node.extent), self.table(node.body))
        if isinstance(node, While):
            return _shared(self.table(node.condition), self.table(node.body))
        if isinstance(node, IfThenElse):
            otherwise = {} if node.else_case is None else self.table(node.else_case)
            return _shared(self.table(node.condition), self.table(node.then_case), otherwise)
        for part in _flat(node.schema.parts_of(node)):
            _add(total, self.table(part))
        return total


def _add(total: _Table, table: _Table) -> None:
    for number, count in table.items():
        total[number] = total.get(number, 0) + count


def _flat(value: Any) -> Iterable[Any]:
    """Statements and expressions that a field holds."""
    if isinstance(value, tuple):
        for item in value:
            yield from _flat(item)
    elif isinstance(value, Stmt | Expr):
        yield value
    elif isinstance(value, Node) and not value.is_name:
        yield from _flat(value.schema.parts_of(value))


def _shared(*tables: _Table) -> _Table:
    """What more than one of the tables has."""
    some = [table for table in tables if table]
    made: _Table = {}
    if len(some) > 1:
        times = Counter(number for table in some for number in table)
        for table in some:
            _add(made, {number: count for number, count in table.items() if times[number] > 1})
    return made


class _Replacement(TirRewriter):
    """Puts variables in the place of computations."""

    def __init__(self, computations: _Computations, names: dict[int, Var]) -> None:
        super().__init__()
        self.computations = computations
        self.names = names

    def rewrite(self, node: Any) -> Any:
        return self.value(node)

    def value(self, value: Any) -> Any:
        if isinstance(value, Expr) and self.computations.is_computation(value):
            name = self.names.get(self.computations.look_up(value).number)
            if name is not None:
                return name
            return self.parts(value)
        return super().rewrite(value) if isinstance(value, Node) else super().value(value)

    @on(BinaryOp)
    def parts(self, node: Expr) -> Expr:
        """The same computation of replaced parts."""
        return self.descend(node)

    def define(self, name: Any) -> Any:
        return name


class _Elimination(TirRewriter):
    def __init__(self, func: PrimFunc, up_to_arithmetic: bool) -> None:
        super().__init__()
        self.computations = _Computations(up_to_arithmetic)
        self.counting = _Counting(self.computations)
        #: variables that are defined, and the computations that they are
        self.defined: set[Var] = set(func.params)
        self.values: dict[int, Var] = {}
        self.count = 0
        #: how often what is looked at was changed, in itself or around
        self.rounds = 0

    def new_name(self, expr: Expr) -> Var:
        self.count += 1
        return Var(f"cse_var_{self.count}", expr.dtype)

    def rewrite(self, node: Any) -> Any:
        if isinstance(node, Stmt):
            made = self.shared(node, LetStmt)
            return made if made is not None else super().rewrite(node)
        if isinstance(node, Expr):
            return self.expression(node)
        return super().rewrite(node)

    def value(self, value: Any) -> Any:
        return self.rewrite(value) if isinstance(value, Stmt | Expr) else super().value(value)

    def define(self, name: Any) -> Any:
        return name

    def expression(self, node: Expr) -> Expr:
        if node.__class__ in _LEAVES:
            return node
        made = self.shared(node, Let)
        if made is not None:
            return made  # type: ignore[no-any-return]  # `shared` gives what it is given
        # parts of an expression have no more names than the whole, unless it binds some itself
        return self.descend(node) if self.computations.look_up(node).size > 1 and _binds(node) else node

    def shared(self, node: Any, let: Callable[..., Any]) -> Any:
        """The node with names for what it does more than once; None where there is nothing to share."""
        if self.computations.up_to_arithmetic and self.rounds > _MOST_ROUNDS:
            return None
        found = self.counting.table(node)
        if not found:
            return None
        names: dict[int, Var] = {}
        made: list[tuple[Var, Expr]] = []
        look_up = self.computations.look_up
        counts = dict(found)
        queue = self.queue(counts)
        order = len(queue)
        while queue:
            _, _, number = heappop(queue)
            example = self.computations.examples[number]
            if number in self.values:
                names[number] = self.values[number]
            elif counts[number] > 1 and self.is_defined(example):
                names[number] = self.new_name(example)
                made.append((names[number], example))
            else:
                for part in self.computations.parts(example):
                    part_number = look_up(part).number
                    if part_number not in counts:
                        order += 1
                        # what is equal up to arithmetic may be larger than what the name will stand for
                        size = look_up(self.computations.examples[part_number]).size
                        heappush(queue, (-size, order, part_number))
                    # once, however often the whole is computed: it may have a name further in
                    counts[part_number] = counts.get(part_number, 0) + 1
        if not names:
            return None
        replacement = _Replacement(self.computations, names)
        result = replacement.rewrite(node)
        if result is node:
            # what is equal up to arithmetic is made of other parts
            return None
        for var, value in made:
            if not self.computations.up_to_arithmetic or var in uses(result):
                result = let(var, replacement.parts(value), result)
        self.rounds += 1
        result = self.rewrite(result)
        self.rounds -= 1
        return result

    def queue(self, counts: _Table) -> list[tuple[int, int, int]]:
        """Computations from large to small; those of one size in the order of their texts."""
        rows = [(-self.computations.look_up(self.computations.examples[number]).size, number) for number in counts]
        if len(rows) == 1:
            return [(rows[0][0], 0, rows[0][1])]
        sizes = Counter(size for size, _ in rows)
        shown = {number: prefix_text(self.computations.examples[number]) for size, number in rows if sizes[size] > 1}
        rows.sort(key=lambda row: (row[0], shown.get(row[1], "")))
        made = [(size, place, number) for place, (size, number) in enumerate(rows)]
        heapify(made)
        return made

    def is_defined(self, expr: Expr) -> bool:
        return all(name in self.defined for name in uses(expr))

    # -- what defines variables

    @on(For)
    def loop(self, node: For) -> Stmt:
        start, extent = self.expression(node.min), self.expression(node.extent)
        self.defined.add(node.loop_var)
        body: Stmt = self.rewrite(node.body)
        if start is node.min and extent is node.extent and body is node.body:
            return node
        return For(node.loop_var, start, extent, node.kind, body, node.thread_binding, node.annotations, span=node.span)

    @on(LetStmt, Let)
    def let(self, node: Any) -> Any:
        value = self.expression(node.value)
        self.defined.add(node.var)
        number = self.computations.look_up(node.value).number
        is_new = self.computations.is_computation(node.value) and self.values.setdefault(number, node.var) is node.var
        body = self.rewrite(node.body)
        if is_new:
            del self.values[number]
        return node if value is node.value and body is node.body else node.replace(value=value, body=body)

    @on(Buffer)
    def buffer(self, node: Buffer) -> Buffer:
        return node


def _binds(expr: Expr) -> bool:
    """Whether an expression has variables of its own."""
    stack: list[Any] = [expr]
    while stack:
        item = stack.pop()
        if isinstance(item, Let):
            return True
        if isinstance(item, tuple):
            stack += item
        elif isinstance(item, Expr) and not item.is_name:
            stack += item.schema.parts_of(item)
    return False


@dataclass(frozen=True)
class CommonSubexprElimTIR(PrimFuncPass):
    """A computation that a statement does more than once, whichever way it goes, is a variable in front of it.

    Computations are arithmetic on variables: calls and loads stay where they are. What only some branch or a loop
    without iterations would do counts where it is done. With `identify_equiv_terms`, what is equal once simplified
    is one computation. `enable_cse_tir=False` changes nothing. Variables of launched threads and of block axes are
    left alone, as in TVM.

    rewrite:
        A[i * 8 + j] = B[i * 8 + j] + i * 8  -->    cse_var_2 = i * 8
                                                    cse_var_1 = cse_var_2 + j
                                                    A[cse_var_1] = B[cse_var_1] + cse_var_2
    """

    name: ClassVar[str] = "tir.CommonSubexprElimTIR"
    #: what was shared once leaves room for sharing more, as in TVM
    is_idempotent: ClassVar[bool] = False
    enable_cse_tir: bool = True
    identify_equiv_terms: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        if not self.enable_cse_tir:
            return func
        return func.with_body(_Elimination(func, self.identify_equiv_terms).rewrite(func.body))
