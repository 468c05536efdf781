"""The functions of a module that is being scheduled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tvmscript.ir.core.module import BaseFunc, IRModule
from tvmscript.ir.schedule.analysis.block_properties import covers_region, is_affine_binding, is_stage_pipeline
from tvmscript.ir.schedule.errors import NotSchedulable
from tvmscript.ir.schedule.tree import StmtRef, Tree
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Block, BlockRealize, For


class CachedFlags(NamedTuple):
    """What TVM knows about a block: its axes are bound affinely; all that it reads was written before it; the blocks in
    it are stages of a pipeline.
    """

    affine_binding: bool
    region_cover: bool
    stage_pipeline: bool


class Mark(NamedTuple):
    """A point to go back to: the module, and how much each tree had noted by then."""

    module: IRModule
    lengths: dict[str, int]


class State:
    """A module as it is now. Trees are made of the functions that are looked into, when they are."""

    def __init__(self, module: IRModule, enable_check: bool = True) -> None:
        self._module = module
        self.enable_check = enable_check
        self.trees: dict[str, Tree] = {}

    @property
    def module(self) -> IRModule:
        """The module with the functions as they are now; it does not change when the schedule goes on."""
        changed: dict[str, BaseFunc] = {
            name: tree.func for name, tree in self.trees.items() if self._module[name] is not tree.func
        }
        if changed:
            self._module = self._module | IRModule(changed)
        return self._module

    def tree(self, name: str) -> Tree:
        """The tree of a function. Raises `UnknownName`, `NotSchedulable`."""
        found = self.trees.get(name)
        if found is None:
            func = self._module[name]
            if not isinstance(func, PrimFunc) or not isinstance(func.body, BlockRealize):
                raise NotSchedulable(function=name, span=func.span)
            found = self.trees[name] = Tree(name, func)
            found.enable_check = self.enable_check
        return found

    @property
    def mod(self) -> IRModule:
        """The module as it is now."""
        return self.module

    def get_sref(self, stmt: Block | For) -> StmtRef | None:
        """The place of a block or loop in the tree of its function; None where the program has it not (any more)."""
        for name in (*self.trees, *self._others()):
            found = self.tree(name).refs.get(stmt)
            if found is not None:
                return found
        return None

    def _others(self) -> Iterator[str]:
        """The functions that can be scheduled, and that nobody looked into yet."""
        for var, func in self._module.items():
            if isinstance(func, PrimFunc) and isinstance(func.body, BlockRealize) and var.name_hint not in self.trees:
                yield var.name_hint

    def flags(self, block_sref: StmtRef) -> CachedFlags:
        """What is known about a block."""
        return CachedFlags(is_affine_binding(block_sref), covers_region(block_sref), is_stage_pipeline(block_sref))

    #: TVM's name of it
    _get_cached_flags = flags

    def mark(self) -> Mark:
        """What `rollback` goes back to: here."""
        return Mark(self._module, {name: len(tree.journal) for name, tree in self.trees.items()})

    def rollback(self, mark: Mark) -> None:
        """Undo everything since the mark."""
        self._module = mark.module
        for name, tree in self.trees.items():
            tree.rollback(mark.lengths.get(name, 0))

    def settle(self) -> None:
        """Forget how to undo."""
        for tree in self.trees.values():
            tree.journal.clear()

    def copy(self) -> tuple[State, dict[StmtRef, StmtRef]]:
        """A state that changes on its own, and what its loops and blocks are for those of this one."""
        made = State(self.module, self.enable_check)
        refs: dict[StmtRef, StmtRef] = {}
        for name, tree in self.trees.items():
            made.trees[name], matching = tree.copy()
            made.trees[name].enable_check = self.enable_check
            refs.update(matching)
        return made, refs
