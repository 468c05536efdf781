"""A program as a tree of items: functions, statements and bindings, each with the parts of its own and the items in it.

Sequences are no items: their statements are the items of what is around them, as are the bindings of blocks that no
text shows. One item are a block and its realization, and a binding and the `if` or the function that it names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.differ.value_numbers import Ids, fields_of
from tvmscript.ir.core.module import BaseFunc, IRModule
from tvmscript.ir.core.node import Node, Role
from tvmscript.ir.relax.expr import Binding, BindingBlock, DataflowBlock, If, SeqExpr, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.stmt import Block, BlockRealize, SeqStmt

#: a step from a node to a part of it: a field, an index, the key of a mapping
Step = str | int
Steps = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A field of an item that holds no items."""

    steps: Steps
    value: Any
    defining: bool
    note: bool


class Item:
    """A function, statement or binding. `partner` is the item of the other program that it was matched with."""

    __slots__ = (
        "_blind", "children", "end", "exact", "index", "node", "own", "own_exact", "parent", "partner", "post", "slot",
        "steps",
    )  # fmt: skip

    def __init__(self, node: Any, parent: Item | None, slot: str, steps: Steps) -> None:
        self.node = node
        self.parent = parent
        #: the field of the parent's node that leads here
        self.slot = slot
        #: from the parent's node to this one
        self.steps = steps
        self.children: list[Item] = []
        self.own: list[Part] = []
        self.partner: Item | None = None
        #: position in preorder, the end of what is inside in preorder, position in postorder
        self.index = self.end = self.post = 0
        #: number of the whole by hints, of the parts of its own by hints
        self.exact = self.own_exact = 0
        self._blind = -1

    @property
    def size(self) -> int:
        """Items in it, itself included."""
        return self.end - self.index

    def blind(self, ids: Ids) -> int:
        """The number of the whole under a naming that leaves names aside."""
        if self._blind < 0:
            own = [ids.of(part.value, part.defining) for part in self.own if not part.note]
            inside = [(child.slot, child.blind(ids)) for child in self.children]
            self._blind = ids.number((self.kind, *own, *inside))
        return self._blind

    @property
    def kind(self) -> type:
        """What kind of statement it is; items of one kind alone are matched."""
        held = _held(self.node)
        return type(self.node if held is None else held)

    def path(self) -> Steps:
        """Steps from the root of the program."""
        chain: list[Item] = []
        item: Item | None = self
        while item is not None:
            chain.append(item)
            item = item.parent
        return tuple(step for link in reversed(chain) for step in link.steps)

    def function(self) -> Item | None:
        """The function around, or this one."""
        item: Item | None = self
        while item is not None and not isinstance(item.node, BaseFunc):
            item = item.parent
        return item


class Fragment:
    """What stands around a program that is no module: the root of its tree, equal in kind on both sides."""


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
        if isinstance(program, Stmt | BaseFunc | Binding | BindingBlock):
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
        for name, role in sorted(fields_of(node), key=_in_text):
            value = getattr(node, name)
            steps = (*prefix, name)
            if isinstance(value, Block) and isinstance(node, BlockRealize):
                continue
            if isinstance(value, Stmt) and role is not Role.NOTE:
                self._slot(item, value, name, steps)
            elif isinstance(value, SeqExpr) and isinstance(node, Function | If):
                self._sequence(item, value, name, steps)
            elif isinstance(node, BindingBlock):
                self._bindings(item, node, name, prefix)
            elif (held := _held(node)) is not None and value is held:
                self._fields(item, held, steps)
            elif isinstance(node, IRModule) and name == "functions":
                for var, func in sorted(node.functions.items(), key=lambda entry: entry[0].name_hint):
                    item.children.append(self._item(func, item, var.name_hint, (*steps, var.name_hint)))
            else:
                item.own.append(Part(steps, value, role in (Role.BINDS, Role.MATCHES), role is Role.NOTE))

    def _slot(self, item: Item, value: Any, slot: str, steps: Steps) -> None:
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

    def number(self, exact: Ids) -> None:
        """Fill in the numbers of all items."""
        for item in reversed(self.items):
            item.own_exact = exact.number((item.kind, *[exact.of(part.value, part.defining) for part in item.own]))
            item.exact = exact.number(("tree", item.own_exact, *[(c.slot, c.exact) for c in item.children]))


def _held(node: Any) -> If | Function | None:
    """What a binding names that has bindings of its own."""
    value = node.value if isinstance(node, VarBinding) else None
    return value if isinstance(value, If | Function) else None


def _in_text(field: tuple[str, Role]) -> bool:
    """Orders fields as they are written: a block's init comes before its body."""
    return field[0] == "body"


def step_into(value: Any, step: Step) -> Any:
    """The part of a value that a step leads to; functions of a module are found by name."""
    if isinstance(value, dict):
        if step in value:
            return value[step]
        return next(item for key, item in value.items() if getattr(key, "name_hint", None) == step)
    return value[step] if isinstance(step, int) else getattr(value, step)


def path_text(steps: Steps) -> str:
    """Steps as Python access from the root."""
    text = "<root>"
    mapping = False
    for step in steps:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f"[{step!r}]" if mapping else f".{step}"
        mapping = not mapping and step in _MAPPINGS
    return text


#: fields that hold mappings: the step after them is a key
_MAPPINGS = frozenset({"functions", "attrs", "annotations", "buffer_map", "global_infos", "options"})
