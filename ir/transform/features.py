"""What occurs in a function, by name: a pass that looks for none of it has nothing to do there.

A feature is one of

- a node class: `Block`, `While`, `Select`;
- a kind of loop: `ForKind.VECTORIZED`;
- a word: the name of an operator (`"tir.likely"`), the key of an attribute or annotation (`"double_buffer_scope"`), a
  thread (`"threadIdx.x"`), a storage scope (`"shared.dyn"`), the name of an element type (`"bfloat16"`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final
from weakref import WeakKeyDictionary

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.node import Node
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import Call, IterVar
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, Block, For

Features = frozenset[Hashable]

_known: WeakKeyDictionary[PrimFunc, Features] = WeakKeyDictionary()


def features(func: PrimFunc) -> Features:
    """The features of a function; looked for once."""
    found = _known.get(func)
    if found is None:
        found = _known[func] = _scan(func)
    return found


def _scan(func: PrimFunc) -> Features:
    found: set[Hashable] = set()
    add = found.add
    stack: list[Any] = [func.body, *func.buffer_map.values()]
    while stack:
        item = stack.pop()
        if isinstance(item, Node):
            cls: Any = item.__class__
            add(cls)
            note = _NOTES.get(cls)
            if note is not None:
                note(item, add)
            elif isinstance(item, Expr):
                add(item.dtype)
            if not item.is_name:
                stack += item.schema.last_parts_first(item)
        elif isinstance(item, tuple | list):
            stack += item
        elif isinstance(item, dict):
            stack += item.values()
    dtypes = {item for item in found if isinstance(item, DType)}
    return frozenset((found - dtypes) | {str(dtype.element) for dtype in dtypes})


Add = Callable[[Hashable], None]


def _call(node: Call, add: Add) -> None:
    add(getattr(node.op, "name", None))
    add(node.dtype)


def _attribute(node: AttrStmt, add: Add) -> None:
    add(node.attr_key)
    about: Any = node.node
    if isinstance(about, IterVar):
        add(about.thread_tag)


def _loop(node: For, add: Add) -> None:
    add(node.kind)
    for key in node.annotations:
        add(key)
    if node.thread_binding is not None:
        add(node.thread_binding.thread_tag)


def _block(node: Block, add: Add) -> None:
    for key in node.annotations:
        add(key)
    for buffer in node.alloc_buffers:
        _buffer(buffer, add)


def _allocate(node: Allocate, add: Add) -> None:
    add(node.dtype)
    add(node.buffer_var.storage_scope)
    for key in node.annotations:
        add(key)


def _buffer(node: Buffer, add: Add) -> None:
    add(node.dtype)
    add(node.scope)


_NOTES: Final[dict[type[Node], Callable[[Any, Add], None]]] = {
    Call: _call,
    AttrStmt: _attribute,
    For: _loop,
    Block: _block,
    Allocate: _allocate,
    Buffer: _buffer,
}
