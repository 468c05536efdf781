"""What occurs in a function, by name: a pass that looks for none of it has nothing to do there.

A feature is one of

- a node class: `Block`, `While`, `Select`;
- a kind of loop: `ForKind.VECTORIZED`;
- a word: the name of an operator (`"tir.likely"`), the key of an attribute or annotation (`"double_buffer_scope"`), a
  thread (`"threadIdx.x"`), a storage scope (`"shared.dyn"`), the name of an element type (`"bfloat16"`).

Those of the statements alone are found much faster than those of the values in them: classes of statements, kinds of
loops, keys, threads, and the scopes of what is allocated.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final
from weakref import WeakKeyDictionary

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.core.dispatch import ClassTable
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.node import Node
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import Call, IterVar
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, Block, For

Features = frozenset[Hashable]

_known: WeakKeyDictionary[PrimFunc, Features] = WeakKeyDictionary()
_known_of_statements: WeakKeyDictionary[PrimFunc, Features] = WeakKeyDictionary()


def features(func: PrimFunc) -> Features:
    """The features of a function; looked for once."""
    found = _known.get(func)
    if found is None:
        found = _known[func] = _scan(func)
    return found


def statement_features(func: PrimFunc) -> Features:
    """The features of a function's statements; looked for once."""
    found = _known_of_statements.get(func)
    if found is None:
        found = _known_of_statements[func] = _scan_statements(func)
    return found


def _scan_statements(func: PrimFunc) -> Features:
    found: set[Hashable] = set()
    add = found.add
    for stmt in statements(func.body):
        cls: Any = stmt.__class__
        add(cls)
        note = _NOTES.get(cls)
        if note is not None:
            note(stmt, add)
    for buffer in func.buffer_map.values():
        _buffer(buffer, add)
    return frozenset([item for item in found if not isinstance(item, DType)])


def _scan(func: PrimFunc) -> Features:
    found: set[Hashable] = set()
    add = found.add
    names: set[Node] = set()
    stack: list[Any] = [func.body, *func.buffer_map.values()]
    pop = stack.pop
    while stack:
        item = pop()
        cls: Any = item.__class__
        note, inside, is_name = _ways[cls]
        if is_name:
            if item in names:
                continue
            names.add(item)
        if note is not None:
            add(cls)
            note(item, add)
        if inside is not None:
            stack += inside(item)
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
    add(node.storage_scope)


def _value(node: Expr, add: Add) -> None:
    add(node.dtype)


def _nothing(node: Node, add: Add) -> None:
    """There is no more to it than its class."""


_NOTES: Final[dict[type[Node], Callable[[Any, Add], None]]] = {
    Call: _call,
    AttrStmt: _attribute,
    For: _loop,
    Block: _block,
    Allocate: _allocate,
    Buffer: _buffer,
}


_Way = tuple[Callable[[Any, Add], None] | None, Callable[[Any], Any] | None, bool]


def _way(cls: type) -> _Way:
    """What is noted of a class, what gets the parts of one, and whether it is a name, which is noted once."""
    if not issubclass(cls, Node):
        return None, next((get for kind, get in _CONTAINERS.items() if issubclass(cls, kind)), None), False
    note = _NOTES.get(cls, _value if issubclass(cls, Expr) else _nothing)
    return note, cls.schema.last_parts_first if not cls.is_name and cls.schema.walked else None, cls.is_name


_CONTAINERS: Final[dict[type, Callable[[Any], Any]]] = {tuple: iter, list: iter, dict: dict.values}
_ways: Final = ClassTable(_way)
