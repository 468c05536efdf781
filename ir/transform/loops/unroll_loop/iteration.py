"""One iteration of a loop: its body with a value in place of the variable."""

from __future__ import annotations

from operator import is_

from tvmscript.ir.arith.fold import is_const, make
from tvmscript.ir.core import Node, on
from tvmscript.ir.tir import Expr, IntImm, Stmt, Var
from tvmscript.ir.tir.expr import Add, And, Call, CompareOp, FloorDiv, FloorMod, Mul, Or, Ramp
from tvmscript.ir.tir.intrin.control import if_then_else_
from tvmscript.ir.tir.rewrite import NOOP
from tvmscript.ir.tir.stmt import IfThenElse
from tvmscript.ir.tir.substitute import Substitution


class Iteration(Substitution):
    """Substitute the variable of a loop in its body, and keep simplified indices and conditions simplified."""

    def __init__(self, var: Var, value: Expr) -> None:
        super().__init__({var: value})
        self.replacement = value
        #: whether the variable occurs elsewhere than as a term of an index or of a condition
        self.has_new_constants = False
        #: whether it occurs in a condition that is not constant
        self.has_new_conditions = False

    @on(Var)
    def variable(self, node: Var) -> Node:
        new = self.renamed.get(node, node)
        self.has_new_constants |= new is self.replacement
        return new

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> Stmt:
        condition = self.condition(node.condition)
        if not isinstance(condition, IntImm):
            return node.rebuild(
                condition=condition,
                then_case=self.rewrite(node.then_case),
                else_case=None if node.else_case is None else self.rewrite(node.else_case),
            )
        if condition.value:
            return self.rewrite(node.then_case)
        return NOOP if node.else_case is None else self.rewrite(node.else_case)

    @on(Call)
    def call(self, node: Call) -> Expr:
        if node.op is not if_then_else_:
            return self.descend(node)
        condition, *values = node.args
        new_condition = self.condition(condition)
        if isinstance(new_condition, IntImm):
            return self.rewrite(values[0] if new_condition.value else values[1])
        return node.rebuild(args=self._items((new_condition, *values)))

    def condition(self, condition: Expr) -> Expr:
        """Return a condition, which is often constant."""
        new = self.fold(condition)
        self.has_new_conditions |= new is not condition and not isinstance(new, IntImm)
        return new

    def fold(self, condition: Expr) -> Expr:
        """Return a condition with the constants of an iteration folded."""
        if isinstance(condition, (And, Or)):
            a, b = self.fold(condition.a), self.fold(condition.b)
        elif isinstance(condition, CompareOp) and condition.a.dtype.is_integer and condition.a.dtype.lanes == 1:
            a, b = self.index(condition.a), self.index(condition.b)
        else:
            return self.rewrite(condition)
        is_same = a is condition.a and b is condition.b
        return condition if is_same else make(type(condition), a, b, condition.span)

    def indices(self, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        changed = tuple([self.index(index) for index in indices])
        return indices if all(map(is_, changed, indices)) else changed

    def index(self, index: Expr) -> Expr:
        """Return an index whose constant is its last term."""
        if isinstance(index, Ramp):
            base = self.index(index.base)
            stride = self.rewrite(index.stride)
            return index if base is index.base and stride is index.stride else index.replace(base=base, stride=stride)
        terms, constant = self.terms(index)
        if not index.dtype.element.min_value <= constant <= index.dtype.element.max_value:
            return self.rewrite(index)
        if terms is None:
            return IntImm(index.dtype, constant)
        if not constant:
            return terms
        is_same = isinstance(index, Add) and index.a is terms and is_const(index.b, constant)
        return index if is_same else Add(terms, IntImm(index.dtype, constant))

    def terms(self, index: Expr) -> tuple[Expr | None, int]:
        """Return the terms of an index that are not constant, None for none, and its constant."""
        if type(index) is IntImm:
            return None, index.value
        if type(index) is Add:
            (a, constant_a), (b, constant_b) = self.terms(index.a), self.terms(index.b)
            if a is None or b is None:
                return b if a is None else a, constant_a + constant_b
            return index if a is index.a and b is index.b else Add(a, b), constant_a + constant_b
        if isinstance(index, Var):
            new = self.renamed.get(index, index)
            return (None, new.value) if isinstance(new, IntImm) else (self.rewrite(index), 0)
        if isinstance(index, Mul) and isinstance(index.b, IntImm):
            a, constant = self.terms(index.a)
            factor = index.b.value
            if a is None:
                return None, constant * factor
            return index if a is index.a else Mul(a, index.b), constant * factor
        if isinstance(index, (FloorDiv, FloorMod)) and isinstance(index.b, IntImm) and index.b.value > 0:
            a, constant = self.terms(index.a)
            if a is None and index.dtype.min_value <= constant <= index.dtype.max_value:
                return None, constant // index.b.value if isinstance(index, FloorDiv) else constant % index.b.value
        return self.rewrite(index), 0
