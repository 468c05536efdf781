"""Which values of a graph share memory, so that operations in place are seen through all of them."""

from __future__ import annotations

from collections.abc import Iterator

from tvmscript.frontend.torch.protocols import Node

#: operators whose results may be views of their first argument
VIEWS = frozenset(
    [
        "alias",
        "as_strided",
        "broadcast_to",
        "chunk",
        "contiguous",
        "data",
        "detach",
        "diagonal",
        "expand",
        "expand_as",
        "flatten",
        "getitem",
        "lift_fresh",
        "movedim",
        "moveaxis",
        "narrow",
        "numpy_T",
        "permute",
        "positive",
        "ravel",
        "requires_grad",
        "reshape",
        "reshape_as",
        "select",
        "slice",
        "split",
        "split_with_sizes",
        "squeeze",
        "swapaxes",
        "swapdims",
        "t",
        "tensor_split",
        "to",
        "transpose",
        "type_as",
        "unbind",
        "unflatten",
        "unfold",
        "unsqueeze",
        "view",
        "view_as",
        "getattr",
        "dropout",
        "identity",
    ]
)


class Aliases:
    """Groups of nodes that share memory."""

    def __init__(self) -> None:
        self._roots: dict[Node, Node] = {}
        self._groups: dict[Node, list[Node]] = {}

    def add(self, node: Node, name: str) -> None:
        """Note that a node was converted, whose operator may return a view, or its changed argument."""
        base = name.partition(".")[0]
        is_view = base in VIEWS or (base.endswith("_") and not base.endswith("__"))
        if is_view and node.all_input_nodes:
            root = self._root(node.all_input_nodes[0])
            self._roots[node] = root
            self._groups.setdefault(root, [root]).append(node)

    def _root(self, node: Node) -> Node:
        return self._roots.get(node, node)

    def of(self, node: Node) -> Iterator[Node]:
        """Return the other nodes that share memory with a node."""
        return (other for other in self._groups.get(self._root(node), ()) if other is not node)
