"""Visitors and rewriters: rules per node class, default traversal by schema.

    class Renamer(Rewriter):
        @on(Var)
        def var(self, node: Var) -> Var: ...

A rule on a base class holds for its subclasses too; the most derived rule wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from enum import Enum
from operator import is_
from typing import Any, ClassVar, Final, TypeVar

from tvmscript.ir.core.dispatch import ClassTable, Dispatch
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


def on_every(*types: type[Node]) -> Callable[[F], F]:
    """Mark a method as `on` does. It also replaces inherited rules for subclasses of the types, except `leaves`."""

    def mark(method: F) -> F:
        method.__dict__["replaces"] = True
        return on(*types)(method)

    return mark


def leaves(method: F) -> F:
    """Mark a rule that returns its nodes unchanged."""
    method.__dict__["leaves"] = True
    return method


def keep(_: object, value: object) -> Any:
    """The rule for values without parts: return the value."""
    return value


def _part_rules(
    nodes: Dispatch[Rule], plain: Rule, containers: dict[type, Rule], named: Set[type] | None = None
) -> ClassTable[Rule]:
    """Return what is done with the values of fields: rules for nodes and containers, `keep` for all else.

    `plain` is the rule of nodes without one, `named` are the names (variables, buffers) with rules; None: all names.
    """
    other = Dispatch(containers, default=keep)

    def rule_of(cls: type) -> Rule:
        if not issubclass(cls, Node):
            return other[cls]
        rule = nodes[cls]
        if cls.is_name:
            is_left = named is not None and named.isdisjoint(cls.__mro__)
        else:  # a leaf without a rule, or with one that leaves it alone
            is_left = (rule is plain and not cls.schema.walked) or "leaves" in rule.__dict__
        return keep if is_left else rule

    return ClassTable(rule_of)


class _Ruled:
    """Base that collects the `@on` methods of a class and its bases into one table."""

    #: the rules that the class itself defines
    own_rules: ClassVar[dict[type, Rule]] = {}
    rules: ClassVar[dict[type, Rule]] = {}
    table: ClassVar[Dispatch[Rule]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        methods = list(cls.__dict__.values())
        cls.own_rules = {handled: method for method in methods for handled in getattr(method, "handles", ())}
        rules: dict[type, Rule] = {}
        for base in reversed(cls.__mro__):
            own_rules = base.__dict__.get("own_rules", {})
            replaced = tuple(handled for handled, rule in own_rules.items() if "replaces" in rule.__dict__)
            if replaced:
                rules = {
                    handled: rule
                    for handled, rule in rules.items()
                    if not issubclass(handled, replaced) or "leaves" in rule.__dict__
                }
            rules.update(own_rules)
        cls.rules = rules
        cls.table = Dispatch(rules, default=cls.__dict__.get("_default", None) or cls.table.default)


class Visitor(_Ruled):
    """Visit every node, definitions before uses. Uses of names (variables, buffers) are not entered."""

    def _default(self, node: Node) -> None:
        self.walk(node)

    table: ClassVar[Dispatch[Rule]] = Dispatch(default=_default)
    #: what is done with what a child field holds
    _held: ClassVar[ClassTable[Rule]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        containers: dict[type, Rule] = {tuple: Visitor._items, list: Visitor._items, dict: Visitor._values}
        if cls._value is Visitor._value:
            cls._held = _part_rules(cls.table, Visitor._default, containers, cls.rules.keys())
        else:
            cls._held = Dispatch(default=cls._value)

    def visit(self, node: Node) -> None:
        """Apply the rule for the node's type; without one, visit its parts."""
        self.table[type(node)](self, node)

    def walk(self, node: Node) -> None:
        """Visit the parts of a node."""
        schema = node.schema
        if schema.binds:
            for value in schema.bound_by(node):
                self._definitions(value)
        held = self._held
        for value in schema.parts_of(node):
            rule = held[value.__class__]
            if rule is not keep:
                rule(self, value)

    def define(self, name: Node) -> None:
        """Called for a variable or buffer where it is introduced; visits a buffer's shape."""
        self.walk(name)

    def _value(self, value: object) -> None:
        """Visit whatever a child field holds."""
        if isinstance(value, Node):
            if not value.is_name or not self.rules.keys().isdisjoint(type(value).__mro__):
                self.table[type(value)](self, value)
        elif isinstance(value, (tuple, list)):
            self._items(value)
        elif isinstance(value, dict):
            self._values(value)

    def _items(self, values: Iterable[object]) -> None:
        held = self._held
        for value in values:
            held[value.__class__](self, value)

    def _values(self, values: dict[Any, Any]) -> None:
        self._items(values.values())

    def _definitions(self, value: object) -> None:
        if isinstance(value, Node):
            if value.is_name:
                self.define(value)
            else:
                self.visit(value)
        elif isinstance(value, (tuple, list)):
            for item in value:
                self._definitions(item)
        elif isinstance(value, dict):
            for item in value.values():
                self._definitions(item)


class Rewriter(_Ruled):
    """Rebuild a program bottom-up; a node whose parts did not change is returned itself.

    When a definition is rebuilt (a buffer whose shape changed), its uses follow.
    """

    def __init__(self) -> None:
        #: rebuilt definitions: old name object -> new one
        self.renamed: dict[Node, Node] = {}

    def _default(self, node: Any) -> Any:
        return self.renamed.get(node, node) if node.is_name else self.descend(node)

    def _items(self, items: tuple[object, ...]) -> tuple[Any, ...]:
        if not items:
            return items
        held = self._held
        rewritten: list[Any] | None = None
        for index, item in enumerate(items):
            new = held[item.__class__](self, item)
            if rewritten is not None:
                rewritten.append(new)
            elif new is not item:
                rewritten = [*items[:index], new]
        return items if rewritten is None else tuple(rewritten)

    def _values(self, items: dict[Any, Any]) -> dict[Any, Any]:
        return self._dict(items, self.value) if items else items

    table: ClassVar[Dispatch[Rule]] = Dispatch(default=_default)
    #: what is done with what a child field holds
    _held: ClassVar[ClassTable[Rule]]
    #: what `rewrite` does with a node
    _entered: ClassVar[ClassTable[Rule]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        containers: dict[type, Rule] = {tuple: Rewriter._items, dict: Rewriter._values}
        is_plain = cls.value is Rewriter.value
        cls._held = _part_rules(cls.table, Rewriter._default, containers) if is_plain else Dispatch(default=cls.value)
        has_own_entry = cls.rewrite is not Rewriter.rewrite
        cls._entered = Dispatch(default=cls.rewrite) if has_own_entry or not is_plain else cls._held

    def rewrite(self, node: Node) -> Any:
        """Apply the rule for the node's type; without one, rebuild it from its rewritten parts."""
        return self.table[type(node)](self, node)

    def descend(self, node: N) -> N:
        """Return the node with its parts rewritten."""
        changes: dict[str, Any] | None = None
        schema = node.schema
        if schema.binds:
            for place, old in enumerate(schema.bound_by(node)):
                new = self.definitions(old)
                if new is not old:
                    changes = changes or {}
                    changes[schema.binds[place]] = new
        held = self._held
        for place, old in enumerate(schema.parts_of(node)):
            rule = held[old.__class__]
            if rule is not keep and (new := rule(self, old)) is not old:
                changes = changes or {}
                changes[schema.children[place]] = new
        return node if changes is None else node.replace(**changes)

    def define(self, name: N) -> N:
        """A variable or buffer where it is introduced: rebuilt when its own parts change."""
        definition = self.descend(name)
        if definition is not name:
            self.renamed[name] = definition
        return definition

    def value(self, value: object) -> Any:
        """Rewrite whatever a child field holds: a node, a tuple, a mapping, a plain value."""
        if isinstance(value, Node):
            return self.table[type(value)](self, value)
        if isinstance(value, tuple):
            return self._items(value)
        if isinstance(value, dict):
            return self._values(value)
        return value

    def definitions(self, value: object) -> Any:
        """Rewrite whatever a binding field holds."""
        if isinstance(value, Node):
            return self.define(value) if value.is_name else self.rewrite(value)
        if isinstance(value, tuple):
            return self._tuple(value, self.definitions)
        if isinstance(value, dict):
            mapping = self._dict(value, self.definitions)
            if any(key in self.renamed for key in mapping):
                return {self.renamed.get(key, key): item for key, item in mapping.items()}
            return mapping
        return value

    @staticmethod
    def _tuple(items: tuple[object, ...], change: Callable[[Any], Any]) -> tuple[Any, ...]:
        if len(items) == 1:  # as most indices are
            (item,) = items
            new = change(item)
            return items if new is item else (new,)
        rewritten = tuple(map(change, items))
        return items if all(map(is_, rewritten, items)) else rewritten

    @staticmethod
    def _dict(items: dict[Any, Any], change: Callable[[Any], Any]) -> dict[Any, Any]:
        rewritten = {key: change(item) for key, item in items.items()}
        return items if all(rewritten[key] is item for key, item in items.items()) else rewritten


class _Kind(Enum):
    """What a traversal does with a value of a class."""

    PLAIN = "no node"
    LEAF = "a node without parts, or a name"
    INNER = "a node with parts"
    SEQUENCE = "its items are visited"
    MAPPING = "its values are visited"


def _kind_of(cls: type) -> _Kind:
    if issubclass(cls, Node):
        return _Kind.LEAF if cls.is_name or not cls.schema.walked else _Kind.INNER
    if issubclass(cls, (tuple, list)):
        return _Kind.SEQUENCE
    return _Kind.MAPPING if issubclass(cls, dict) else _Kind.PLAIN


#: class of a value -> what a traversal does with it
KINDS: Final[ClassTable[_Kind]] = ClassTable(_kind_of)
PLAIN, LEAF, INNER, SEQUENCE, MAPPING = _Kind


def nodes(root: Node) -> Iterator[Node]:
    """Iterate over every node of a program, parents first; uses of names are not entered."""
    yield root
    kinds = KINDS
    stack: list[Any] = list(root.schema.last_parts_first(root))
    pop = stack.pop
    while stack:
        item = pop()
        kind = kinds[item.__class__]
        if kind is INNER:
            yield item
            stack += item.schema.last_parts_first(item)
        elif kind is LEAF:
            yield item
        elif kind is SEQUENCE:
            stack += item[::-1]
        elif kind is MAPPING:
            stack += reversed(item.values())


def has_nodes(root: Node, types: tuple[type[Node], ...]) -> bool:
    """Return whether a program has a node of one of these types; uses of names are not entered."""
    kinds = KINDS
    stack: list[Any] = [root]
    pop = stack.pop
    while stack:
        item = pop()
        kind = kinds[item.__class__]
        if kind is SEQUENCE:
            stack += item
        elif kind is MAPPING:
            stack += item.values()
        elif kind is not PLAIN:
            if isinstance(item, types):
                return True
            if kind is INNER:
                stack += item.schema.last_parts_first(item)
    return False
