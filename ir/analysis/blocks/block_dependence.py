"""Dependences between the blocks of a scope, by their read and write regions."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol

from tvmscript.ir.core import IRModule, Visitor, on
from tvmscript.ir.tir import Block, Buffer, PrimFunc


class DepKind(IntEnum):
    """Kind of a dependence (TVM's DepKind)."""

    #: reads what was written
    RAW = 0
    #: writes what was written
    WAW = 1
    #: writes what was read
    WAR = 2
    #: anything: one of the two hides what it does
    OPAQUE = 3


class StmtHolder(Protocol):
    """A reference of a statement."""

    @property
    def stmt(self) -> object: ...


@dataclass(frozen=True, eq=False)
class BlockRef:
    """A block and the block around it, `parent`."""

    stmt: Block
    parent: BlockRef | None

    def same_as(self, other: object) -> bool:
        """Whether both refer to one block; `other` may be a reference of a schedule."""
        return self.stmt is getattr(other, "stmt", None)


@dataclass(frozen=True)
class Dependency:
    """Block `dst` depends on block `src`."""

    src: BlockRef
    dst: BlockRef
    kind: DepKind


@dataclass
class BlockScope:
    """The blocks directly in a block, in program order, and their dependences."""

    blocks: list[BlockRef] = field(default_factory=list[BlockRef])
    by_source: dict[object, list[Dependency]] = field(default_factory=dict[object, list[Dependency]])
    by_target: dict[object, list[Dependency]] = field(default_factory=dict[object, list[Dependency]])

    def get_deps_by_src(self, block: StmtHolder) -> list[Dependency]:
        """Return the dependences with this block as their source: a reference of it, also that of a schedule."""
        return self.by_source.get(block.stmt, [])

    def get_deps_by_dst(self, block: StmtHolder) -> list[Dependency]:
        """Return the dependences with this block as their destination."""
        return self.by_target.get(block.stmt, [])

    def depend(self) -> None:
        """Find the dependencies: of each block on all those before it that share a buffer with it."""
        readers: defaultdict[Buffer, list[BlockRef]] = defaultdict(list)
        writers: defaultdict[Buffer, list[BlockRef]] = defaultdict(list)
        for block in self.blocks:
            read = list(dict.fromkeys(region.buffer for region in block.stmt.reads))
            written = list(dict.fromkeys(region.buffer for region in block.stmt.writes))
            for buffers, before, kind in (
                (read, writers, DepKind.RAW),
                (written, writers, DepKind.WAW),
                (written, readers, DepKind.WAR),
            ):
                for buffer in buffers:
                    for source in before[buffer]:
                        self.add(Dependency(source, block, kind))
            for buffers, users in ((read, readers), (written, writers)):
                for buffer in buffers:
                    users[buffer].append(block)

    def add(self, dependency: Dependency) -> None:
        self.by_source.setdefault(dependency.src.stmt, []).append(dependency)
        self.by_target.setdefault(dependency.dst.stmt, []).append(dependency)


class BlockDependenceInfo:
    """The dependences between all blocks of a module or a function."""

    def __init__(self, mod: IRModule | PrimFunc) -> None:
        self.mod = IRModule({"main": mod}) if isinstance(mod, PrimFunc) else mod
        walk = _Blocks()
        for func in self.mod.values():
            if isinstance(func, PrimFunc):
                walk.visit(func.body)
        #: block -> where it stands
        self.stmt2ref = walk.refs
        #: where a block stands -> the blocks in it
        self.sref2scope = walk.scopes
        for scope in walk.scopes.values():
            scope.depend()

    def get_sref(self, block: Block) -> BlockRef | None:
        """Return the reference of a block; None for a block of another program."""
        return self.stmt2ref.get(block)

    def get_block_scope(self, block_sref: BlockRef) -> BlockScope:
        """The blocks in a block."""
        return self.sref2scope[block_sref]


class _Blocks(Visitor):
    def __init__(self) -> None:
        self.around: BlockRef | None = None
        self.refs: dict[Block, BlockRef] = {}
        self.scopes: dict[BlockRef, BlockScope] = {}

    @on(Block)
    def block(self, node: Block) -> None:
        outer = self.around
        ref = self.refs[node] = self.around = BlockRef(node, outer)
        self.scopes[ref] = BlockScope()
        if outer is not None:
            self.scopes[outer].blocks.append(ref)
        if node.init is not None:
            self.visit(node.init)
        self.visit(node.body)
        self.around = outer
