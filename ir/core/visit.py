"""Walking and rewriting programs: a table of rules per class, everything else derived from the fields.

    class Renamer(Rewriter):
        @on(Var)
        def var(self, node: Var) -> Var: ...

A rule on a base class holds for its subclasses too; the most derived rule wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, TypeVar

from tvmscript.ir.core.node import Node

Rule = Callable[[Any, Any], Any]
F = TypeVar("F", bound=Callable[..., Any])
N = TypeVar("N", bound=Node)


def on(*types: type[Node]) -> Callable[[F], F]:
    """Mark a method as the rule for nodes of these types."""

    def mark(method: F) -> F:
        method.__dict__["handles"] = types
        return method

    return mark


class _Table(dict[type, Rule]):
    """type -> rule; subclasses are resolved through their bases once, then cached."""

    def __init__(self, rules: dict[type, Rule], default: Rule) -> None:
        super().__init__(rules)
        self.default = default

    def __missing__(self, cls: type) -> Rule:
        rule = next((self[base] for base in cls.__mro__[1:] if base in self), self.default)
        self[cls] = rule
        return rule


class _Ruled:
    """Collects the `@on` methods of a class and its bases into one table."""

    rules: ClassVar[dict[type, Rule]] = {}
    table: ClassVar[_Table]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        rules: dict[type, Rule] = {}
        for base in reversed(cls.__mro__[1:]):
            rules.update(base.__dict__.get("rules", {}))
        for method in cls.__dict__.values():
            for handled in getattr(method, "handles", ()):
                rules[handled] = method
        cls.rules = rules
        cls.table = _Table(rules, cls.__dict__.get("_default", None) or cls.table.default)


class Visitor(_Ruled):
    """Looks at every node, definitions before uses. Names (variables, buffers) are not entered where they are used."""

    def _default(self, node: Node) -> None:
        self.walk(node)

    table: ClassVar[_Table] = _Table({}, _default)

    def visit(self, node: Node) -> None:
        """Apply the rule for the node's type; without one, visit its parts."""
        self.table[type(node)](self, node)

    def walk(self, node: Node) -> None:
        """Visit the parts of a node."""
        schema = node.schema
        for name in schema.binds:
            self._definitions(getattr(node, name))
        for name in schema.children:
            self._value(getattr(node, name))

    def define(self, name: Node) -> None:
        """Called for a variable or buffer where it is introduced; visits a buffer's shape."""
        self.walk(name)

    def _value(self, value: Any) -> None:
        if isinstance(value, Node):
            if not value.is_name or type(value) in self.rules:
                self.table[type(value)](self, value)
        elif isinstance(value, tuple | list):
            for item in value:
                self._value(item)
        elif isinstance(value, dict):
            for item in value.values():
                self._value(item)

    def _definitions(self, value: Any) -> None:
        if isinstance(value, Node):
            if value.is_name:
                self.define(value)
            else:
                self.visit(value)
        elif isinstance(value, tuple | list):
            for item in value:
                self._definitions(item)
        elif isinstance(value, dict):
            for item in value.values():
                self._definitions(item)


#: What a field may hold that has nothing in it.
_CONTAINERS = (tuple, dict)


class Rewriter(_Ruled):
    """Rebuilds a program bottom-up; a node whose parts did not change is returned as it is.

    When a definition is rebuilt (a buffer whose shape changed), its uses follow by themselves.
    """

    def __init__(self) -> None:
        #: rebuilt definitions: old name object -> new one
        self.renamed: dict[Node, Node] = {}

    def _default(self, node: Any) -> Any:
        return self.renamed.get(node, node) if node.is_name else self.descend(node)

    table: ClassVar[_Table] = _Table({}, _default)

    def rewrite(self, node: Node) -> Any:
        """Apply the rule for the node's type; without one, rebuild it from its rewritten parts."""
        return self.table[type(node)](self, node)

    def descend(self, node: N) -> N:
        """The node with its parts rewritten."""
        changes: dict[str, Any] | None = None
        schema = node.schema
        for name in schema.binds:
            old = getattr(node, name)
            if old is None or (old.__class__ in _CONTAINERS and not old):
                continue
            new = self.definitions(old)
            if new is not old:
                changes = changes or {}
                changes[name] = new
        for name in schema.children:
            old = getattr(node, name)
            if old is None or (old.__class__ in _CONTAINERS and not old):
                continue
            new = self.value(old)
            if new is not old:
                changes = changes or {}
                changes[name] = new
        return node if changes is None else node.replace(**changes)

    def define(self, name: N) -> N:
        """A variable or buffer where it is introduced: rebuilt when its own parts change."""
        made = self.descend(name)
        if made is not name:
            self.renamed[name] = made
        return made

    def value(self, value: Any) -> Any:
        """Rewrite whatever a child field holds: a node, a tuple, a mapping, a plain value."""
        if isinstance(value, Node):
            return self.table[type(value)](self, value)
        if isinstance(value, tuple):
            return self._tuple(value, self.value)
        if isinstance(value, dict):
            return self._dict(value, self.value)
        return value

    def definitions(self, value: Any) -> Any:
        """Rewrite whatever a binding field holds."""
        if isinstance(value, Node):
            return self.define(value) if value.is_name else self.rewrite(value)
        if isinstance(value, tuple):
            return self._tuple(value, self.definitions)
        if isinstance(value, dict):
            made = self._dict(value, self.definitions)
            if any(key in self.renamed for key in made):
                return {self.renamed.get(key, key): item for key, item in made.items()}
            return made
        return value

    @staticmethod
    def _tuple(items: tuple[Any, ...], change: Callable[[Any], Any]) -> tuple[Any, ...]:
        made: list[Any] | None = None
        for index, item in enumerate(items):
            new = change(item)
            if made is not None:
                made.append(new)
            elif new is not item:
                made = [*items[:index], new]
        return items if made is None else tuple(made)

    @staticmethod
    def _dict(items: dict[Any, Any], change: Callable[[Any], Any]) -> dict[Any, Any]:
        made = {key: change(item) for key, item in items.items()}
        return items if all(made[key] is item for key, item in items.items()) else made


def nodes(root: Node) -> Iterator[Node]:
    """Every node of a program, parents first, used names not entered."""
    stack: list[Any] = [root]
    pop = stack.pop
    while stack:
        item = pop()
        if isinstance(item, Node):
            yield item
            if not item.is_name or item is root:
                stack += item.schema.last_parts_first(item)
        elif isinstance(item, tuple | list):
            stack += reversed(item)
        elif isinstance(item, dict):
            stack += reversed(item.values())
