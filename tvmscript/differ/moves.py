"""Detection of moved items.

The unmoved items are a nearly largest set with equal order and nesting in both programs: an increasing subsequence by
preorder, then by postorder. An inserted or removed wrapper moves nothing.
"""

from __future__ import annotations

from tvmscript.differ.item_tree import Item, Tree
from tvmscript.differ.sequence_diff import longest_increasing
from tvmscript.ir.core import BaseFunc


def moved_items(left: Tree) -> dict[Item, bool]:
    """Return the matched items at another position in their function, in left order.

    The value is False for items that moved with the item around them.
    """
    moved: dict[Item, bool] = {}
    for item in left.items:
        if item.partner is not None and (isinstance(item.node, BaseFunc) or item.parent is None):
            inside = [x for x in left.items[item.index + 1 : item.end] if not isinstance(x.node, BaseFunc)]
            if not any(isinstance(child.node, BaseFunc) for child in item.children):
                moved.update(_moved_inside(inside))
    return moved


def _moved_inside(items: list[Item]) -> dict[Item, bool]:
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
    """Whether two items are in the same field of matched parents.

    An inserted or removed wrapper (an init block that became a condition) moves nothing.
    """
    return a.parent is None or b.parent is None or a.parent.partner is not b.parent or a.slot == b.slot
