"""Which values of a graph share memory, so that operations in place are seen through all of them."""

from __future__ import annotations

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


#: operators whose result may be a copy, with other strides or of another dtype
COPIES = frozenset(["contiguous", "flatten", "ravel", "reshape", "reshape_as", "to", "type_as", "dropout"])
#: view of a tensor -> operator that returns the tensor with other elements there
SCATTERS = {"slice": "slice_scatter", "select": "select_scatter"}
#: views that are undone by themselves
TRANSPOSES = frozenset(["swapaxes", "swapdims", "t", "transpose"])
#: views with the elements in the same order
RESHAPES = frozenset(["squeeze", "unflatten", "unsqueeze", "view", "view_as"])


class Aliases:
    """Groups of nodes that share memory, each in the order of conversion."""

    def __init__(self) -> None:
        self._bases: dict[Node, Node] = {}
        self._groups: dict[Node, list[Node]] = {}

    def add(self, node: Node, name: str) -> None:
        """Note that a node was converted, whose operator may return a view, or its changed argument."""
        base_name = base_name_of(name)
        is_view = base_name in VIEWS or (base_name.endswith("_") and not base_name.endswith("__"))
        if is_view and node.all_input_nodes:
            base = self._bases[node] = node.all_input_nodes[0]
            group = self._groups.setdefault(base, [base])
            group.append(node)
            self._groups[node] = group

    def base(self, node: Node) -> Node | None:
        """Return the node that a node is a view of."""
        return self._bases.get(node)

    def group(self, node: Node) -> list[Node]:
        """Return all nodes that share memory with a node, the node included."""
        return self._groups.get(node, [node])


def base_name_of(name: str) -> str:
    """Return the name of an operator without its overload."""
    return name.partition(".")[0]
