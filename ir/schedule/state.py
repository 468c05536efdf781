"""State of a schedule: the module, and a tree for each function that primitives have looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Self

from tvmscript.ir.core import BaseFunc, IRModule
from tvmscript.ir.schedule.errors import NotSchedulable
from tvmscript.ir.schedule.tree import StmtRef, Tree
from tvmscript.ir.tir import Block, BlockRealize, For, PrimFunc


class Mark(NamedTuple):
    """A rollback point: the module and the journal length of each tree."""

    module: IRModule
    lengths: dict[str, int]


class State:
    """The current module. The tree of a function is built on first access."""

    def __init__(self, module: IRModule, enable_check: bool = True) -> None:
        self._module = module
        self.enable_check = enable_check
        self.trees: dict[str, Tree] = {}

    @property
    def module(self) -> IRModule:
        """The current module, an immutable value."""
        new_functions: dict[str, BaseFunc] = {
            name: tree.func for name, tree in self.trees.items() if self._module[name] is not tree.func
        }
        if new_functions:
            self._module = self._module | IRModule(new_functions)
        return self._module

    def tree(self, name: str) -> Tree:
        """Return the tree of a function. Raises `UnknownName`, `NotSchedulable`."""
        tree = self.trees.get(name)
        if tree is None:
            func = self._module[name]
            if not isinstance(func, PrimFunc) or not isinstance(func.body, BlockRealize):
                raise NotSchedulable(function=name, span=func.span)
            tree = self.trees[name] = Tree(name, func)
            tree.enable_check = self.enable_check
        return tree

    @property
    def mod(self) -> IRModule:
        """The current module (TVM's name of `module`)."""
        return self.module

    def get_sref(self, stmt: Block | For) -> StmtRef | None:
        """Return the reference of a block or loop; None if the module does not contain the statement."""
        for name in (*self.trees, *self._functions_without_tree()):
            ref = self.tree(name).refs.get(stmt)
            if ref is not None:
                return ref
        return None

    def _functions_without_tree(self) -> Iterator[str]:
        """Yield the names of the schedulable functions without a tree."""
        for var, func in self._module.items():
            if isinstance(func, PrimFunc) and isinstance(func.body, BlockRealize) and var.name_hint not in self.trees:
                yield var.name_hint

    def mark(self) -> Mark:
        """Return a rollback point for the current state."""
        return Mark(self._module, {name: len(tree.journal) for name, tree in self.trees.items()})

    def rollback(self, mark: Mark) -> None:
        """Undo all changes since `mark`."""
        self._module = mark.module
        for name, tree in self.trees.items():
            tree.rollback(mark.lengths.get(name, 0))

    def commit(self) -> None:
        """Drop the undo journals."""
        for tree in self.trees.values():
            tree.journal.clear()

    def copy(self) -> tuple[Self, dict[StmtRef, StmtRef]]:
        """Return an independent copy, and the reference in the copy for each reference of this state."""
        state = type(self)(self.module, enable_check=self.enable_check)
        refs: dict[StmtRef, StmtRef] = {}
        for name, tree in self.trees.items():
            state.trees[name], new_refs = tree.copy()
            state.trees[name].enable_check = self.enable_check
            refs.update(new_refs)
        return state, refs
