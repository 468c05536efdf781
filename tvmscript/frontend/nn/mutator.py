"""`Mutator`: replaces modules, parameters and effects of a module."""

from __future__ import annotations

from typing import Any

from tvmscript.frontend.nn.effect import Effect
from tvmscript.frontend.nn.module import Module, ModuleList
from tvmscript.frontend.nn.parameter import Parameter


class Mutator:
    """Visits what a module holds; each `visit_*` returns what takes the place of the member.

    Override them, and call `visit` to go on below a module. Names are paths from the module that was visited first.
    """

    def visit_module(self, name: str, node: Module) -> Any:
        """Return what replaces a module."""
        return self.visit(name, node)

    def visit_effect(self, name: str, node: Effect) -> Any:
        """Return what replaces an effect."""
        return self.visit(name, node)

    def visit_param(self, name: str, node: Parameter) -> Any:
        """Return what replaces a parameter."""
        return self.visit(name, node)

    def visit_modulelist(self, name: str, node: ModuleList) -> Any:
        """Return what replaces a list of modules."""
        return self.visit(name, node)

    def visit(self, name: str, node: Any) -> Any:
        """Visit the members of a module, replace them, and return the module."""
        if isinstance(node, ModuleList):
            for index, member in enumerate(node):
                node[index] = self._replacement(f"{name}.{index}", member)
        else:
            for key, member in list(vars(node).items()):
                setattr(node, key, self._replacement(f"{name}.{key}" if name else key, member))
        return node

    def _replacement(self, path: str, member: Any) -> Any:
        if isinstance(member, ModuleList):
            return self.visit_modulelist(path, member)
        if isinstance(member, Module):
            return self.visit_module(path, member)
        if isinstance(member, Effect):
            return self.visit_effect(path, member)
        if isinstance(member, Parameter):
            return self.visit_param(path, member)
        return member
