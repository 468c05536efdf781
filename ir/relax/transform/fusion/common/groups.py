"""Groups of bindings: a union-find structure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Group:
    """Bindings that become one function."""

    __slots__ = ("_parent", "attrs", "size")

    def __init__(self, size: int = 1) -> None:
        self._parent: Group | None = None
        #: number of nodes of the graph in the group
        self.size = size
        #: attributes of the function
        self.attrs: Mapping[str, Any] = {}

    def root(self) -> Group:
        """Return the representative of the group, and shorten the paths to it."""
        root = self
        while root._parent is not None:
            root = root._parent
        group = self
        while group._parent is not None:
            group._parent, group = root, group._parent
        return root

    def merge_into(self, other: Group) -> None:
        """Add the nodes of this group to another one, both given by their representatives."""
        self._parent = other
        other.size += self.size
