"""Nodes of TE: reductions as values, elements of tensors, realized regions, prefetches."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import BOOL, Span, WrongType
from tvmscript.ir.tir import AttrStmt, Buffer, Expr, Stmt, operators
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, IntImm, IterVar, Range, StringImm, Var
from tvmscript.ir.tir.intrin import SURFACE
from tvmscript.ir.tir.slices import region_of
from tvmscript.ir.tir.te_nodes import BufferRealize, CommReducer, DataProducer, Prefetch, ProducerLoad, Reduce
from tvmscript.parser.builtins.argument_checks import integer, text
from tvmscript.parser.builtins.table import construct, value
from tvmscript.parser.frames import KernelReader, Wrapper
from tvmscript.parser.names.parameters import parameter_names


def _all(where: str, given: object, cls: type, span: Span | None) -> tuple[Any, ...]:
    """Return a list of instances of one class. Raises `WrongType`."""
    items = tuple(given) if isinstance(given, (tuple, list)) else (given,)
    for item in items:
        if not isinstance(item, cls):
            raise WrongType(where=where, expected=f"a list of {cls.__name__}", got=repr(item), span=span)
    return items


def _exprs(given: object, span: Span | None) -> tuple[Expr, ...]:
    items = given if isinstance(given, (tuple, list)) else (given,)
    return tuple(operators.as_expr(item, None, span) for item in items)


@value("CommReducer")
def combiner(
    lhs: object, rhs: object, result: object, identity_element: object, span: Span | None = None
) -> CommReducer:
    """A commutative reducer: its result in terms of two groups of variables, and its identity."""
    left, right = (_all("T.CommReducer", item, Var, span) for item in (lhs, rhs))
    return CommReducer(left, right, _exprs(result, span), _exprs(identity_element, span), span=span)


@value("comm_reducer")
def comm_reducer(combiner: object, identity: object, span: Span | None = None) -> CommReducer:
    """A commutative reducer: `T.comm_reducer(lambda x, y: x + y, [T.float32(0)])`."""
    if not callable(combiner):
        raise WrongType(where="T.comm_reducer", expected="a lambda first", got=repr(combiner), span=span)
    first = _exprs(identity, span)
    names = parameter_names(combiner)
    if len(names) != 2 * len(first):
        expected = f"a lambda of {2 * len(first)} values, two for each identity"
        raise WrongType(where="T.comm_reducer", expected=expected, got=len(names), span=span)
    variables = tuple(
        Var(name, item.dtype, None, span) for name, item in zip(names, first * 2, strict=True)
    )  # fmt: skip
    result = combiner(*variables)
    return CommReducer(variables[: len(first)], variables[len(first) :], _exprs(result, span), first, span=span)


@value("Reduce")
def reduce_(
    combiner: object,
    src: object,
    rdom: object,
    condition: object,
    value_index: int,
    init: object = None,
    span: Span | None = None,
) -> Reduce:
    """A reduction as a value."""
    return _reduction("T.Reduce", combiner, src, rdom, condition, value_index, init, span)


@value("reduce")
def reduce_as_printed(
    combiner: object,
    source: object,
    init: object = None,
    axis: object = (),
    condition: object = True,
    value_index: int = 0,
    span: Span | None = None,
) -> Reduce:
    """A reduction as a value, in the spelling that printers use."""
    return _reduction("T.reduce", combiner, source, axis, condition, value_index, init, span)


def _reduction(
    where: str,
    reducer: object,
    source: object,
    axis: object,
    condition: object,
    index: object,
    init: object,
    span: Span | None,
) -> Reduce:
    if not isinstance(reducer, CommReducer):
        raise WrongType(where=where, expected="a combiner first", got=repr(reducer), span=span)
    return Reduce(
        reducer,
        _exprs(source, span),
        _all(where, axis, IterVar, span),
        operators.as_expr(condition, None, span),
        integer(f"the value_index of {where}", index),
        _exprs(init, span) if init is not None else (),
        span=span,
    )


@value("ProducerLoad")
def producer_load(producer: object, indices: object, span: Span | None = None) -> ProducerLoad:
    """An element of a tensor."""
    if not isinstance(producer, DataProducer):
        raise WrongType(where="T.ProducerLoad", expected="a tensor of TE", got=repr(producer), span=span)
    return ProducerLoad(producer, _exprs(indices, span), span=span)


@construct("realize")
def realize(
    parser: KernelReader, span: Span, buffer_slice: object, storage_scope: object = None, condition: object = True
) -> Wrapper:
    """Realize a region of a buffer for the body, in a storage scope if given."""
    region = region_of(buffer_slice) if isinstance(buffer_slice, BufferLoad) else buffer_slice
    if not isinstance(region, BufferRegion):
        raise WrongType(where="T.realize", expected="a region of a buffer", got=repr(buffer_slice), span=span)
    holds = IntImm(BOOL, int(condition)) if isinstance(condition, (bool, int)) else condition
    test = operators.as_expr(holds, None, span)
    scope = None if storage_scope is None else StringImm(text("a storage scope", storage_scope), span=span)

    def wrap(body: Stmt) -> Stmt:
        realized = BufferRealize(region.buffer, region.region, test, body, span=span)
        return realized if scope is None else AttrStmt(region.buffer, REALIZE_SCOPE, scope, realized, span=span)

    return Wrapper(None, span, wrap)


#: attribute with the storage scope of a realized buffer
REALIZE_SCOPE = "realize_scope"


@construct("prefetch")
def prefetch(parser: KernelReader, span: Span, buffer: object, bounds: object, *more: object) -> Stmt | Expr:
    """Prefetch a region of a buffer, or the memory at an address."""
    if isinstance(buffer, Expr):
        return SURFACE["prefetch"](buffer, bounds, *more, span=span)  # type: ignore[no-any-return]  # the table holds any function
    if not isinstance(buffer, Buffer):
        raise WrongType(where="T.prefetch", expected="a buffer", got=repr(buffer), span=span)
    return Prefetch(buffer, _all("T.prefetch", bounds, Range, span), span=span)
