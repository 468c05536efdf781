"""Barriers of all thread blocks of a launch."""

from __future__ import annotations

from functools import reduce
from typing import Any

from tvmscript.ir.arith.fold import mul
from tvmscript.ir.core import Node, Visitor, on
from tvmscript.ir.tir import AttrStmt, BufferStore, Evaluate, Expr, StatementRewriter, Stmt, Var, seq
from tvmscript.ir.tir.expr import EQ, And, BufferLoad, Call, IntImm, IterVar, StringImm
from tvmscript.ir.tir.intrin.memory import tvm_access_ptr
from tvmscript.ir.tir.intrin.packed import tvm_call_packed
from tvmscript.ir.tir.intrin.sync import tvm_global_barrier_kinit, tvm_storage_sync

#: the runtime function that allocates the counters of a barrier
PREPARE = "__tvm_prepare_global_barrier"


def insert_global_barriers(body: Stmt, places: set[Stmt]) -> Stmt:
    """Insert a barrier of all thread blocks before each of these statements."""
    result: Stmt = _GlobalBarrierInserter(places).rewrite(body)
    return result


class _GlobalAccesses(Visitor):
    """Collect the data variables of global memory that is read and that is written."""

    def __init__(self) -> None:
        self.read: dict[Var, None] = {}
        self.written: dict[Var, None] = {}

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        self.use(node.buffer.data, self.read)
        self.walk(node)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self.use(node.buffer.data, self.written)
        self.walk(node)

    @on(Call)
    def call(self, node: Call) -> None:
        if node.op is tvm_access_ptr:
            data, mask = node.args[1], node.args[4]
            if isinstance(data, Var) and isinstance(mask, IntImm):
                for bit, kept in ((1, self.read), (2, self.written)):
                    if mask.value & bit:
                        self.use(data, kept)
        self.walk(node)

    def use(self, data: Var, kept: dict[Var, None]) -> None:
        if data.storage_scope == "global":
            kept[data] = None


class _GlobalBarrierInserter(StatementRewriter):
    def __init__(self, places: set[Stmt]) -> None:
        super().__init__()
        self.places = places
        self.launches: list[AttrStmt] = []

    def value(self, value: object) -> Any:
        return self.rewrite(value) if isinstance(value, Stmt) else super().value(value)

    def rewrite(self, node: Node) -> Any:
        stmt = super().rewrite(node)
        return seq(self.barrier(), stmt) if node in self.places else stmt

    @on(AttrStmt)
    def launch(self, node: AttrStmt) -> Stmt:
        if node.attr_key != "thread_extent":
            return self.descend(node)
        self.launches.append(node)
        new_launch = self.descend(node)
        self.launches.pop()
        return new_launch if self.launches else self.prepare(new_launch)

    def barrier(self) -> Stmt:
        """Return a barrier of all blocks: the first thread of each increments a counter up to the number of blocks."""
        blocks: list[Expr] = []
        first: list[Expr] = []
        for launch in self.launches:
            axis: IterVar = launch.node
            if axis.thread_tag.startswith("blockIdx"):
                blocks.append(launch.value)
            elif axis.thread_tag.startswith("threadIdx"):
                first.append(EQ(axis.var, IntImm(axis.var.dtype, 0)))
        is_lead = reduce(And, first) if first else IntImm("bool", 1)
        count = reduce(lambda product, extent: mul(extent, product), blocks) if blocks else IntImm("int32", 1)
        return Evaluate(tvm_storage_sync(StringImm("global"), is_lead, count))

    def prepare(self, launch: AttrStmt) -> Stmt:
        accesses = _GlobalAccesses()
        accesses.visit(launch.body)
        body = launch.body
        for data in accesses.read:
            if data in accesses.written:
                body = AttrStmt(data, "volatile_scope", IntImm("int32", 1), body)
        inside = seq(Evaluate(tvm_global_barrier_kinit()), body)
        return seq(Evaluate(tvm_call_packed(StringImm(PREPARE))), launch.replace(body=inside))
