"""Buffers have the layouts that the function's `layout_transform_map` gives them, in shapes and in accesses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferLoad, IntImm, Range, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.index_map import IndexMap
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import AttrStmt, BufferStore
from tvmscript.ir.tir.te_nodes import BufferRealize
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.dtypes.common.index_dtype_rewriter import IndexDtypeRewriter

#: the attribute: buffer -> its maps, one after the other
LAYOUTS: Final = "layout_transform_map"


class _Mapping(IndexDtypeRewriter):
    """Puts indices in the place of a map's variables, of which they need not have the dtype."""

    @on(Var)
    def name(self, node: Var) -> Any:
        return self.renamed.get(node, node)


class _Layouts(TirRewriter):
    def __init__(self, maps: dict[Buffer, tuple[IndexMap, ...]]) -> None:
        super().__init__()
        self.maps = maps
        self.analyzer = Analyzer()
        for buffer, steps in maps.items():
            shape = buffer.shape
            for step in steps:
                shape = step.map_shape(shape)
            self.renamed[buffer] = buffer.replace(shape=shape)

    def define(self, name: Any) -> Any:
        return self.renamed.get(name) or super().define(name)

    def moved(self, buffer: Buffer, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Where indices go."""
        for step in self.maps.get(buffer, ()):
            put = _Mapping()
            put.renamed.update(zip(step.initial_indices, indices, strict=True))
            indices = tuple([self.analyzer.simplify(put.rewrite(index)) for index in step.final_indices])
        return indices

    def laid_out(self, node: BufferLoad | BufferStore) -> Any:
        """An access of a buffer that gets a layout: it goes to the new buffer, at the new indices."""
        changes: dict[str, Any] = {
            "buffer": self.renamed[node.buffer],
            "indices": self.moved(node.buffer, self.indices(node.indices)),
            "predicate": None if node.predicate is None else self.rewrite(node.predicate),
        }
        if isinstance(node, BufferStore):
            changes["value"] = self.rewrite(node.value)
        return node.replace(**changes)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        if node.buffer not in self.maps:
            return super().load(node)
        return self.laid_out(node)  # type: ignore[no-any-return]  # an access is what it was

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        if node.buffer not in self.maps:
            return super().store(node)
        return self.laid_out(node)  # type: ignore[no-any-return]  # an access is what it was

    @on(BufferRealize)
    def realize(self, node: BufferRealize) -> Stmt:
        if node.buffer not in self.maps:
            return self.descend(node)
        buffer: Any = self.renamed[node.buffer]
        bounds = tuple([Range.from_min_extent(IntImm(extent.dtype, 0), extent) for extent in buffer.shape])
        condition, body = self.rewrite(node.condition), self.rewrite(node.body)
        return BufferRealize(buffer, bounds, condition, body, span=node.span)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        made = self.descend(node)
        about = self.renamed.get(node.node) if isinstance(node.node, Buffer) else None
        return made if about is None else made.replace(node=about)


@dataclass(frozen=True)
class ApplyLayoutTransforms(PrimFuncPass):
    """Shapes and indices of the buffers in `layout_transform_map` go through their index maps; the attribute goes.

    Tensor expressions write the attribute where a stage has a layout of its own. Parameters change their shape too.

    rewrite:
        T.func_attr({"layout_transform_map": {A: [T.index_map(lambda i, j: (j, i))]}})
        B[i, j] = A[i, j]   -->   B[i, j] = A[j, i]
    """

    name: ClassVar[str] = "tir.ApplyLayoutTransforms"

    def transform(self, func: PrimFunc) -> PrimFunc:
        maps = func.attrs.get(LAYOUTS)
        if not maps:
            return func
        layouts = _Layouts(maps)
        buffers: dict[Any, Any] = {var: layouts.renamed.get(buffer, buffer) for var, buffer in func.buffer_map.items()}
        made = func.replace(buffer_map=buffers, body=layouts.rewrite(func.body))
        return made.without_attr(LAYOUTS)
