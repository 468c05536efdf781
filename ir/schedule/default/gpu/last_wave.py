"""The rows of a product whose tiles do not fill a wave: another product, whose tiles and parts of terms are its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tvmscript.ir.core import nodes
from tvmscript.ir.schedule.default.gpu.flat_product import Product, can_split_terms, product_of
from tvmscript.ir.schedule.default.gpu.gpu_rule import is_injective
from tvmscript.ir.schedule.default.gpu.operands import separate_operands
from tvmscript.ir.schedule.default.gpu.stream_k import ChooseShares, share_steps
from tvmscript.ir.schedule.default.split_nests import innermost, put_in_nest
from tvmscript.ir.tir import (
    Block,
    BlockRealize,
    Buffer,
    BufferLoad,
    BufferRegion,
    BufferStore,
    Expr,
    For,
    IntImm,
    MatchBufferRegion,
    PrimFunc,
    Range,
    Stmt,
    Var,
    make_buffer,
    seq,
    substitute,
    uses,
)
from tvmscript.ir.tir.stmt import stmt_list
from tvmscript.ir.tir.substitute import rename_definitions

#: Chooses how many rows come first, given the block, its product, and the numbers of rows, columns and terms.
ChooseRows = Callable[[Block, Product, tuple[int, int, int]], int | None]


def forms_of_products(
    func: PrimFunc, choose_rows: ChooseRows, choose_shares: ChooseShares | None = None
) -> Iterator[PrimFunc]:
    """Yield the function with its last wave apart, where rows are chosen, and the function with operands apart.

    Before each one comes that in which blocks share steps, where shares are chosen.
    """
    separated = separate_last_wave(func, choose_rows)
    for form in (separated, separate_operands(func)):
        if form is None:
            continue
        shared = form if choose_shares is None else share_steps(form, choose_shares)
        if shared is not form:
            yield shared
        yield form


class _Nest(NamedTuple):
    """A nest that computes rows, and the axis of these."""

    nest: Stmt
    realize: BlockRealize
    row: Var


def separate_last_wave(func: PrimFunc, choose_rows: ChooseRows) -> PrimFunc | None:
    """Return an unscheduled function in which the first rows of a product are computed before the other ones.

    What follows is computed for these rows, too. None where no rows are chosen, or where the function is something else
    than a product of arrays and what follows it row by row.

    rewrite:
        C[vi, vj] += A[vi, vk] * B[vj, vk]    -->    A_first = T.match_buffer(A[0:1792, 0:4096], (1792, 4096))
        D[vi, vj] = f(C[vi, vj])                     C_first[vi, vj] += A_first[vi, vk] * B[vj, vk]
                                                     D_first[vi, vj] = f(C_first[vi, vj])
                                                     C_last[vi, vj] += A_last[vi, vk] * B[vj, vk]
                                                     D_last[vi, vj] = f(C_last[vi, vj])
    """
    if not isinstance(func.body, BlockRealize):
        return None
    root = func.body.block
    nests = stmt_list(root.body)
    block = _realize(nests[0]).block
    product = product_of(block)
    if product is None or not can_split_terms(product) or len(product.rows) != 1 or len(product.columns) != 1:
        return None
    extents = {axis.var: axis.dom.extent for axis in block.iter_vars if axis.dom is not None}
    size = [extents[group[0]] for group in (product.rows, product.columns, product.terms)]
    rows, columns, terms = (extent.value if isinstance(extent, IntImm) else 0 for extent in size)
    first = choose_rows(block, product, (rows, columns, terms)) if rows * columns * terms else None
    computed = None if first is None else _nests_of_rows(nests, product.rows[0])
    places = None if computed is None else _places_of_rows(computed)
    if first is None or computed is None or places is None:
        return None
    stmts, allocated, matched = list[Stmt](), list[Buffer](), list[MatchBufferRegion]()
    for start, count, suffix in ((0, first, "_first"), (first, rows - first, "_last")):
        ranges: dict[Buffer, Buffer] = {}
        for buffer, place in places.items():
            region = [Range.from_min_extent(0, extent) for extent in buffer.shape]
            region[place] = Range.from_min_extent(start, count)
            shape = [each.extent for each in region]
            ranges[buffer] = make_buffer(shape, buffer.dtype, buffer.name + suffix)
            if buffer in root.alloc_buffers:
                allocated.append(ranges[buffer])
            else:
                matched.append(MatchBufferRegion(ranges[buffer], BufferRegion(buffer, tuple(region))))
        stmts += [_with_rows(each, count, ranges, suffix) for each in computed]
    others = [buffer for buffer in root.alloc_buffers if buffer not in places]
    body = root.replace(body=seq(*stmts), alloc_buffers=(*others, *allocated), match_buffers=tuple(matched))
    return func.replace(body=func.body.replace(block=body))


def _realize(nest: Stmt) -> BlockRealize:
    """Return the realization of the one block in a nest."""
    realize = innermost(nest)
    assert isinstance(realize, BlockRealize)
    return realize


def _nests_of_rows(nests: Sequence[Stmt], row: Var) -> list[_Nest] | None:
    """Return a product and the nests that follow it, each of which has an axis of the same rows, or None."""
    computed = [_Nest(nests[0], _realize(nests[0]), row)]
    # arrays of rows that nests store -> the dimension of the rows
    stored: dict[Buffer, int] = {}
    for number, nest in enumerate(nests):
        realize = _realize(nest)
        block, store = realize.block, realize.block.body
        if number:
            used = {each.region[stored[each.buffer]].min for each in block.reads if each.buffer in stored}
            axes = [axis.var for axis in block.iter_vars if axis.var in used]
            if not is_injective(block) or len(used) != 1 or len(axes) != 1:
                return None
            computed.append(_Nest(nest, realize, axes[0]))
        if not isinstance(store, BufferStore) or computed[-1].row not in store.indices:
            return None
        stored[store.buffer] = store.indices.index(computed[-1].row)
    return computed


def _places_of_rows(computed: Sequence[_Nest]) -> dict[Buffer, int] | None:
    """Return which dimension of arrays runs with the rows, None where one is accessed in another way, too."""
    places: dict[Buffer, int | None] = {}
    for nest in computed:
        accesses = [node for node in nodes(nest.realize.block) if isinstance(node, BufferLoad | BufferStore)]
        for access in accesses:
            using = [place for place, index in enumerate(access.indices) if nest.row in uses(index)]
            if len(using) > 1 or any(access.indices[place] is not nest.row for place in using):
                return None
            if places.setdefault(access.buffer, using[0] if using else None) != (using[0] if using else None):
                return None
    return {buffer: place for buffer, place in places.items() if place is not None}


def _with_rows(nest: _Nest, count: int, ranges: Mapping[Buffer, Buffer], suffix: str) -> Stmt:
    """Return a nest over a number of rows, with ranges of the arrays."""
    block = nest.realize.block
    loop = nest.realize.iter_values[[axis.var for axis in block.iter_vars].index(nest.row)]
    domain = Range.from_min_extent(IntImm(nest.row.dtype, 0), IntImm(nest.row.dtype, count))
    axes = [axis.replace(dom=domain) if axis.var is nest.row else axis for axis in block.iter_vars]
    inner = nest.realize.replace(block=block.replace(iter_vars=tuple(axes), name_hint=block.name_hint + suffix))
    return rename_definitions(substitute(_with_extent(put_in_nest(nest.nest, inner), loop, domain), ranges))


def _with_extent(nest: Stmt, var: Expr, domain: Range) -> Stmt:
    """Return a nest whose loop over a variable has another domain."""
    if not isinstance(nest, For):
        return nest
    if nest.loop_var is var:
        return nest.replace(min=domain.min, extent=domain.extent)
    return nest.replace(body=_with_extent(nest.body, var, domain))
