"""Weights come in the layout that blocks would have given them: those blocks are gone."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

from tvmscript.ir.analysis.evaluate_size import evaluate_size
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core.constant_data import Data
from tvmscript.ir.core.visit import nodes, on
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferLoad, IntImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.operators import as_expr
from tvmscript.ir.tir.rewrite import NOOP, TirRewriter, is_noop
from tvmscript.ir.tir.stmt import AllocateConst, Block, BufferStore
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import NoWeightLayout

#: The annotation of the blocks.
PREPROC = "meta_schedule.layout_rewrite_preproc"


@dataclass
class _Move:
    """A weight, and what a block makes of it: the store of each element."""

    weight: Buffer
    axes: tuple[Var, ...]
    store: BufferStore


def _is_preproc(block: Block) -> bool:
    value = block.annotations.get(PREPROC)
    return value is not None and is_const(as_expr(value), 1) and not is_noop(block.body)


def _move(block: Block) -> _Move:
    store = block.body
    if not isinstance(store, BufferStore) or not isinstance(store.value, BufferLoad):
        raise _refusal(block, "it does more than copying an element")
    if block.alloc_buffers or block.match_buffers:
        raise _refusal(block, "it has buffers of its own")
    axes = tuple([index for index in store.value.indices if isinstance(index, Var)])
    if len(axes) != len(store.value.indices):
        raise _refusal(block, f"it does not read each element of {store.value.buffer.name} at its axes")
    return _Move(store.value.buffer, axes, store)


def _refusal(block: Block, why: str) -> NoWeightLayout:
    return NoWeightLayout(block=block.name_hint, why=why, span=block.span)


class _Removal(TirRewriter):
    def __init__(self, func: PrimFunc, skips_data: bool) -> None:
        super().__init__()
        self.skips_data = skips_data
        constants = {node.buffer_var for node in nodes(func.body) if isinstance(node, AllocateConst)}
        parameters = set(func.buffer_map.values())
        #: data of constants -> how they move
        self.constants: dict[Var, _Move] = {}
        #: parameters -> what they are from now on
        self.parameters: dict[Buffer, Buffer] = {}
        #: buffers that need no memory any more
        self.gone: set[Buffer] = set()
        blocks = [node for node in nodes(func.body) if isinstance(node, Block) and _is_preproc(node)]
        moves = [(block, _move(block)) for block in blocks]
        elsewhere = _Elsewhere(set(blocks))
        elsewhere.rewrite(func.body)
        for block, move in moves:
            made = move.store.buffer
            if move.weight in elsewhere.found:
                raise _refusal(block, f"{move.weight.name} is used in its own layout as well")
            if move.weight in parameters:
                self.parameters[move.weight] = made
            elif move.weight.data in constants:
                self.constants[move.weight.data] = move
                self.renamed[made] = made.replace(data=move.weight.data, name=move.weight.name)
            else:
                raise _refusal(block, f"{move.weight.name} is neither a parameter nor a constant")
            self.gone.add(made)

    @on(Block)
    def block(self, node: Block) -> Block:
        if _is_preproc(node):
            return node.replace(body=NOOP, reads=(), writes=())
        kept = tuple([buffer for buffer in node.alloc_buffers if buffer not in self.gone])
        return self.descend(node if len(kept) == len(node.alloc_buffers) else node.replace(alloc_buffers=kept))

    @on(AllocateConst)
    def constant_data(self, node: AllocateConst) -> AllocateConst:
        move = self.constants.get(node.buffer_var)
        made = self.descend(node)
        if move is None:
            return made
        shape = move.store.buffer.shape
        data = self.moved(node, move, [extent.value for extent in shape if isinstance(extent, IntImm)])
        return made.replace(extents=shape, data=data)

    def moved(self, node: AllocateConst, move: _Move, shape: list[int]) -> Data:
        """The data in its new places; gaps are zero."""
        old, size = node.data.tobytes(), node.dtype.itemsize * node.dtype.lanes
        if self.skips_data or len(shape) != len(move.store.buffer.shape):
            return Data(str(node.dtype), tuple(shape), old)
        made = bytearray(size * math.prod(shape))
        for position, indices in enumerate(product(*map(range, node.data.shape))):
            values = dict(zip(move.axes, indices, strict=True))
            place = 0
            for index, extent in zip(move.store.indices, shape, strict=True):
                place = place * extent + (evaluate_size(index, values) or 0)
            made[place * size : (place + 1) * size] = old[position * size : (position + 1) * size]
        return Data(str(node.dtype), tuple(shape), bytes(made))


class _Elsewhere(TirRewriter):
    """Finds the buffers that are loaded outside of the blocks that change layouts."""

    def __init__(self, blocks: set[Block]) -> None:
        super().__init__()
        self.blocks = blocks
        self.found: set[Buffer] = set()

    @on(Block)
    def block(self, node: Block) -> Block:
        return node if node in self.blocks else self.descend(node)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        self.found.add(node.buffer)
        return super().load(node)


@dataclass(frozen=True)
class RemoveWeightLayoutRewriteBlock(PrimFuncPass):
    """Blocks with the annotation `meta_schedule.layout_rewrite_preproc` do nothing, their results are what comes in.

    Each copies one weight to another layout. A weight that is a parameter is a parameter of that layout from now on;
    constant data is moved (with `skip_ndarray_rewrite` it only gets the shape, for measurements). Raises
    `NoWeightLayout`.

    rewrite:
        def f(W: T.Buffer((16, 4)), ...):                   def f(W_: T.Buffer((4, 16)), ...):
            with T.block("layout_rewrite"):                     with T.block("layout_rewrite"):
                W_[vj, vi] = W[vi, vj]              -->             T.evaluate(0)
            ... W_[j, i] ...                                    ... W_[j, i] ...
    """

    name: ClassVar[str] = "tir.RemoveWeightLayoutRewriteBlock"
    looks_for: ClassVar[frozenset[Hashable] | None] = frozenset({PREPROC})

    skip_ndarray_rewrite: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        removal = _Removal(func, self.skip_ndarray_rewrite)
        if not removal.gone:
            return func
        buffers = {var: removal.parameters.get(buffer, buffer) for var, buffer in func.buffer_map.items()}
        return func.replace(body=removal.rewrite(func.body), buffer_map=buffers)
