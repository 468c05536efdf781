"""Which matched items stayed where they are, and which were moved.

The items that stayed are a largest set, nearly, whose order and nesting is the same in both programs: an increasing
subsequence by preorder, then by postorder. A loop that was put around others, or taken away, moves nothing.
"""

from __future__ import annotations

from tvmscript.differ.item_tree import Item, Tree
from tvmscript.differ.sequence_diff import longest_increasing
from tvmscript.ir.core.module import BaseFunc


def moved_items(left: Tree) -> dict[Item, bool]:
    """The matched items that are at another place of their function, in the order of the left program.

    False for those that went along with the item around them.
    """
    found: dict[Item, bool] = {}
    for item in left.items:
        if item.partner is not None and (isinstance(item.node, BaseFunc) or item.parent is None):
            inside = [x for x in left.items[item.index + 1 : item.end] if not isinstance(x.node, BaseFunc)]
            if not any(isinstance(child.node, BaseFunc) for child in item.children):
                found.update(_moved(inside))
    return found


def _moved(items: list[Item]) -> dict[Item, bool]:
    pairs = [(item, item.partner) for item in items if item.partner is not None]
    pairs = [pairs[k] for k in longest_increasing([b.index for _, b in pairs])]
    pairs.sort(key=lambda pair: pair[0].post)
    kept = {pairs[k][0] for k in longest_increasing([b.post for _, b in pairs])}
    moved: dict[Item, bool] = {}
    for item in items:
        other = item.partner
        if other is None or (item in kept and _same_slot(item, other)):
            continue
        outer = item.parent
        carried = outer in moved and outer.partner is other.parent and item.slot == other.slot
        moved[item] = not carried
    return moved


def _same_slot(a: Item, b: Item) -> bool:
    """Whether two items whose order is kept are in the same field of the item around them.

    What came or went around one of them (an init block that became a condition) moves nothing.
    """
    return a.parent is None or b.parent is None or a.parent.partner is not b.parent or a.slot == b.slot
