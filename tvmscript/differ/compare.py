"""Comparison of two programs: matched trees, paired names, and value numbers under the pairing."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from tvmscript.differ.change import Change
from tvmscript.differ.item_tree import Fragment, Item, Tree, path_text
from tvmscript.differ.matching import match_trees
from tvmscript.differ.moves import moved_items
from tvmscript.differ.names import Names, Pairing, by_hint, ignore_names, pair_names
from tvmscript.differ.part_changes import PartChanges
from tvmscript.differ.value_numbers import ValueNumbers
from tvmscript.ir.core import BaseFunc
from tvmscript.ir.core.equality.equal import mismatches, paired_names
from tvmscript.ir.core.equality.mismatch_words import field_text, value_text
from tvmscript.ir.relax import expr as R
from tvmscript.ir.tir import Buffer
from tvmscript.ir.tir import stmt as S


class Comparison:
    """Matches two programs. `equal` is true where they are structurally equal."""

    def __init__(self, left: object, right: object, map_free_vars: bool = False) -> None:
        self.left = Tree(left)
        self.right = Tree(right)
        self.map_free_vars = map_free_vars
        names = Names(left), Names(right)
        equal_names = paired_names(left, right, map_free_vars)
        self.equal = equal_names is not None
        if equal_names is not None:
            _link_all(self.left.root, self.right.root)
            self.pairing = Pairing(*names)
            self.pairing.take(equal_names)
            self.pairing.pair_functions(self.left)
        else:
            self._match(names)
            self.pairing = pair_names(self.left, self.right, names, map_free_vars)
        table: dict[Hashable, int] = {}
        self.ids = (
            ValueNumbers(self.pairing.left_naming, names[0].defined, table),
            ValueNumbers(self.pairing.right_naming, names[1].defined, table),
        )
        self.moved: dict[Item, bool] = {} if self.equal else moved_items(self.left)
        self._holding: dict[Item, bool] = {}
        #: change -> its items on both sides
        self.where: dict[Change, tuple[Item | None, Item | None]] = {}

    def _match(self, names: tuple[Names, Names]) -> None:
        defined = names[0].defined | names[1].defined
        exact = ValueNumbers(by_hint(*names), defined)
        for tree in (self.left, self.right):
            tree.number(exact)
        match_trees(self.left, self.right, ValueNumbers(ignore_names, defined))

    def changes(self) -> list[Change]:
        """Return all changes: renames, then deletions and updates in left order, then insertions."""
        renames = [*self._renames()]
        if self.equal:
            return renames
        structural = [*self._deleted_and_changed(), *self._inserted()]
        # renames of variables of changed headers are redundant
        other = {self.where[change][0] for change in structural}
        renames = [change for change in renames if not self._is_header_of(change, other)]
        if not structural and not any(change.structural for change in renames):
            structural = [
                Change("update", item.reason, item.path, item.path, item.left, item.right)
                for item in mismatches(self.left.program, self.right.program, self.map_free_vars)
            ]
        return renames + structural

    def _at(self, change: Change, left: Item | None, right: Item | None) -> Change:
        self.where[change] = left, right
        return change

    def _is_header_of(self, change: Change, changed: set[Item | None]) -> bool:
        item = self.where[change][0]
        return item in changed and item is not None and isinstance(item.node, (S.For, S.LetStmt))

    def _renames(self) -> Iterator[Change]:
        for left, right in self.pairing.functions.items():
            if left != right:
                path = "<root>.functions[{!r}]"
                reason = f"function {left} renamed {right}"
                change = Change("rename", reason, path.format(left), path.format(right), left, right)
                func = next(child for child in self.left.root.children if child.slot == left)
                yield self._at(change, func, func.partner)
        for item in self.left.items:
            if item.partner is not None:
                for part, other in zip(item.own, item.partner.own, strict=False):
                    if part.note and part.value != other.value:
                        yield self._rename("block", part.value, other.value, item)
        # the data pointer of a buffer has the buffer's name: report one of them
        renamed: dict[tuple[str, str], Any] = {}
        for a, b in self.pairing.forward.items():
            old, new = getattr(a, "name_hint", ""), getattr(b, "name_hint", "")
            if old != new and ((old, new) not in renamed or isinstance(a, Buffer)):
                renamed[old, new] = a
        for old, new in [pair for pair in renamed if _buffer_names(pair) in renamed]:
            del renamed[old, new]
        places = _definitions(self.left) if renamed else {}
        for (old, new), a in renamed.items():
            yield self._rename("buffer" if isinstance(a, Buffer) else "variable", old, new, places.get(a))

    def _rename(self, kind: str, old: str, new: str, item: Item | None) -> Change:
        left = path_text(item.path()) if item is not None else "<root>"
        right = path_text(item.partner.path()) if item is not None and item.partner is not None else "<root>"
        change = Change("rename", f"{kind} {old} renamed {new}", left, right, old, new, structural=False)
        return self._at(change, item, None if item is None else item.partner)

    def _deleted_and_changed(self) -> Iterator[Change]:
        parts = PartChanges(*self.ids, self.pairing)
        for item in self.left.items:
            other = item.partner
            if other is None:
                if self._is_reported(item):
                    yield self._one_side("delete", item)
                continue
            if self.moved.get(item):
                paths = path_text(item.path()), path_text(other.path())
                yield self._at(
                    Change("move", f"{_describe_item(item)} moved", *paths, item.node, other.node), item, other
                )
            for change in parts.between(item, other):
                if not _is_symbol_rename(change, item, other):
                    yield self._at(change, item, other)

    def _inserted(self) -> Iterator[Change]:
        for item in self.right.items:
            if item.partner is None and self._is_reported(item):
                yield self._one_side("insert", item)

    def _is_reported(self, item: Item) -> bool:
        """Whether an unmatched item is a separate change, not part of an inserted or deleted item."""
        outer = item.parent
        if outer is None or outer.partner is not None:
            return True
        if outer not in self._holding:
            self._holding[outer] = next(_matched_inside(outer), None) is not None
        return self._holding[outer]

    def _one_side(self, kind: object, item: Item) -> Change:
        what, path = _describe_item(item), path_text(item.path())
        kept = list(_matched_inside(item))
        around = _describe_item(kept[0]) if len(kept) == 1 else f"{len(kept)} statements"
        if kind == "delete":
            reason = f"{what} around {around} taken away" if kept else f"{what} removed"
            return self._at(Change("delete", reason, path, None, item.node, None), item, None)
        reason = f"{what} put around {around}" if kept else f"{what} added"
        return self._at(Change("insert", reason, None, path, None, item.node), None, item)


def _buffer_names(names: tuple[str, str]) -> tuple[str, str]:
    """Return the buffer names for names of handles: `A` for `A_handle`, which is not printed."""
    old, new = (name.removesuffix("_handle") if name.endswith("_handle") else "" for name in names)
    return old, new


def _is_symbol_rename(change: Change, a: Item, b: Item) -> bool:
    """Whether a change is the global_symbol of a renamed function."""
    return a.slot != b.slot and isinstance(a.node, BaseFunc) and (change.left, change.right) == (a.slot, b.slot)


def _definitions(tree: Tree) -> dict[object, Item]:
    """Return the defining item of each name."""
    places: dict[object, Item] = {}
    for item in tree.items:
        for part in item.own:
            if part.defining:
                for name in Names(part.value).order:
                    places.setdefault(name, item)
    return places


def _matched_inside(item: Item) -> Iterator[Item]:
    """Yield the outermost matched items inside."""
    for child in item.children:
        if child.partner is not None:
            yield child
        else:
            yield from _matched_inside(child)


def _describe_item(item: Item) -> str:
    """Describe an item: `loop i`, `block C`, `function main`, `store to A`."""
    node: object = item.node
    if isinstance(node, Fragment):
        return "program"
    if isinstance(node, BaseFunc):
        return f"function {item.slot}" if item.slot else "function"
    name, path = _SUBJECTS.get(type(node), (field_text(type(node).__name__.lower()), ""))
    subject = node
    for step in filter(None, path.split(".")):
        subject = getattr(subject, step)
    return f"{name} {getattr(subject, 'name_hint', None) or value_text(subject)}" if path else name


#: statement class -> description and attribute path of its name
_SUBJECTS: dict[type, tuple[str, str]] = {
    S.For: ("loop", "loop_var"),
    S.While: ("while loop", ""),
    S.IfThenElse: ("condition", ""),
    S.LetStmt: ("let", "var"),
    S.AttrStmt: ("attribute", "attr_key"),
    S.AssertStmt: ("assertion", ""),
    S.Evaluate: ("statement", ""),
    S.BufferStore: ("store to", "buffer"),
    S.Allocate: ("allocation of", "buffer_var"),
    S.AllocateConst: ("constant", "buffer_var"),
    S.DeclBuffer: ("buffer", "buffer"),
    S.Block: ("block", "name_hint"),
    S.BlockRealize: ("block", "block.name_hint"),
    R.VarBinding: ("binding of", "var"),
    R.MatchCast: ("cast", "var"),
    R.DataflowBlock: ("dataflow block", ""),
}


def _link_all(a: Item, b: Item) -> None:
    a.partner, b.partner = b, a
    for x, y in zip(a.children, b.children, strict=True):
        _link_all(x, y)
