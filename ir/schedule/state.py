"""The functions of a module that is being scheduled."""

from __future__ import annotations

from tvmscript.ir.core.module import BaseFunc, IRModule
from tvmscript.ir.schedule.errors import NotSchedulable
from tvmscript.ir.schedule.tree import Ref, Tree
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import BlockRealize


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

    def mark(self) -> dict[str, int]:
        """What `rollback` goes back to: here."""
        return {name: len(tree.journal) for name, tree in self.trees.items()}

    def rollback(self, mark: dict[str, int]) -> None:
        """Undo everything since the mark."""
        for name, tree in self.trees.items():
            tree.rollback(mark.get(name, 0))

    def settle(self) -> None:
        """Forget how to undo."""
        for tree in self.trees.values():
            tree.journal.clear()

    def copy(self) -> tuple[State, dict[Ref, Ref]]:
        """A state that changes on its own, and what its loops and blocks are for those of this one."""
        made = State(self.module, self.enable_check)
        refs: dict[Ref, Ref] = {}
        for name, tree in self.trees.items():
            made.trees[name], matching = tree.copy()
            made.trees[name].enable_check = self.enable_check
            refs.update(matching)
        return made, refs
