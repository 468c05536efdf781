"""A program as a tree of items: functions, statements and bindings, with their own parts and nested items.

Sequences are flattened into the item around them, and so are plain binding blocks. A block and its realization are
one item; so are a binding and the `if` or function that it binds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.differ.value_numbers import ValueNumbers, fields_of
from tvmscript.ir.core import BaseFunc, IRModule
from tvmscript.ir.core.node import Node, Role
from tvmscript.ir.relax.expr import Binding, BindingBlock, DataflowBlock, If, SeqExpr, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.tir import Block, BlockRealize, SeqStmt, Stmt

#: one step of an access path: a field, an index, or a key of a mapping
Step = str | int
Steps = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A field of an item without nested items."""

    steps: Steps
    value: Any
    defining: bool
    note: bool


class Item:
    """A function, statement or binding. `partner` is the matched item of the other program."""

    __slots__ = (
        "_blind", "children", "end", "exact", "index", "node", "own", "own_exact", "parent", "partner", "post", "slot",
        "steps",
    )  # fmt: skip

    def __init__(self, node: Any, parent: Item | None, slot: str, steps: Steps) -> None:
        self.node = node
        self.parent = parent
        #: the field of the parent's node that holds this item
        self.slot = slot
        #: path from the parent's node
        self.steps = steps
        self.children: list[Item] = []
        self.own: list[Part] = []
        self.partner: Item | None = None
        #: preorder position, preorder end of the subtree, postorder position
        self.index = self.end = self.post = 0
        #: value numbers by name hints: of the whole item, of its own parts
        self.exact = self.own_exact = 0
        self._blind = -1

    @property
    def size(self) -> int:
        """The number of items in the subtree."""
        return self.end - self.index

    def blind(self, ids: ValueNumbers) -> int:
        """Return the value number of the whole item, ignoring names."""
        if self._blind < 0:
            own = [ids.of(part.value, part.defining) for part in self.own if not part.note]
            inside = [(child.slot, child.blind(ids)) for child in self.children]
            self._blind = ids.number((self.kind, *own, *inside))
        return self._blind

    @property
    def kind(self) -> type:
        """The class of the statement. Only items of equal kind are matched."""
        held = _nested_scope(self.node)
        return type(self.node if held is None else held)

    def path(self) -> Steps:
        """Return the path from the root of the program."""
        chain: list[Item] = []
        item: Item | None = self
        while item is not None:
            chain.append(item)
            item = item.parent
        return tuple(step for link in reversed(chain) for step in link.steps)

    def function(self) -> Item | None:
        """Return the enclosing function, or the item itself."""
        item: Item | None = self
        while item is not None and not isinstance(item.node, BaseFunc):
            item = item.parent
        return item


class Fragment:
    """The root node for a program that is not a module."""


class Tree:
    """The items of a program, in preorder."""

    def __init__(self, program: Any) -> None:
        self.program = program
        self.items: list[Item] = []
        self._posts = 0
        if isinstance(program, IRModule):
            self.root = self._item(program, None, "", ())
            return
        self.root = Item(Fragment(), None, "", ())
        self._enter(self.root)
        if isinstance(program, (Stmt, BaseFunc, Binding, BindingBlock)):
            self._slot(self.root, program, "", ())
        else:
            self.root.own.append(Part((), program, False, False))
        self._leave(self.root)

    def _enter(self, item: Item) -> None:
        item.index = len(self.items)
        self.items.append(item)

    def _leave(self, item: Item) -> None:
        item.end = len(self.items)
        item.post = self._posts
        self._posts += 1

    def _item(self, node: Any, parent: Item | None, slot: str, steps: Steps) -> Item:
        item = Item(node, parent, slot, steps)
        self._enter(item)
        self._fields(item, node, ())
        if isinstance(node, BlockRealize):
            self._fields(item, node.block, ("block",))
        self._leave(item)
        return item

    def _fields(self, item: Item, node: Node, prefix: Steps) -> None:
        # in printing order: the init of a block precedes its body
        for name, role in sorted(fields_of(node), key=lambda field: field[0] == "body"):
            value = getattr(node, name)
            steps = (*prefix, name)
            if isinstance(value, Block) and isinstance(node, BlockRealize):
                continue
            if isinstance(value, Stmt) and role is not Role.NOTE:
                self._slot(item, value, name, steps)
            elif isinstance(value, SeqExpr) and isinstance(node, (Function, If)):
                self._sequence(item, value, name, steps)
            elif isinstance(node, BindingBlock):
                self._bindings(item, node, name, prefix)
            elif (held := _nested_scope(node)) is not None and value is held:
                self._fields(item, held, steps)
            elif isinstance(node, IRModule) and name == "functions":
                for var, func in sorted(node.functions.items(), key=lambda entry: entry[0].name_hint):
                    item.children.append(self._item(func, item, var.name_hint, (*steps, var.name_hint)))
            else:
                item.own.append(Part(steps, value, role in (Role.BINDS, Role.MATCHES), role is Role.NOTE))

    def _slot(self, item: Item, value: object, slot: str, steps: Steps) -> None:
        if isinstance(value, SeqStmt):
            for index, stmt in enumerate(value.seq):
                self._slot(item, stmt, slot, (*steps, "seq", index))
        else:
            item.children.append(self._item(value, item, slot, steps))

    def _sequence(self, item: Item, value: SeqExpr, slot: str, steps: Steps) -> None:
        for index, block in enumerate(value.blocks):
            inner: Steps = (*steps, "blocks", index)
            if isinstance(block, DataflowBlock):
                item.children.append(self._item(block, item, slot, inner))
            else:
                self._bindings(item, block, slot, inner)
        item.own.append(Part((*steps, "body"), value.body, False, False))

    def _bindings(self, item: Item, block: BindingBlock, slot: str, steps: Steps) -> None:
        for index, binding in enumerate(block.bindings):
            item.children.append(self._item(binding, item, slot, (*steps, "bindings", index)))

    def number(self, exact: ValueNumbers) -> None:
        """Compute the value numbers of all items."""
        for item in reversed(self.items):
            item.own_exact = exact.number((item.kind, *[exact.of(part.value, part.defining) for part in item.own]))
            item.exact = exact.number(("tree", item.own_exact, *[(c.slot, c.exact) for c in item.children]))


def _nested_scope(node: object) -> If | Function | None:
    """Return the `if` or function that a binding binds."""
    value = node.value if isinstance(node, VarBinding) else None
    return value if isinstance(value, (If, Function)) else None


def step_into(value: Any, step: Step) -> object:
    """Return the part of a value that a step selects. Functions of a module are selected by name."""
    if isinstance(value, dict):
        if step in value:
            return value[step]
        return next(item for key, item in value.items() if getattr(key, "name_hint", None) == step)
    return value[step] if isinstance(step, int) else getattr(value, step)


def path_text(steps: Steps) -> str:
    """Format a path as Python access from the root."""
    text = "<root>"
    mapping = False
    for step in steps:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f"[{step!r}]" if mapping else f".{step}"
        mapping = not mapping and step in _MAPPINGS
    return text


#: fields with mappings: the next step is a key
_MAPPINGS = frozenset({"functions", "attrs", "annotations", "buffer_map", "global_infos", "options"})
