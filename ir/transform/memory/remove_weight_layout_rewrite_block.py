"""Remove blocks that change the layout of weights, and change the weights instead."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

from tvmscript.ir.analysis.cost.evaluate_size import evaluate_size
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import nodes, on
from tvmscript.ir.core.values.constant_data import Data
from tvmscript.ir.tir import NOOP, Buffer, BufferLoad, Expr, IntImm, PrimFunc, TirRewriter, Var, as_expr, is_noop
from tvmscript.ir.tir.stmt import AllocateConst, Block, BufferStore
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import NoWeightLayout

#: the annotation of layout blocks
PREPROC = "meta_schedule.layout_rewrite_preproc"


@dataclass
class _LayoutChange:
    """A weight, and the store of each element in the new layout."""

    weight: Buffer
    axes: tuple[Var, ...]
    store: BufferStore


def is_layout_block(block: Block) -> bool:
    """Return whether a block copies a weight to a new layout, by its annotation."""
    value = block.annotations.get(PREPROC)
    return value is not None and is_const(as_expr(value), 1) and not is_noop(block.body)


def _match_layout_change(block: Block) -> _LayoutChange:
    store = block.body
    if not isinstance(store, BufferStore) or not isinstance(store.value, BufferLoad):
        raise _error(block, "it must only copy one element")
    if block.alloc_buffers or block.match_buffers:
        raise _error(block, "it must not allocate or match buffers")
    axes = tuple([index for index in store.value.indices if isinstance(index, Var)])
    if len(axes) != len(store.value.indices):
        raise _error(block, f"it must read {store.value.buffer.name} at its axes")
    return _LayoutChange(store.value.buffer, axes, store)


def _error(block: Block, why: str) -> NoWeightLayout:
    return NoWeightLayout(block=block.name_hint, why=why, span=block.span)


class _LayoutBlockRemover(TirRewriter):
    def __init__(self, func: PrimFunc, skips_data: bool) -> None:
        super().__init__()
        self.skips_data = skips_data
        constants = {node.buffer_var for node in nodes(func.body) if isinstance(node, AllocateConst)}
        parameters = set(func.buffer_map.values())
        #: data of a constant -> its layout change
        self.constants: dict[Var, _LayoutChange] = {}
        #: parameter -> its new buffer
        self.parameters: dict[Buffer, Buffer] = {}
        #: buffers to remove
        self.removed: set[Buffer] = set()
        blocks = [node for node in nodes(func.body) if isinstance(node, Block) and is_layout_block(node)]
        changes = [(block, _match_layout_change(block)) for block in blocks]
        loads = _LoadCollector(set(blocks))
        loads.rewrite(func.body)
        for block, change in changes:
            new_buffer = change.store.buffer
            if change.weight in loads.buffers:
                raise _error(block, f"{change.weight.name} is also used in the original layout")
            if change.weight in parameters:
                self.parameters[change.weight] = new_buffer
            elif change.weight.data in constants:
                self.constants[change.weight.data] = change
                self.renamed[new_buffer] = new_buffer.replace(data=change.weight.data, name=change.weight.name)
            else:
                raise _error(block, f"{change.weight.name} is neither a parameter nor a constant")
            self.removed.add(new_buffer)

    @on(Block)
    def block(self, node: Block) -> Block:
        if is_layout_block(node):
            return node.replace(body=NOOP, reads=(), writes=())
        kept = tuple([buffer for buffer in node.alloc_buffers if buffer not in self.removed])
        return self.descend(node if len(kept) == len(node.alloc_buffers) else node.replace(alloc_buffers=kept))

    @on(AllocateConst)
    def constant_data(self, node: AllocateConst) -> AllocateConst:
        change = self.constants.get(node.buffer_var)
        new_allocate = self.descend(node)
        if change is None:
            return new_allocate
        shape = change.store.buffer.shape
        data = self.change_layout(node, change, [extent.value for extent in shape if isinstance(extent, IntImm)])
        return new_allocate.replace(extents=shape, data=data)

    def change_layout(self, node: AllocateConst, change: _LayoutChange, shape: list[int]) -> Data:
        """Return the data in the new layout; gaps are zero."""
        old, size = node.data.tobytes(), node.dtype.itemsize * node.dtype.lanes
        if self.skips_data or len(shape) != len(change.store.buffer.shape):
            return Data(str(node.dtype), tuple(shape), old)
        new_data = bytearray(size * math.prod(shape))
        for position, indices in enumerate(product(*map(range, node.data.shape))):
            values = dict(zip(change.axes, indices, strict=True))
            new_position = 0
            for index, extent in zip(change.store.indices, shape, strict=True):
                new_position = new_position * extent + (evaluate_size(index, values) or 0)
            new_data[new_position * size : (new_position + 1) * size] = old[position * size : (position + 1) * size]
        return Data(str(node.dtype), tuple(shape), bytes(new_data))


class _LoadCollector(TirRewriter):
    """Collect buffers that are loaded outside of layout blocks."""

    def __init__(self, blocks: set[Block]) -> None:
        super().__init__()
        self.blocks = blocks
        self.buffers: set[Buffer] = set()

    @on(Block)
    def block(self, node: Block) -> Block:
        return node if node in self.blocks else self.descend(node)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        self.buffers.add(node.buffer)
        return super().load(node)


@dataclass(frozen=True)
class RemoveWeightLayoutRewriteBlock(PrimFuncPass):
    """Empty blocks with the annotation `meta_schedule.layout_rewrite_preproc`, which copy a weight to a new layout.

    A weight that is a parameter becomes a parameter of the new layout. Constant data is converted; with
    `skip_ndarray_rewrite` it only gets the new shape, for measurements. Raises `NoWeightLayout`.

    rewrite:
        def f(W: T.Buffer((16, 4)), ...):                   def f(W_: T.Buffer((4, 16)), ...):
            with T.block("layout_rewrite"):                     with T.block("layout_rewrite"):
                W_[vj, vi] = W[vi, vj]              -->             T.evaluate(0)
            ... W_[j, i] ...                                    ... W_[j, i] ...
    """

    name = "tir.RemoveWeightLayoutRewriteBlock"
    is_idempotent = True
    looks_for = frozenset({PREPROC})

    skip_ndarray_rewrite: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        remover = _LayoutBlockRemover(func, self.skip_ndarray_rewrite)
        if not remover.removed:
            return func
        buffers = {var: remover.parameters.get(buffer, buffer) for var, buffer in func.buffer_map.items()}
        return func.replace(body=remover.rewrite(func.body), buffer_map=buffers)
