"""`Mutator`: replaces modules, parameters and effects of a module."""

from __future__ import annotations

from typing import Any

from tvmscript.frontend.nn.containers import ModuleDict, ParameterDict, ParameterList
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

    def visit_moduledict(self, name: str, node: ModuleDict) -> Any:
        """Return what replaces modules by name."""
        return self.visit(name, node)

    def visit_parameterlist(self, name: str, node: ParameterList) -> Any:
        """Return what replaces a list of parameters."""
        return self.visit(name, node)

    def visit_parameterdict(self, name: str, node: ParameterDict) -> Any:
        """Return what replaces parameters by name."""
        return self.visit(name, node)

    def visit(self, name: str, node: Any) -> Any:
        """Visit the members of a module, replace them, and return the module."""
        if isinstance(node, (ModuleList, ParameterList)):
            for index, member in enumerate(node):
                node[index] = self._replacement(f"{name}.{index}", member)
        elif isinstance(node, (ModuleDict, ParameterDict)):
            for key, member in list(node.items()):
                node[key] = self._replacement(f"{name}.{key}" if name else key, member)
        else:
            for key, member in list(vars(node).items()):
                setattr(node, key, self._replacement(f"{name}.{key}" if name else key, member))
        return node

    def _replacement(self, path: str, member: Any) -> Any:
        if isinstance(member, ParameterDict):
            return self.visit_parameterdict(path, member)
        if isinstance(member, ParameterList):
            return self.visit_parameterlist(path, member)
        if isinstance(member, ModuleDict):
            return self.visit_moduledict(path, member)
        if isinstance(member, ModuleList):
            return self.visit_modulelist(path, member)
        if isinstance(member, Module):
            return self.visit_module(path, member)
        if isinstance(member, Effect):
            return self.visit_effect(path, member)
        if isinstance(member, Parameter):
            return self.visit_param(path, member)
        return member
