"""Decide whether a statement can write its result into the memory of an operand."""

from __future__ import annotations

from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.arith.iter_map.iter_sum import IterMapLevel
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import Visitor, nodes, on, structural_equal
from tvmscript.ir.tir import Add, BufferLoad, Expr, IntImm, IterVar, Mul, Ramp, Range, Stmt, Var
from tvmscript.ir.tir.index_distance import distance, step_of
from tvmscript.ir.tir.stmt import AttrStmt, BufferStore, For, IfThenElse, SeqStmt, While, is_block_axis
from tvmscript.ir.tir.storage_scope import MemoryRank, StorageScope

#: A variable and how often it takes another value.
Loop = tuple[Var, Expr]


class _InPlace(Visitor):
    """Check that each element of `new` is computed from the same element of `old` and no other element is read."""

    def __init__(self, new: Var, old: Var) -> None:
        self.new, self.old = new, old
        self.holds = True
        self.store: BufferStore | None = None
        #: stores to the new memory, with the loops around them inside of the statement
        self.stores: list[tuple[BufferStore, tuple[Loop, ...]]] = []
        self.loops: tuple[Loop, ...] = ()
        self.is_repeated = False
        #: inside of an index, or of what is loaded
        self._depth = 0

    @on(Var)
    def var(self, node: Var) -> None:
        if node is self.new or node is self.old:
            self.holds = False  # the address goes elsewhere

    @on(For)
    def loop(self, node: For) -> None:
        before, self.loops = self.loops, (*self.loops, (node.loop_var, node.extent))
        self.walk(node)
        self.loops = before

    @on(While)
    def repeated(self, node: While) -> None:
        self.is_repeated = True
        self.walk(node)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        if node.attr_key in ("extern_scope", "volatile_scope"):
            self.holds = False
            return
        before = self.loops
        if isinstance(node.node, IterVar):
            self.loops = (*before, (node.node.var, node.value))
        self.visit(node.value)
        self.visit(node.body)
        self.loops = before

    @on(BufferStore)
    def stored(self, node: BufferStore) -> None:
        data = node.buffer.data
        self._depth += 1
        for index in node.indices:
            self.visit(index)
        if node.predicate is not None:
            self.visit(node.predicate)
        self._depth -= 1
        if data is self.old:
            self.holds = False
        if data is self.new:
            self.stores.append((node, self.loops))
            self.store = node
        self.visit(node.value)
        self.store = None

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        data = node.buffer.data
        if data is self.new or self._depth:
            self.holds = False
        elif data is self.old:
            store = self.store
            self.holds = self.holds and store is not None and _is_same_place(store, node)
        self._depth += 1
        self.walk(node)
        self._depth -= 1


def _is_equal(a: Expr, b: Expr) -> bool:
    return expr_deep_equal(a, b) or structural_equal(a, b)


def _is_same_place(store: BufferStore, load: BufferLoad) -> bool:
    left, right = store.buffer, load.buffer
    return (
        store.value.dtype is load.dtype
        and len(store.indices) == len(load.indices)
        and all(_is_equal(a, b) for a, b in zip(store.indices, load.indices, strict=True))
        and load.predicate is None
        and _is_equal(left.elem_offset, right.elem_offset)
        and len(left.shape) == len(right.shape)
        and all(_is_equal(a, b) for a, b in zip(left.shape[1:], right.shape[1:], strict=True))
        and not left.strides
        and not right.strides
    )


def threads_with_same_memory(threads: tuple[AttrStmt, ...], scope: StorageScope) -> tuple[AttrStmt, ...]:
    """Return the thread axes whose threads see the same memory of a storage scope."""
    if scope.rank >= MemoryRank.WARP:
        return ()
    if scope.rank is MemoryRank.GLOBAL:
        return threads
    return tuple([
        each
        for each in threads
        if not (isinstance(each.node, IterVar) and is_block_axis(each.node.thread_tag))
    ])  # fmt: skip


def is_in_place(stmt: Stmt, new: Var, old: Var, threads: tuple[AttrStmt, ...]) -> bool:
    """Return whether `new` may take over the memory of `old` at this statement, the last one that uses `old`.

    Each element of the new memory is computed once, from the same element of the old one. The threads around the
    statement that share the memory run it together.
    """
    if not isinstance(stmt, (AttrStmt, For, IfThenElse, While, BufferStore)):
        return False
    check = _InPlace(new, old)
    check.loops = tuple([(each.node.var, each.value) for each in threads if isinstance(each.node, IterVar)])
    check.visit(stmt)
    if not check.holds or check.is_repeated:
        return False
    if _most_stores(stmt, new) > 1:
        return _are_apart(check.stores)
    return all(_is_visited_once(store.indices, loops) for store, loops in check.stores)


def _most_stores(stmt: Stmt, var: Var) -> int:
    """Count the stores to the memory in one run of the statement; repetitions count once."""
    if isinstance(stmt, BufferStore):
        return int(stmt.buffer.data is var)
    if isinstance(stmt, SeqStmt):
        return sum([_most_stores(each, var) for each in stmt.seq])
    if isinstance(stmt, IfThenElse):
        other = 0 if stmt.else_case is None else _most_stores(stmt.else_case, var)
        return max(_most_stores(stmt.then_case, var), other)
    inner = getattr(stmt, "body", None)
    return _most_stores(inner, var) if isinstance(inner, Stmt) else 0


def _are_apart(stores: list[tuple[BufferStore, tuple[Loop, ...]]]) -> bool:
    """Whether stores in the same loops are at constant distances, and iterations further apart than these."""
    first, loops = stores[0]
    if any(len(each.indices) != 1 or each.indices[0].dtype.lanes != 1 or around != loops for each, around in stores):
        return False
    offsets = [distance(first.indices[0], each.indices[0]) for each, _ in stores]
    numbers = [each for each in offsets if each is not None]
    if len(numbers) < len(offsets) or len(set(numbers)) < len(numbers):
        return False
    return _has_growing_steps(first.indices, _repeating(loops), max(numbers) - min(numbers))


def _repeating(loops: tuple[Loop, ...]) -> tuple[Loop, ...]:
    return tuple([each for each in loops if not (isinstance(each[1], IntImm) and each[1].value <= 1)])


def _is_visited_once(indices: tuple[Expr, ...], loops: tuple[Loop, ...]) -> bool:
    """Whether no two iterations have the same indices."""
    loops = _repeating(loops)
    last = indices[-1] if indices else None
    if isinstance(last, Ramp):
        lane = Var("lane", last.base.dtype)
        loops = (*loops, (lane, IntImm(lane.dtype, last.lanes)))
        indices = (*indices[:-1], Add(last.base, Mul(lane, last.stride)))
    elif last is not None and last.dtype.lanes != 1:
        return False
    used = {part for index in indices for part in nodes(index) if isinstance(part, Var)}
    if any(var not in used for var, _ in loops):
        return False
    return _has_growing_steps(indices, loops) or bool(
        detect_iter_map(
            indices,
            {var: Range.from_min_extent(IntImm(var.dtype, 0), extent) for var, extent in loops},
            check_level=IterMapLevel.Bijective,
        ).indices
    )


def _has_growing_steps(indices: tuple[Expr, ...], loops: tuple[Loop, ...], reach: int | None = 0) -> bool:
    """Whether there is one index, and each step of it is larger than all smaller steps together reach."""
    if len(indices) > 1 and len(loops) > 1:
        return False
    index = indices[-1] if len(indices) == 1 else None
    if index is None:
        return not loops
    steps: list[tuple[int, int | None]] = []
    for var, extent in loops:
        step = step_of(index, var)
        if not step:
            return False
        steps.append((abs(step), extent.value if isinstance(extent, IntImm) else None))
    for step, count in sorted(steps, key=lambda each: each[0]):
        if reach is None or step <= reach:
            return False
        reach = None if count is None else reach + step * (count - 1)
    return True
