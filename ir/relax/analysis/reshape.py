"""Detection of kernels that only reshape: every element keeps its linear index."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.iter_map.simplify import iter_map_simplify
from tvmscript.ir.core import Visitor, on
from tvmscript.ir.tir import BlockRealize, Buffer, BufferLoad, BufferStore, Expr, For, IntImm, PrimFunc, Range, Var


def has_reshape_pattern(func: PrimFunc) -> bool:
    """Whether a kernel provably copies its first buffer into its last one in linear order, by one block."""
    buffers = [func.buffer_map[param] for param in func.params if param in func.buffer_map]
    if len(buffers) < 2:
        return False
    finder = _CopyFinder(buffers[0], buffers[-1])
    finder.visit(func.body)
    return finder.is_copy


class _CopyFinder(Visitor):
    """Finds the copying block."""

    def __init__(self, source: Buffer, target: Buffer) -> None:
        self.source = source
        self.target = target
        self.analyzer = Analyzer()
        #: domains of the axes of the block
        self.domains: dict[Var, Range] = {}
        self.is_copy = False

    @on(For)
    def loop(self, node: For) -> None:
        self.analyzer.bind(node.loop_var, Range.from_min_extent(node.min, node.extent), allow_override=True)
        self.visit(node.body)

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> None:
        block = node.block
        body = block.body
        if not isinstance(body, BufferStore):
            self.walk(block)
            return
        if block.init is not None or not isinstance(body.value, BufferLoad):
            return
        for axis in block.iter_vars:
            if axis.dom is not None:
                self.analyzer.bind(axis.var, axis.dom, allow_override=True)
                self.domains[axis.var] = axis.dom
        self.is_copy = self._copies(body, body.value)

    def _copies(self, store: BufferStore, load: BufferLoad) -> bool:
        if store.buffer is not self.target or load.buffer is not self.source:
            return False
        target = _linear_index(self.target, store.indices, self.analyzer)
        source = _linear_index(self.source, load.indices, self.analyzer)
        if self.analyzer.can_prove_equal(target, source):
            return True
        target, source = (iter_map_simplify([index], self.domains)[0] for index in (target, source))
        return self.analyzer.can_prove_equal(target, source)


def _linear_index(buffer: Buffer, indices: Sequence[Expr], analyzer: Analyzer) -> Expr:
    """Return the row-major linear index of an element."""
    offset: Expr = IntImm(indices[0].dtype if indices else "int32", 0)
    for index, extent in zip(indices, buffer.shape, strict=True):
        offset = offset * extent + index
    return analyzer.simplify_index(offset)
