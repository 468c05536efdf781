"""`te.gradient`: reverse-mode differentiation of tensor expressions.

    [dA] = te.gradient(C, [A], head)        # dA[k..., a...] = sum over c of head[k..., c...] * dC[c...] / dA[a...]

An operation C[i] with reduction axes r that reads A[e(i, r)] adds the sum of head * derivative over all i and r with
e(i, r) = a. The equations are solved for as many axes as possible, and the others are the reduction axes of the
gradient, so that no Jacobian is a tensor (as in T.-M. Li et al., "Differentiable Programming for Image Processing and
Deep Learning in Halide", 2018).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.errors import NotInvertible
from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.arith.index_map import IndexMap
from tvmscript.ir.arith.linear_equation import detect_linear_equation
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import WrongRank
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.derivative import derivative
from tvmscript.ir.te.errors import CannotDifferentiate
from tvmscript.ir.te.reduction import sum as sum_over
from tvmscript.ir.te.tensor import ComputeOp, PlaceholderOp, Tensor, loaded_tensors, topological_order
from tvmscript.ir.tir import EQ, Cast, Expr, IntImm, IterVar, Range, Select, Var, const, match_types, substitute
from tvmscript.ir.tir.intrin.control import if_then_else
from tvmscript.ir.tir.operators import logical_and
from tvmscript.ir.tir.te_nodes import ProducerLoad, Reduce


def gradient(output: Tensor, inputs: Tensor | Sequence[Tensor], head: Tensor | None = None) -> list[Tensor]:
    """Return the gradients of a tensor with respect to others, each of the shape of `head` without the shape of the
    output, then that of the input.

    Without `head` they are the Jacobians: the shape of the output, then that of the input. Raises
    `CannotDifferentiate`, and `WrongRank` for a head of fewer dimensions than the output.
    """
    sources = [inputs] if isinstance(inputs, Tensor) else list(inputs)
    head = _identity(output) if head is None else head
    rank = len(head.shape) - len(output.shape)
    if rank < 0:
        raise WrongRank(buffer=head.name, rank=len(output.shape), count=len(head.shape))
    needed = _tensors_between(sources, output)
    terms: dict[Tensor, list[Tensor]] = {}
    terms[output] = [head]
    for op in reversed(topological_order([output.op])):
        for tensor in op.outputs:
            if not terms.get(tensor) or isinstance(op, PlaceholderOp) or tensor not in needed:
                continue
            adjoint = _total(terms[tensor])
            terms[tensor] = [adjoint]
            for source in op.input_tensors:
                if source in needed:
                    terms.setdefault(source, []).extend(_terms(tensor, source, adjoint, rank))
    prefix = head.shape[:rank]
    return [_total(terms[source]) if terms.get(source) else _zeros(output, source, prefix) for source in sources]


def _identity(tensor: Tensor) -> Tensor:
    """Return the derivative of a tensor with respect to itself."""
    rank = len(tensor.shape)

    def element(*indices: Expr) -> Expr:
        equal = [EQ(*match_types(a, b)) for a, b in zip(indices[:rank], indices[rank:], strict=True)]
        return Cast(tensor.dtype, _all(equal))

    return compute((*tensor.shape, *tensor.shape), element, name="identity")


def _tensors_between(sources: Iterable[Tensor], output: Tensor) -> set[Tensor]:
    """Return the sources, and the tensors that are computed from them."""
    needed = set(sources)
    for op in topological_order([output.op]):
        if any(tensor in needed for tensor in op.input_tensors):
            needed.update(op.outputs)
    return needed


def _total(terms: Sequence[Tensor]) -> Tensor:
    total = terms[0]
    for term in terms[1:]:
        total = _add(total, term, f"{terms[0].op.name}.sum")
    return total


def _add(a: Tensor, b: Tensor, name: str) -> Tensor:
    return compute(a.shape, lambda *indices: a(*indices) + b(*indices), name=name)


def _zeros(output: Tensor, source: Tensor, prefix: Sequence[Expr]) -> Tensor:
    return compute((*prefix, *source.shape), lambda *_: const(0, source.dtype), name=_name(output, source))


def _name(output: Tensor, source: Tensor) -> str:
    return f"{output.op.name}.{source.op.name}.grad"


def _terms(tensor: Tensor, source: Tensor, head: Tensor, rank: int) -> list[Tensor]:
    """Return what the elements of `source` that an operation reads add to its gradient, a term for each index."""
    op = tensor.op
    if not isinstance(op, ComputeOp):
        raise CannotDifferentiate(what=op.name, reason=f"it is a {type(op).__name__}, not a te.compute")
    if len(op.body) > 1:
        raise CannotDifferentiate(what=op.name, reason="it has several results")
    value, factor, condition = _summand(op, tensor)
    loads: list[ProducerLoad] = []
    for part in nodes(value):
        if not isinstance(part, ProducerLoad) or part.producer is not source:
            continue
        if not any(structural_equal(part, other, map_free_vars=False) for other in loads):
            loads.append(part)
    terms: list[Tensor] = []
    for load in loads:
        slope = derivative(value, load)
        if slope is None:
            continue
        term = _Term(op, source, load, slope if factor is None else slope * factor, condition, head, rank)
        shape = (*head.shape[:rank], *source.shape)
        terms.append(compute(shape, term.element, name=_name(tensor, source)))
    return terms


def _summand(op: ComputeOp, tensor: Tensor) -> tuple[Expr, Expr | None, Expr]:
    """Return the value that is summed over the reduction axes, the factor of its derivative, and its condition.

    A maximum or minimum has the derivative of each operand that it is equal to, a product that of the product without
    the operand, which must not be 0.
    """
    (body,) = op.body
    if not isinstance(body, Reduce):
        return body, None, TRUE
    value = body.source[0]
    kind = _kind(body)
    if kind is None or loaded_tensors(body.init):
        raise CannotDifferentiate(what=op.name, reason="its reduction is no sum, product, maximum or minimum")
    result = tensor(*[axis.var for axis in op.axis])
    one, zero = const(1, value.dtype), const(0, value.dtype)
    factors = {"sum": None, "prod": result / value}
    factor = factors[kind] if kind in factors else Select(EQ(value, result), one, zero)
    return value, factor, body.condition


def _kind(reduction: Reduce) -> str | None:
    """Return the name of a reduction of single values."""
    combiner = reduction.combiner
    if len(combiner.result) != 1:
        return None
    names = {"Add": "sum", "Mul": "prod", "Max": "max", "Min": "min"}
    (result,) = combiner.result
    operands = {getattr(result, "a", None), getattr(result, "b", None)}
    return names.get(type(result).__name__) if operands == {*combiner.lhs, *combiner.rhs} else None


@dataclass
class _Solution:
    """Axes of an operation by the index of an element that it reads."""

    analyzer: Analyzer
    #: axis -> its value
    values: dict[Var, Expr] = field(default_factory=dict)
    #: what holds where the element is read
    conditions: list[Expr] = field(default_factory=list)

    def simplified(self, expr: Expr) -> Expr:
        return self.analyzer.simplify(substitute(expr, self.values))

    def define(self, axis: Var, value: Expr) -> None:
        """Set the value of an axis, in the values of others too."""
        self.values = {key: substitute(old, {axis: value}) for key, old in self.values.items()}
        self.values[axis] = value

    def require(self, condition: Expr) -> None:
        condition = self.analyzer.simplify(condition)
        if not (isinstance(condition, IntImm) and condition.value == 1):
            self.conditions.append(condition)


@dataclass(frozen=True)
class _Term:
    """What an element that an operation reads adds to a gradient."""

    op: ComputeOp
    source: Tensor
    load: ProducerLoad
    #: the derivative of the value with respect to the element
    slope: Expr
    condition: Expr
    head: Tensor
    #: dimensions of the head in front of those of the operation
    rank: int

    def element(self, *indices: Var) -> Expr:
        """Return an element of the term: a sum over the axes that its index does not determine."""
        prefix, place = indices[: self.rank], indices[self.rank :]
        analyzer = Analyzer()
        for index, extent in zip(place, self.source.shape, strict=True):
            analyzer.bind(index, Range.from_extent(extent))
        axes = {axis.var: axis for axis in self.op.root_axes}
        for axis in axes.values():
            analyzer.bind(axis.var, _domain(axis))
        solution = _Solution(analyzer)
        for axis in axes.values():
            if _length(axis) == 1:
                solution.define(axis.var, _domain(axis).min)
        rest = _solve(list(zip(self.load.indices, place, strict=True)), axes, solution)
        rest = _invert(rest, axes, solution)
        loops = _loops([axis for var, axis in axes.items() if var not in solution.values], solution)
        for var, axis in axes.items():
            if var not in loops:
                value, domain = solution.values[var], _domain(axis)
                solution.require(value >= domain.min)
                solution.require(value < domain.min + domain.extent)
        for expr, target in rest:
            solution.require(EQ(*match_types(solution.simplified(expr), target)))
        if self.condition is not TRUE:
            solution.require(solution.simplified(self.condition))
        product: Expr = self.head(*prefix, *[solution.simplified(axis.var) for axis in self.op.axis])
        product = product * solution.simplified(self.slope)
        if solution.conditions:
            product = if_then_else(_all(solution.conditions), product, const(0, product.dtype))
        return sum_over(product, axis=list(loops.values())) if loops else product


def _loops(axes: Sequence[IterVar], solution: _Solution) -> dict[Var, IterVar]:
    """Return new axes in the place of those that are not solved for."""
    loops: dict[Var, IterVar] = {}
    for axis in axes:
        loop = loops[axis.var] = _loop(axis)
        solution.analyzer.bind(loop.var, _domain(axis))
        solution.define(axis.var, loop.var)
    return loops


def _domain(axis: IterVar) -> Range:
    assert axis.dom is not None  # only thread indices have none
    return axis.dom


def _loop(axis: IterVar) -> IterVar:
    return reduce_axis(_domain(axis), axis.var.name)


Equations = Sequence[tuple[Expr, Expr]]


def _solve(equations: Equations, axes: dict[Var, IterVar], solution: _Solution) -> Equations:
    """Solve equations for axes with the coefficient 1 or -1, the longest axes first. Return the other equations."""
    rest = list(equations)
    while True:
        choices: list[tuple[int, int, Var, Expr]] = []
        for number, (expr, index) in enumerate(rest):
            current = solution.simplified(expr)
            variables = [var for var in axes if var not in solution.values and _uses(current, var)]
            coefficients = detect_linear_equation(current, variables) if variables else []
            for var, coefficient in zip(variables, coefficients, strict=False):
                if isinstance(coefficient, IntImm) and abs(coefficient.value) == 1:
                    others = substitute(current, {var: const(0, var.dtype)})
                    same = match_types(index, others)
                    value = same[0] - same[1] if coefficient.value == 1 else same[1] - same[0]
                    choices.append((_length(axes[var]), number, var, value))
        if not choices:
            return rest
        _, number, var, value = max(choices, key=lambda choice: (choice[0], -choice[1]))
        value = solution.analyzer.simplify(value)
        if value.dtype is not var.dtype:
            value = Cast(var.dtype, value)
        solution.define(var, value)
        del rest[number]


def _uses(expr: Expr, var: Var) -> bool:
    return any(part is var for part in nodes(expr))


def _length(axis: IterVar) -> int:
    extent = _domain(axis).extent
    return extent.value if isinstance(extent, IntImm) else 1 << 40


def _invert(equations: Equations, axes: dict[Var, IterVar], solution: _Solution) -> Equations:
    """Solve equations by the inverse of the map of axes to indices, where it has one.

    Return the equations: they say which elements are read at all, `A[i // 2, i % 2]` those of two columns.
    """
    # simplified remainders are no digits any more
    exprs = [substitute(expr, solution.values) for expr, _ in equations]
    variables = [var for var in axes if any(_uses(expr, var) for expr in exprs)]
    domains = [_domain(axes[var]) for var in variables]
    if not variables or not all(isinstance(domain.extent, IntImm) for domain in domains):
        return equations
    try:
        inverse = IndexMap(tuple(variables), tuple(exprs)).inverse(domains)
    except NotInvertible:
        return equations
    values = inverse.map_indices([index for _, index in equations])
    for var, value in zip(variables, values, strict=True):
        solution.define(var, solution.analyzer.simplify(value))
    return equations


def _all(conditions: Sequence[Expr]) -> Expr:
    result = conditions[0] if conditions else TRUE
    for condition in conditions[1:]:
        result = logical_and(result, condition)
    return result
