"""Transform the layout of a buffer by an index map: transform_layout, set_axis_separator."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any

from tvmscript.ir.analysis.blocks.block_access import block_access
from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.index_map import IndexMap
from tvmscript.ir.core import FLOAT32, INT32, DType, WrongType, nodes, on
from tvmscript.ir.schedule.analysis.buffer_uses import stmts_without_buffer
from tvmscript.ir.schedule.errors import RootBlockError, ScheduleError
from tvmscript.ir.schedule.instruction import Promises
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.recorder import NORMALIZERS, Recorder, primitive
from tvmscript.ir.schedule.rewrite.block_rewriter import OpaqueAccessError
from tvmscript.ir.schedule.rewrite.index_dtypes import cast_index_map, index_dtype_of
from tvmscript.ir.schedule.rewrite.layout_padding import LayoutChange, PaddingPlan, plan_padding
from tvmscript.ir.schedule.rewrite.replace_buffer import BufferReplacer, Side, buffer_at, replace_buffer
from tvmscript.ir.schedule.rewrite.simplify_indices import ContextualRewriter
from tvmscript.ir.schedule.tree import StmtRef
from tvmscript.ir.tir import Block, BlockRealize, Buffer, BufferStore, Expr, For, Stmt, Var, seq
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, FloatImm, IntImm, Range

#: a buffer of a block: ("read" or "write", index), its name, or the buffer
BufferOf = tuple[str, int] | str | Buffer
#: an index map, or a function that is converted to one
Map = IndexMap | Callable[..., Any]


class BufferIsSubregionError(ScheduleError, code="TS4184"):
    """The buffer is a view of another one (T.match_buffer), whose layout determines its own."""

    message = "{buffer} is a view of {source} in block {block}"
    advice = "transform the layout of the source buffer"


class TransformationIntroducesPaddingError(ScheduleError, code="TS4185"):
    """The new layout has padding, and no `pad_value` is given."""

    message = "layout {index_map} introduces padding to {buffer} where {predicate}"
    advice = "give a pad_value, or choose tiles that divide the shape"


class TransformationPaddingIndexMapError(ScheduleError, code="TS4186"):
    """The map `pad_value` must have one result."""

    message = "pad_value must have one result, but has {count}"


class TransformationPaddingTypeError(ScheduleError, code="TS4187"):
    """`pad_value` must have the dtype of the buffer. A Python int has an integer dtype, a float a floating one."""

    message = "pad_value has dtype {got}, but buffer {buffer} has dtype {dtype}"


class TransformationPaddingExpressionError(ScheduleError, code="TS4188"):
    """`pad_value` may only read the buffer whose layout changes."""

    message = "pad_value may only read {buffer}, but reads {other}"


class StridedLayoutError(ScheduleError, code="TS4189"):
    """The layout of a buffer with explicit strides cannot change."""

    message = "buffer {buffer} has explicit strides"


class _RecordedTransformLayout(Recorder):
    """The primitives with normalized arguments, as in traces."""

    @primitive(
        "TransformLayout",
        inputs=("block", "index_map"),
        attrs=("buffer", "pad_value", "assume_injective_transform"),
        promises=Promises(undone_by="transform_layout"),
    )
    def transform_layout(
        self,
        block: BlockRV | str,
        buffer: BufferOf,
        index_map: Map,
        pad_value: int | float | Expr | Map | None = None,
        *,
        assume_injective_transform: bool = False,
    ) -> None:
        """See `TransformLayout`."""
        ref, (side, number) = self.block(block), _require_side_and_index(buffer)
        if not isinstance(index_map, IndexMap):
            raise WrongType(where="transform_layout", expected="an index map or a function", got=repr(index_map))
        if pad_value is not None and not isinstance(pad_value, IndexMap):
            raise WrongType(where="transform_layout", expected="a pad value", got=repr(pad_value))
        old = buffer_at(ref, number, side)
        site = _find_owner(ref, old)
        if old.strides:
            raise StridedLayoutError(buffer=old.name, at=[ref.block])
        index_map = cast_index_map(self.substitute_samples(index_map), old.shape)
        if pad_value is not None:
            _check_padding(pad_value, old, ref)
        new = old.replace(shape=index_map.map_shape(old.shape))
        plan = PaddingPlan()
        if not assume_injective_transform:
            inverse, is_padding = index_map.non_surjective_inverse(old.shape)
            if not fold.is_const(is_padding, 0):
                if pad_value is None:
                    raise TransformationIntroducesPaddingError(
                        buffer=old.name, predicate=is_padding, index_map=index_map, at=[ref.block]
                    )
                plan = plan_padding(site.block, LayoutChange(old, new, inverse, is_padding, pad_value))
        rewriting = _LayoutRewriter(old, new, index_map, plan, stmts_without_buffer(site, old))
        new_block = rewriting.block_of(site.block)
        tree = site.tree
        tree.replace(site, new_block, rewriting.blocks)
        _replace_parameter(site, old, new)

    @primitive(
        "SetAxisSeparator",
        inputs=("block",),
        attrs=("buffer", "axis_separators"),
        promises=Promises(is_idempotent=True, undone_by="set_axis_separator"),
    )
    def set_axis_separator(self, block: BlockRV | str, buffer: BufferOf, axis_separators: Sequence[int] | None) -> None:
        """Set the axis separators of a buffer: the dimensions at which groups of its physical layout begin.

        Raises `BufferIndexOutOfRangeError`, `BufferIsSubregionError`, `RootBlockError`.
        """
        ref, (side, number) = self.block(block), _require_side_and_index(buffer)
        old = buffer_at(ref, number, side)
        site = _find_owner(ref, old)
        axes = tuple(int(self.evaluate(axis)) for axis in axis_separators or ())
        new = old.replace(axis_separators=axes)
        replace_buffer(site, old, _AxisSeparatorReplacer({old: new}))
        _replace_parameter(site, old, new)


class TransformLayout(_RecordedTransformLayout):
    """Memory and layout."""

    def transform_layout(
        self,
        block: BlockRV | str,
        buffer: BufferOf,
        index_map: Map,
        pad_value: int | float | Expr | Map | None = None,
        *,
        assume_injective_transform: bool = False,
    ) -> None:
        """Transform the layout of a buffer by an index map at all its uses; a parameter changes its shape.

        `index_map` is a function of the old indices, such as `lambda i, j: (i // 16, j, i % 16)`;
        `IndexMap.AXIS_SEPARATOR` among its results starts a group of dimensions. `pad_value` is the value of padding
        elements: a number, or a function of the new indices. `assume_injective_transform` skips the check that
        the map is injective. Raises `BufferIndexOutOfRangeError`, `BufferIsSubregionError`,
        `TransformationIntroducesPaddingError`, `TransformationPaddingIndexMapError`, `OpaqueAccessError`,
        `TransformationPaddingTypeError`, `TransformationPaddingExpressionError`, `NotInvertible`, `WrongType`,
        `StridedLayoutError`.
        """
        given = {"block": NORMALIZERS["block"](self, {}, block)}
        place = NORMALIZERS["buffer"](self, given, buffer)
        ref = self.block(given["block"])
        target = buffer_at(ref, place[1], _require_side_and_index(place)[0])
        dtype = index_dtype_of(ref.block)
        separators: list[int] = []
        if not isinstance(index_map, IndexMap):
            index_map, separators = IndexMap.from_func_with_separators(index_map, len(target.shape), index_dtype=dtype)
        padding = _make_padding_map(pad_value, target, len(index_map.final_indices), dtype)
        super().transform_layout(
            given["block"], place, index_map, padding, assume_injective_transform=assume_injective_transform
        )
        if separators:
            self.set_axis_separator(given["block"], place, separators)


# arguments


def _require_side_and_index(buffer: BufferOf) -> tuple[Side, int]:
    """Return the side and index of a normalized buffer argument."""
    if isinstance(buffer, tuple) and len(buffer) == 2 and isinstance(buffer[1], int) and buffer[0] in _SIDES:
        return _SIDES[buffer[0]], buffer[1]
    expected = '("read" or "write", number), the name of a buffer of the block, or the buffer'
    raise WrongType(where="a buffer", expected=expected, got=repr(buffer))


_SIDES: dict[str, Side] = {"read": "read", "write": "write"}


def _make_padding_map(
    value: int | float | Expr | Map | None, buffer: Buffer, ndim: int, dtype: DType
) -> IndexMap | None:
    """Convert `pad_value` to a map from the new indices."""
    if value is None or isinstance(value, IndexMap):
        return value
    pad: Any = value
    if isinstance(value, int):
        pad = IntImm(buffer.dtype if buffer.dtype.is_integer else INT32, int(value))
    elif isinstance(value, float):
        pad = FloatImm(buffer.dtype if buffer.dtype.is_floating else FLOAT32, value)
    elif callable(value):
        return IndexMap.of_values(value, ndim, index_dtype=dtype)
    return IndexMap.of_values(lambda *indices: pad, ndim, index_dtype=dtype)


# checks


def _find_owner(ref: StmtRef, buffer: Buffer) -> StmtRef:
    """Return the block that allocates a buffer; the root block for parameters.

    Raises `BufferIsSubregionError`, `RootBlockError`.
    """
    at: StmtRef | None = ref
    while at is not None:
        if at.is_block:
            if buffer in at.block.alloc_buffers:
                return at
            for match in at.block.match_buffers:
                if match.buffer is buffer:
                    source, name = match.source.buffer.name, at.block.name_hint
                    raise BufferIsSubregionError(buffer=buffer.name, source=source, block=name, at=[at.block])
        at = at.parent
    if ref.parent is None:
        raise RootBlockError(primitive="transform_layout", at=[ref.block])
    return ref.tree.root


def _check_padding(pad_value: IndexMap, buffer: Buffer, ref: StmtRef) -> None:
    """Raise an error unless the padding is one value of the buffer's dtype that reads no other buffer."""
    at = [ref.block]
    count = len(pad_value.final_indices)
    if count != 1:
        raise TransformationPaddingIndexMapError(count=count, at=at)
    (value,) = pad_value.final_indices
    if value.dtype is not buffer.dtype:
        legal = "write it as 0.0, or T.float16(0)" if buffer.dtype.is_floating else None
        raise TransformationPaddingTypeError(
            got=value.dtype, buffer=buffer.name, dtype=buffer.dtype, at=at, legal=legal
        )
    for load in nodes(value):
        if isinstance(load, BufferLoad) and load.buffer is not buffer:
            raise TransformationPaddingExpressionError(other=load.buffer.name, buffer=buffer.name, at=at)


# rewriting


def _replace_parameter(site: StmtRef, old: Buffer, new: Buffer) -> None:
    """Replace a buffer in the parameters of the function, if it is one."""
    func = site.tree.func
    if old in func.buffer_map.values():
        parameters = {param: new if buffer is old else buffer for param, buffer in func.buffer_map.items()}
        site.tree.change_function(func.replace(buffer_map=parameters))


class _AxisSeparatorReplacer(BufferReplacer):
    """Replace a buffer by one with other axis separators; its views get the same separators."""

    def replace_view(self, view: Buffer, source: Buffer) -> Buffer:
        return view.replace(axis_separators=source.axis_separators)


class _LayoutRewriter(ContextualRewriter):
    """Rewrite accesses of a buffer to another one by an index map."""

    def __init__(
        self, old: Buffer, new: Buffer, index_map: IndexMap, plan: PaddingPlan, elsewhere: Container[Stmt]
    ) -> None:
        super().__init__()
        #: statements that do not use the buffer
        self.elsewhere = elsewhere
        self.old = old
        self.new = new
        self.index_map = index_map
        self.plan = plan
        self.blocks: dict[Block, Block] = {}
        self.around: list[Block] = []

    def block_of(self, block: Block) -> Block:
        """Rewrite the block that owns the buffer."""
        new_block: Block = self.rewrite(block)
        if self.plan.first is not None:
            new_block = new_block.replace(body=seq(self.plan.first, new_block.body))
        self.blocks[new_block] = block
        return new_block

    @on(Var, Buffer)
    def name(self, node: object) -> Any:
        if node is self.old or node is self.old.data:
            block = self.around[-1]
            raise OpaqueAccessError(buffer=self.old.name, block=block.name_hint, at=[block])
        return node

    def followed(self, node: Stmt, new_stmt: Stmt) -> Stmt:
        """Append the padding statement of the plan after its statement."""
        after = self.plan.after
        return seq(new_stmt, after[1]) if after is not None and after[0] is node else new_stmt

    @on(For)
    def loop(self, node: For) -> Stmt:
        if node in self.elsewhere:
            return node
        if node in self.plan.replaced:
            stmt: Stmt = self.rewrite(self.plan.replaced[node])
            return stmt
        return self.followed(node, super().loop(node))

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        if node.buffer is not self.old:
            return super().load(node)
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        return BufferLoad(self.new, self.mapped(node.indices), predicate, span=node.span)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        if node.buffer is not self.old:
            return super().store(node)
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        value = self.rewrite(node.value)
        new_store = BufferStore(self.new, value, self.mapped(node.indices), predicate, span=node.span)
        return self.followed(node, new_store)

    def mapped(self, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Map indices, and simplify them over the enclosing loops and axes."""
        new_indices = self.simplified(self.index_map.map_indices(self.indices(indices)))
        if all(isinstance(index, Var) for index in new_indices):
            return new_indices
        analyzer = Analyzer()
        for var, domain in self.domains.items():
            analyzer.bind(var, domain)
        return tuple([index if isinstance(index, Var) else analyzer.simplify(index) for index in new_indices])

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> Stmt:
        return node if node in self.elsewhere else self.followed(node, super().realize(node))

    @on(Block)
    def block(self, node: Block) -> Block:
        self.around.append(node)
        for match in node.match_buffers:
            self.rewrite(match.source)
        body, init = self.rewrite(node.body), None if node.init is None else self.rewrite(node.init)
        self.around.pop()
        new_block = node
        if body is not node.body or init is not node.init:
            new_block = new_block.replace(body=body, init=init)
        if self.old in new_block.alloc_buffers:
            new_block = new_block.replace(
                alloc_buffers=tuple(self.new if b is self.old else b for b in new_block.alloc_buffers)
            )
        if any(region.buffer is self.old for region in (*new_block.reads, *new_block.writes)):
            reads, writes = block_access(new_block, {self.new.data: self.new})
            new_block = new_block.replace(
                reads=self.regions(new_block.reads, reads), writes=self.regions(new_block.writes, writes)
            )
        if new_block is not node:
            self.blocks[new_block] = self.plan.blocks.get(node, node)
        return new_block

    def regions(self, old: Sequence[BufferRegion], new_regions: Sequence[BufferRegion]) -> tuple[BufferRegion, ...]:
        """Replace the regions of the buffer by the recomputed ones."""
        whole = BufferRegion(
            self.new, tuple([Range.from_min_extent(IntImm(size.dtype, 0), size) for size in self.new.shape])
        )
        new = new_regions[0] if new_regions else whole
        return tuple([new if region.buffer is self.old else region for region in old])
