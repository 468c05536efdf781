"""Vectors: whole ones are loaded and stored at once, and computed lane by lane in registers.

A vector expression becomes a variable of type `Vec`, which a loop over the lanes fills: the loop's body is the scalar
expression of a lane, in which the vectors that were loaded are indexed.
"""

from __future__ import annotations

from tvmscript.backends.c.expressions import element, write_choice
from tvmscript.backends.c.statements import write_store as write_scalar_store
from tvmscript.backends.c.types import PRIMARY, UNARY, Value
from tvmscript.backends.cuda.codegen import NIBBLES, CudaCodegen, call_rule, rule, vector_rule
from tvmscript.ir.analysis.access.scalarize import lane
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import INT32, CallEffect, Op, on
from tvmscript.ir.tir import Buffer, Expr, TirRewriter, stmt
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.buffer import make_buffer

#: bytes that one instruction loads or stores
_WIDEST = 16


class _Registers(TirRewriter):
    """Replace vectors that are loaded, or that no lane of others gives, by accesses of variables that hold them."""

    def __init__(self, cg: CudaCodegen) -> None:
        super().__init__()
        self._cg = cg
        #: text of a load -> the variable that holds it
        self._loaded: dict[str, str] = {}

    @on(tir.BufferLoad)
    def load(self, node: tir.BufferLoad) -> Expr:
        if not node.dtype.is_vector or node.predicate is not None:
            return node
        whole = whole_vector(self._cg, node.buffer, node.indices, node.dtype.lanes)
        return node if whole is None else self._load_once(node, node.buffer.name)

    @on(tir.Var)
    def variable(self, node: tir.Var) -> Expr:
        return self._access(self._cg.lookup(node), node) if node.dtype.is_vector else node

    @on(tir.Let)
    def let(self, node: tir.Let) -> Expr:
        cg, dtype = self._cg, node.value.dtype
        value = cg.vector_expr(node.value) if dtype.is_vector else cg.expr(node.value)
        cg.line(f"const {cg.type_name(dtype, node.span)} {cg.define(node.var)} = {value.text};")
        return self.rewrite(node.body)

    @on(tir.Call)
    def call(self, node: tir.Call) -> Expr:
        if not node.dtype.is_vector:
            return node
        name = node.op.name if isinstance(node.op, Op) else ""
        if name == "tir.if_then_else":
            # what a condition of each lane guards is loaded lane by lane
            return self._load_once(node, "chosen") if not node.args[0].dtype.is_vector else node
        if name in self._cg.vector_calls:
            return self._load_once(node, "values")
        has_lanes = isinstance(node.op, Op) and node.op.effect is CallEffect.PURE
        return self.descend(node) if has_lanes else self._load_once(node, "values")

    def _load_once(self, node: Expr, name: str) -> Expr:
        cg = self._cg
        value = cg.vector_expr(node)
        if value.text.isidentifier():
            return self._access(value.text, node)
        loaded = self._loaded.get(value.text)
        if loaded is None:
            loaded = self._loaded[value.text] = cg.names.fresh(name)
            cg.line(f"const {cg.type_name(node.dtype, node.span)} {loaded} = {value.text};")
        return self._access(loaded, node)

    def _access(self, name: str, node: Expr) -> Expr:
        lanes = node.dtype.lanes
        buffer = make_buffer((tir.IntImm(INT32, lanes),), node.dtype.element, name)
        self._cg.env[buffer.data] = name
        self._cg.pointees[buffer.data] = node.dtype.element
        return tir.BufferLoad(buffer, (tir.Ramp(tir.IntImm(INT32, 0), tir.IntImm(INT32, 1), lanes),))


@vector_rule(Expr)
def write_lanes(cg: CudaCodegen, node: Expr) -> Value:
    """Write a vector as a variable that a loop over its lanes fills."""
    kind = cg.type_name(node.dtype, node.span)
    if isinstance(node, tir.Broadcast):
        return Value(f"{kind}::filled({cg.expr(node.value).text})", PRIMARY, node.dtype)
    scalars = _Registers(cg).rewrite(node)
    name = cg.names.fresh("values")
    cg.line(f"{kind} {name};")
    number = tir.Var("lane", INT32)
    value = lane(scalars, number)
    if value is None:
        for place in range(node.dtype.lanes):
            value = lane(scalars, tir.IntImm(INT32, place))
            if value is None:
                raise cg.refusal(f"a vector of {node.dtype} that has no form lane by lane", node.span)
            cg.line(f"{name}[{place}] = {cg.expr(value).text};")
    else:
        cg.bind_domain(number, tir.Range.from_extent(tir.IntImm(INT32, node.dtype.lanes)))
        with cg.lanes(number, node.dtype.lanes) as index:
            cg.line(f"{name}[{index}] = {cg.expr(value).text};")
    return Value(name, PRIMARY, node.dtype)


@vector_rule(tir.Var)
def write_variable(cg: CudaCodegen, node: tir.Var) -> Value:
    return Value(cg.lookup(node), PRIMARY, node.dtype)


@vector_rule(tir.BufferLoad)
def write_load(cg: CudaCodegen, node: tir.BufferLoad) -> Value:
    whole = whole_vector(cg, node.buffer, node.indices, node.dtype.lanes)
    if whole is None or node.predicate is not None:
        return write_lanes(cg, node)
    return Value(f"*(const {cg.type_name(node.dtype, node.span)} *)&{whole}", UNARY, node.dtype)


@vector_rule(tir.Call)
def write_vector_call(cg: CudaCodegen, node: tir.Call) -> Value:
    name = node.op.name if isinstance(node.op, Op) else ""
    if name == "tir.if_then_else" and not node.args[0].dtype.is_vector:
        return write_choice(cg, *node.args)
    write = cg.call_rules.get(name) if name in cg.vector_calls else None
    if write is not None:
        return write(cg, node)
    if isinstance(node.op, Op) and node.op.effect is CallEffect.PURE:
        return write_lanes(cg, node)
    return cg.scalar_expr(node)


def whole_vector(cg: CudaCodegen, buffer: Buffer, indices: tuple[Expr, ...], lanes: int) -> str | None:
    """Return the first element of a vector that is accessed at once; None for one that is not, lane by lane."""
    dtype, per_element = buffer.dtype.element, buffer.dtype.lanes
    last = indices[-1]
    if dtype in NIBBLES or buffer.strides or any(index.dtype.is_vector for index in indices[:-1]):
        return None
    if isinstance(last, tir.Ramp):
        if per_element != 1 or not is_const(last.stride, 1):
            return None
        last = last.base
    elif last.dtype.is_vector or per_element != lanes:
        return None
    if per_element == 1:
        place = (*indices[:-1], last)
        is_aligned = cg.is_multiple(buffer, place, _alignment(dtype.itemsize * lanes, dtype.itemsize))
        return element(cg, buffer, place) if is_aligned else None
    flat = make_buffer((tir.IntImm(last.dtype, 1),), dtype, buffer.name, buffer.data)
    return element(cg, flat, (tir.Mul(last, tir.IntImm(last.dtype, per_element)),))


def _alignment(size: int, itemsize: int) -> int:
    """Return of how many elements the place of a vector has to be a multiple."""
    return max(min(size & -size, _WIDEST) // itemsize, 1)


@rule(stmt.BufferStore)
def write_store(cg: CudaCodegen, node: stmt.BufferStore) -> None:
    lanes = node.value.dtype.lanes
    if lanes == 1:
        write_scalar_store(cg, node)
        return
    kind = cg.type_name(node.value.dtype, node.span)
    with cg.scope():
        value = cg.expr(node.value)
        whole = None if node.predicate is not None else whole_vector(cg, node.buffer, node.indices, lanes)
        if whole is not None:
            cg.line(f"*({kind} *)&{whole} = {value.text};")
            return
        values = value.text if value.text.isidentifier() else cg.names.fresh("values")
        if values != value.text:
            cg.line(f"const {kind} {values} = {value.text};")
        _store_lanes(cg, node, values)


def _store_lanes(cg: CudaCodegen, node: stmt.BufferStore, values: str) -> None:
    number = tir.Var("lane", INT32)
    last = lane(node.indices[-1], number)
    guard = None if node.predicate is None else lane(node.predicate, number)
    if last is None or (guard is None) != (node.predicate is None):
        raise cg.refusal("a store to places that have no form lane by lane", node.span)
    cg.bind_domain(number, tir.Range.from_extent(tir.IntImm(INT32, node.value.dtype.lanes)))
    with cg.lanes(number, node.value.dtype.lanes) as index:
        target = element(cg, node.buffer, (*node.indices[:-1], last))
        store = f"{target} = {values}[{index}];"
        cg.line(store if guard is None else f"if ({cg.expr(guard).text}) {store}")


@call_rule("vectorlow", "vectorhigh")
def write_half(cg: CudaCodegen, node: tir.Call) -> Value:
    """Write half of a vector, or its only lane in that half."""
    start = 0 if isinstance(node.op, Op) and node.op.name == "tir.vectorlow" else node.args[0].dtype.lanes // 2
    source = cg.held(node.args[0])
    if node.dtype.lanes == 1:
        return Value(f"{source}[{start}]", PRIMARY, node.dtype)
    return _copied(cg, node, [(source, start, node.dtype.lanes)])


@call_rule("vectorcombine")
def write_combined(cg: CudaCodegen, node: tir.Call) -> Value:
    return _copied(cg, node, [(cg.held(arg), 0, arg.dtype.lanes) for arg in node.args])


@rule(tir.Shuffle)
@vector_rule(tir.Shuffle)
def write_shuffle(cg: CudaCodegen, node: tir.Shuffle) -> Value:
    """Write the lanes of vectors that constants pick."""
    parts = [(cg.held(vector), vector.dtype.lanes) for vector in node.vectors]
    lanes = [f"{source}[{at}]" if count > 1 else source for source, count in parts for at in range(count)]
    picked = [lanes[cg.constant(index, "the lane of a Shuffle", node.span)] for index in node.indices]
    if not node.dtype.is_vector:
        return Value(picked[0], PRIMARY, node.dtype)
    name = cg.names.fresh("values")
    cg.line(f"{cg.type_name(node.dtype, node.span)} {name};")
    for place, text in enumerate(picked):
        cg.line(f"{name}[{place}] = {text};")
    return Value(name, PRIMARY, node.dtype)


def _copied(cg: CudaCodegen, node: tir.Call, parts: list[tuple[str, int, int]]) -> Value:
    name = cg.names.fresh("values")
    cg.line(f"{cg.type_name(node.dtype, node.span)} {name};")
    place = 0
    for source, start, count in parts:
        for offset in range(count):
            lane_text = f"{source}[{start + offset}]" if count > 1 or start else source
            cg.line(f"{name}[{place}] = {lane_text};")
            place += 1
    return Value(name, PRIMARY, node.dtype)
