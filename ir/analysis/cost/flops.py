"""TVM's estimate of arithmetic operations, and the block with the most of them."""

from __future__ import annotations

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import IRModule, Node, Visitor, on
from tvmscript.ir.tir import Block, BlockRealize, BufferStore, For, IfThenElse, PrimFunc, Stmt
from tvmscript.ir.tir.expr import BinaryOp, BufferLoad, CompareOp, IntImm, LogicalOp, Range, Select


def estimate_tir_flops(stmt_or_mod: Stmt | PrimFunc | IRModule) -> float:
    """Return the arithmetic operations in stored values: sums, products, quotients, minima and maxima.

    Loops count by the largest extent that they can have, once where it has no limit, and branches by the larger one.
    Indices, comparisons and math functions count nothing. A function of a module may say itself what it is: attribute
    `estimated_flops`.
    """
    if isinstance(stmt_or_mod, IRModule):
        return float(sum(_of_function(func) for func in stmt_or_mod.values() if isinstance(func, PrimFunc)))
    if isinstance(stmt_or_mod, PrimFunc):
        return float(_of_function(stmt_or_mod))
    return float(_Operations().count(stmt_or_mod))


def _of_function(func: PrimFunc) -> int:
    said = func.attrs.get("estimated_flops")
    return said.value if isinstance(said, IntImm) else _Operations().count(func.body)


def estimate_tir_bytes(program: Stmt | PrimFunc | IRModule) -> float:
    """Return the bytes of global memory that a program loads and stores, counting each execution of an access.

    Loops and branches count as for `estimate_tir_flops`. Caches are not known: an element counts each time.
    """
    if isinstance(program, IRModule):
        return sum(estimate_tir_bytes(func) for func in program.values() if isinstance(func, PrimFunc))
    return float(_Bytes().count(program.body if isinstance(program, PrimFunc) else program))


def find_anchor_block(mod: IRModule) -> Block | None:
    """Return the block with an init and the most arithmetic, the first of several; None if no block has an init."""
    finder = _Reductions()
    for func in mod.values():
        if isinstance(func, PrimFunc):
            finder.visit(func.body)
    best, most = None, -1
    for block, around in finder.reductions:
        work: Stmt = block.body
        for loop in reversed(around):
            work = loop.replace(body=work)
        if (size := _Operations().count(work)) > most:
            best, most = block, size
    return best


#: extents that may be larger than this are not known
_NO_LIMIT = 1 << 40


class _Reductions(Visitor):
    """Collect the blocks with an init and the loops around them."""

    def __init__(self) -> None:
        self.loops: list[For] = []
        self.reductions: list[tuple[Block, list[For]]] = []

    @on(For)
    def loop(self, node: For) -> None:
        self.loops.append(node)
        self.visit(node.body)
        self.loops.pop()

    @on(Block)
    def block(self, node: Block) -> None:
        if node.init is not None:
            self.reductions.append((node, list(self.loops)))
        self.visit(node.body)


class _Counter(Visitor):
    """Accumulate a count over loops and branches."""

    def __init__(self) -> None:
        self.analyzer = Analyzer()
        self.total = 0

    def count(self, node: Node) -> int:
        """Return the operations of a part."""
        before, self.total = self.total, 0
        self.visit(node)
        operations, self.total = self.total, before
        return operations

    def enter(self, node: For) -> int:
        """The largest extent of a loop, whose variable is in range from here on."""
        self.analyzer.bind(node.loop_var, Range.from_min_extent(node.min, node.extent), allow_override=True)
        high = self.analyzer.const_bounds(node.extent).high
        if high is None or high >= _NO_LIMIT:
            high = 1 if node.extent.dtype.bits > 32 else node.extent.dtype.max_value
        return max(high, 0)

    @on(For)
    def loop(self, node: For) -> None:
        times = self.enter(node)
        self.total += times * self.count(node.body)

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> None:
        other = 0 if node.else_case is None else self.count(node.else_case)
        self.total += max(self.count(node.then_case), other)

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> None:
        for axis in node.block.iter_vars:
            if axis.dom is not None:
                self.analyzer.bind(axis.var, axis.dom, allow_override=True)
        self.visit(node.block)

    @on(Block)
    def block(self, node: Block) -> None:
        self.visit(node.body)

    @on(Select)
    def choice(self, node: Select) -> None:
        self.total += self.count(node.condition) + max(self.count(node.true_value), self.count(node.false_value))


class _Bytes(_Counter):
    @on(BufferLoad, BufferStore)
    def access(self, node: BufferLoad | BufferStore) -> None:
        self.walk(node)
        if node.buffer.storage_scope == "global":
            dtype = node.value.dtype if isinstance(node, BufferStore) else node.dtype
            self.total += dtype.itemsize * dtype.lanes


class _Operations(_Counter):
    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self.visit(node.value)

    @on(BufferLoad, CompareOp, LogicalOp)
    def free(self, node: BufferLoad | CompareOp | LogicalOp) -> None:
        """Count no operations in indices and predicates."""

    @on(BinaryOp)
    def operation(self, node: BinaryOp) -> None:
        self.total += node.dtype.lanes
        self.walk(node)
