"""Features of a function, by which passes skip functions that they do not change.

A feature is one of

- a node class: `Block`, `While`, `Select`;
- a kind of loop: `ForKind.VECTORIZED`;
- a string: the name of an operator (`"tir.likely"`), the key of an attribute or annotation (`"double_buffer_scope"`), a
  thread tag (`"threadIdx.x"`), a storage scope (`"shared.dyn"`), an element dtype (`"bfloat16"`), or the name of a
  field of blocks that is seldom filled (`"match_buffers"`).

Features of statements are collected much faster than those of values: classes of statements, kinds of loops, keys,
thread tags, and scopes of allocations.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final
from weakref import WeakKeyDictionary

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.core import DType, Node
from tvmscript.ir.core.dispatch import ClassTable
from tvmscript.ir.tir import Allocate, AttrStmt, Block, Buffer, Call, Expr, For, IterVar, PrimFunc

Features = frozenset[Hashable]

_features: WeakKeyDictionary[PrimFunc, Features] = WeakKeyDictionary()
_statement_features: WeakKeyDictionary[PrimFunc, Features] = WeakKeyDictionary()


def features(func: PrimFunc) -> Features:
    """Return the features of a function. Cached."""
    result = _features.get(func)
    if result is None:
        result = _features[func] = _scan(func)
    return result


def statement_features(func: PrimFunc) -> Features:
    """Return the features of the statements of a function. Cached."""
    result = _statement_features.get(func)
    if result is None:
        result = _statement_features[func] = _scan_statements(func)
    return result


def _scan_statements(func: PrimFunc) -> Features:
    collected: set[Hashable] = set()
    add = collected.add
    for stmt in statements(func.body):
        cls: Any = stmt.__class__
        add(cls)
        collect = _COLLECTORS.get(cls)
        if collect is not None:
            collect(stmt, add)
    for buffer in func.buffer_map.values():
        _collect_buffer(buffer, add)
    return frozenset([feature for feature in collected if not isinstance(feature, DType)])


def _scan(func: PrimFunc) -> Features:
    collected: set[Hashable] = set()
    add = collected.add
    names: set[Node] = set()
    stack: list[Any] = [func.body, *func.buffer_map.values()]
    pop, rules = stack.pop, _rules
    while stack:
        item = pop()
        cls: Any = item.__class__
        collect, inside = rules[cls]
        if collect is _collect_value:  # the most frequent ones: without a call
            add(cls)
            add(item.dtype)
        elif collect is not None:
            if cls.is_name:
                if item in names:
                    continue
                names.add(item)
            add(cls)
            collect(item, add)
        if inside is not None:
            stack += inside(item)
    dtypes = {item for item in collected if isinstance(item, DType)}
    return frozenset((collected - dtypes) | {str(dtype.element) for dtype in dtypes})


Add = Callable[[Hashable], None]


def _collect_call(node: Call, add: Add) -> None:
    add(getattr(node.op, "name", None))
    add(node.dtype)


def _collect_attribute(node: AttrStmt, add: Add) -> None:
    add(node.attr_key)
    axis = node.node
    if isinstance(axis, IterVar):
        add(axis.thread_tag)


def _collect_loop(node: For, add: Add) -> None:
    add(node.kind)
    for key in node.annotations:
        add(key)
    if node.thread_binding is not None:
        add(node.thread_binding.thread_tag)


def _collect_block(node: Block, add: Add) -> None:
    for key in node.annotations:
        add(key)
    if node.match_buffers:
        add("match_buffers")
    for buffer in node.alloc_buffers:
        _collect_buffer(buffer, add)


def _collect_allocate(node: Allocate, add: Add) -> None:
    add(node.dtype)
    add(node.buffer_var.storage_scope)
    for key in node.annotations:
        add(key)


def _collect_buffer(node: Buffer, add: Add) -> None:
    add(node.dtype)
    add(node.storage_scope)


def _collect_value(node: Expr, add: Add) -> None:
    add(node.dtype)


def _collect_nothing(node: Node, add: Add) -> None:
    """Collect nothing: the only feature is the class."""


_COLLECTORS: Final[dict[type[Node], Callable[[Any, Add], None]]] = {
    Call: _collect_call,
    AttrStmt: _collect_attribute,
    For: _collect_loop,
    Block: _collect_block,
    Allocate: _collect_allocate,
    Buffer: _collect_buffer,
}


_Rule = tuple[Callable[[Any, Add], None] | None, Callable[[Any], Any] | None]


def _rule_for(cls: type) -> _Rule:
    """Return collector and getter of children."""
    if not issubclass(cls, Node):
        return None, next((get for kind, get in _CONTAINERS.items() if issubclass(cls, kind)), None)
    is_value = issubclass(cls, Expr)
    collect = _COLLECTORS.get(cls, _collect_value if is_value else _collect_nothing)
    return collect, cls.schema.last_parts_first if not cls.is_name and cls.schema.walked else None


_CONTAINERS: Final[dict[type, Callable[[Any], Any]]] = {tuple: iter, list: iter, dict: dict.values}
_rules: Final = ClassTable(_rule_for)
