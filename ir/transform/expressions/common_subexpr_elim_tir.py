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
from tvmscript.ir.tir.expr import BinaryOp, Broadcast, BufferLoad, Call, FloatImm, IntImm, Let, Ramp, StringImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import For, IfThenElse, LetStmt, While
from tvmscript.ir.tir.substitute import uses
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.expressions.prefix_text import prefix_text

#: How often each computation is done, by its number.
_Table = Counter[int]
#: Terms that are equal up to arithmetic may have parts that are equal to others, and so on: there it ends.
_MOST_ROUNDS: Final = 12
#: What is no computation of its own.
_TRIVIAL: Final = (Var, IntImm, FloatImm, StringImm, Ramp, Broadcast)


@dataclass
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
        size, is_plain = 1, not isinstance(expr, Call | BufferLoad)
        key: list[Any] = [type(expr)]
        for name, _ in expr.schema.compared:
            part, part_size, part_is_plain = self._part(getattr(expr, name))
            size, is_plain = size + part_size, is_plain and part_is_plain
            key.append(part)
        number = self._number(expr if isinstance(expr, Let) else tuple(key))
        if self.up_to_arithmetic and is_plain:
            simple = self._analyzer.simplify(expr)
            # a variable or constant is no computation that others could be equal to
            simple = expr if isinstance(simple, _TRIVIAL) else simple
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
        key = [type(simple), *[self._part(getattr(simple, name))[0] for name, _ in simple.schema.compared]]
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
        return not isinstance(expr, _TRIVIAL) and self.look_up(expr).is_plain

    def inside(self, value: Any) -> Iterable[Expr]:
        """The largest computations of an expression, or of what a field holds."""
        stack: list[Any] = [value]
        while stack:
            item = stack.pop()
            if isinstance(item, tuple | list):
                stack += item[::-1]
            elif isinstance(item, Expr):
                if self.is_computation(item):
                    yield item
                elif not item.is_name:
                    stack += [getattr(item, name) for name in item.schema.children[::-1]]

    def parts(self, expr: Expr) -> list[Expr]:
        """The largest computations that a computation is made of."""
        return [part for name in expr.schema.children for part in self.inside(getattr(expr, name))]


@dataclass
class _Counting:
    """How often statements do each computation, whichever way they go."""

    computations: _Computations
    _tables: dict[Any, _Table] = field(default_factory=dict)

    def table(self, node: Any) -> _Table:
        """Computations of a statement or expression."""
        found = self._tables.get(node) if isinstance(node, Stmt) else None
        if found is None:
            found = self._count(node)
            if isinstance(node, Stmt):
                self._tables[node] = found
        return found

    def _count(self, node: Any) -> _Table:
        if not isinstance(node, Stmt):
            return Counter([self.computations.look_up(expr).number for expr in self.computations.inside(node)])
        #: of a loop or branch count what more than one of its parts does: each of them may be left out
        if isinstance(node, For):
            return _shared(self.table(node.min), self.table(node.extent), self.table(node.body))
        if isinstance(node, While):
            return _shared(self.table(node.condition), self.table(node.body))
        if isinstance(node, IfThenElse):
            otherwise = Counter[int]() if node.else_case is None else self.table(node.else_case)
            return _shared(self.table(node.condition), self.table(node.then_case), otherwise)
        total: _Table = Counter()
        for name in node.schema.children:
            for part in _flat(getattr(node, name)):
                total.update(self.table(part))
        return total


def _flat(value: Any) -> Iterable[Any]:
    """Statements and expressions that a field holds."""
    if isinstance(value, tuple):
        for item in value:
            yield from _flat(item)
    elif isinstance(value, Stmt | Expr):
        yield value
    elif isinstance(value, Node) and not value.is_name:
        for name in value.schema.children:
            yield from _flat(getattr(value, name))


def _shared(*tables: _Table) -> _Table:
    """What more than one of the tables has."""
    times: Counter[int] = Counter(number for table in tables for number in table)
    made: _Table = Counter()
    for table in tables:
        made.update({number: count for number, count in table.items() if times[number] > 1})
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
        made = self.shared(node, Let)
        if made is not None:
            return made  # type: ignore[no-any-return]  # `shared` gives what it is given
        # parts of an expression have no more names than the whole, unless it binds some itself
        return self.descend(node) if self.computations.look_up(node).size > 1 and _binds(node) else node

    def shared(self, node: Any, let: Callable[..., Any]) -> Any:
        """The node with names for what it does more than once; None where there is nothing to share."""
        if self.computations.up_to_arithmetic and self.rounds > _MOST_ROUNDS:
            return None
        names: dict[int, Var] = {}
        made: list[tuple[Var, Expr]] = []
        look_up = self.computations.look_up
        counts: _Table = Counter(self.counting.table(node))
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
                    known = look_up(part)
                    if known.number not in counts:
                        order += 1
                        heappush(queue, (-known.size, order, known.number))
                    counts[known.number] += counts[number]
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
        return node.replace(min=start, extent=extent, body=body)

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
            stack += [getattr(item, name) for name in item.schema.children]
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
