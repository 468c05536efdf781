"""Node classes: slotted dataclasses whose schema drives traversal, equality and hashing.

A node class is declared once; visiting, rewriting, equality and hashing read `cls.schema`.
Nodes are compared by identity (`structural_equal` is a named function) and never changed after they are
made: type checkers refuse assignment. Methods that set fields while a node is being built take
`self: Building`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from enum import Enum
from operator import attrgetter
from typing import Any, ClassVar, Literal, TypeVar, dataclass_transform

from tvmscript.ir.core.constructor import constructor
from tvmscript.ir.core.hooks import hook
from tvmscript.ir.core.span import Span

#: The type of `self` in `__init__` and `__post_init__` of a node: the only places that set fields.
Building = Any

T = TypeVar("T")
NodeT = TypeVar("NodeT", bound="Node")


class Role(Enum):
    """Role of a field in traversal, equality and hashing."""

    #: A plain value: compared, not walked.
    LEAF = "leaf"
    #: A part of the program: walked, rewritten, compared.
    CHILD = "child"
    #: Introduces names (variables, buffers): walked before the children.
    BINDS = "binds"
    #: Expressions whose free variables are defined here by matching (a buffer's shape).
    MATCHES = "matches"
    #: Information for people (names, spans): neither walked nor compared.
    NOTE = "note"


def binds(*, to: str | None = None, **options: Any) -> Any:
    """A field that introduces names; `to` is the field with the value of the name."""
    return field(metadata={"role": Role.BINDS, "to": to}, **options)


def guards(then: str, otherwise: str | None = None) -> Any:
    """A condition: the field `then` runs where it holds, the field `otherwise` where it does not."""
    return field(metadata={"guards": (then, otherwise)})


def repeats() -> Any:
    """A trip count, or a condition that is evaluated before each iteration: the bodies run several times."""
    return field(metadata={"repeats": True})


def matches(**options: Any) -> Any:
    """A field whose free variables are defined by matching."""
    return field(metadata={"role": Role.MATCHES}, **options)


def note(**options: Any) -> Any:
    """A field that equality ignores."""
    return field(metadata={"role": Role.NOTE}, **options)


def filled(*, default: None) -> Any:
    """A field that `__post_init__` sets where it is left out."""
    return field(default=default)


def derived(*, init: Literal[False] = False) -> Any:
    """A field that the constructor computes from the others."""
    return field(init=init, metadata={"role": Role.LEAF})


#: words in the types of fields that hold statements
_BODY_WORDS = frozenset({"Stmt", "Block"})
_LEAF_WORDS = frozenset(
    {"str", "int", "float", "bool", "bytes", "None", "DType", "Span", "ForKind", "IterKind", "tuple", "Op"}
)


def _getter(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function from an object to the values of these attributes."""
    if len(names) > 1:
        get: Callable[[Any], tuple[Any, ...]] = attrgetter(*names)
        return get
    return (lambda item: (getattr(item, names[0]),)) if names else (lambda item: ())


class Schema:
    """The fields of a node class by role."""

    __slots__ = (
        "arguments",
        "arguments_of",
        "binds",
        "bodies",
        "bound_by",
        "children",
        "compared",
        "compared_of",
        "definitions",
        "guards",
        "keywords",
        "last_parts_first",
        "names",
        "parts_of",
        "places",
        "repeats",
        "values",
        "walked",
    )

    def __init__(self, cls: type[Node]) -> None:
        roles: dict[str, Role] = {}
        bodies: list[str] = []
        #: name -> field with its value
        self.definitions: dict[str, str] = {}
        #: body that runs under a condition -> field of the condition, and whether it holds there
        self.guards: dict[str, tuple[str, bool]] = {}
        #: whether the bodies run several times
        self.repeats = False
        #: positional constructor arguments, in order
        self.arguments: tuple[str, ...] = ()
        #: keyword-only constructor arguments except span
        self.keywords: tuple[str, ...] = ()
        for entry in fields(cls):
            role = entry.metadata.get("role")
            words = set(re.findall(r"\w+", str(entry.type)))
            if role is None:
                role = Role.LEAF if words <= _LEAF_WORDS else Role.CHILD
            if not words.isdisjoint(_BODY_WORDS):
                bodies.append(entry.name)
            if entry.metadata.get("to") is not None:
                self.definitions[entry.name] = entry.metadata["to"]
            for body, holds in zip(entry.metadata.get("guards", ()), (True, False), strict=False):
                if body is not None:
                    self.guards[body] = entry.name, holds
            self.repeats |= "repeats" in entry.metadata
            roles[entry.name] = role
            if entry.name == "span":
                continue
            if entry.init and entry.kw_only:
                self.keywords += (entry.name,)
            elif entry.init:
                self.arguments += (entry.name,)
        self.arguments = cls.argument_order or self.arguments
        #: a node -> what its constructor takes by position
        self.arguments_of = _getter(self.arguments)
        #: argument -> its position
        self.places = {name: place for place, name in enumerate(self.arguments)}
        self.binds = tuple(n for n, r in roles.items() if r is Role.BINDS)
        self.children = tuple(n for n, r in roles.items() if r in (Role.CHILD, Role.MATCHES))
        #: children that hold statements, which see the names that the node binds; the other ones, which do not
        self.bodies = tuple(bodies)
        self.values = tuple(name for name in self.children if name not in bodies)
        #: a node -> what these fields hold
        self.bound_by, self.parts_of = _getter(self.binds), _getter(self.children)
        #: what a traversal visits: definitions before uses
        self.walked = self.binds + self.children
        #: a node -> what its walked fields hold, the last field first, as a stack takes them
        self.last_parts_first = _getter(self.walked[::-1])
        #: what equality and hash look at, with the role, definitions first
        order = sorted(roles.items(), key=lambda item: item[1] is not Role.BINDS)
        self.compared = tuple((n, r) for n, r in order if r is not Role.NOTE)
        #: a node -> what these fields hold
        self.compared_of = _getter(tuple(n for n, _ in self.compared))
        #: what is for people, but for the span
        self.names = tuple(n for n, r in order if r is Role.NOTE and n != "span")


@dataclass_transform(
    frozen_default=True, field_specifiers=(field, binds, guards, repeats, matches, note, filled, derived)
)
def node(cls: type[T]) -> type[T]:
    """Make a class with annotated fields a node class."""
    node_class: Any = dataclass(slots=True, eq=False, repr=False, init=False)(cls)
    node_class.schema = _SchemaOnUse()
    if "__init__" not in cls.__dict__:
        node_class.__init__ = _constructor_on_use(node_class)
    return node_class  # type: ignore[no-any-return]  # dataclass() of an unknown class is Any here


class _SchemaOnUse:
    """The schema of a class, computed when it is first read: an import reads none of them."""

    __slots__ = ()

    def __get__(self, instance: object, owner: type[Node]) -> Schema:
        cls: Any = next(base for base in owner.__mro__ if base.__dict__.get("schema") is self)
        schema = Schema(cls)
        cls.schema = schema
        return schema


def _constructor_on_use(cls: Any) -> Callable[..., None]:
    """An `__init__` that compiles the constructor of the class when its first object is made, and takes its place."""

    def __init__(self: Any, *args: object, **keywords: Any) -> None:
        if cls.__init__ is __init__:
            cls.__init__ = constructor(cls)
        cls.__init__(self, *args, **keywords)

    return __init__


@node
class Node:
    """Base of all nodes."""

    #: where the node stands in the text it was read from
    span: Span | None = field(default=None, kw_only=True, metadata={"role": Role.NOTE})

    schema: ClassVar[Schema]
    #: set where the constructor's positional order is not the order of the fields
    argument_order: ClassVar[tuple[str, ...]] = ()
    #: variables, buffers, global variables: the object itself is the name
    is_name: ClassVar[bool] = False
    #: where it stands in a definition, unknown names in it are defined too, however deep: struct info of a parameter
    defines_inside: ClassVar[bool] = False
    #: whether it is written on lines of its own, or has parts that are (statements and functions are known by class)
    has_lines: ClassVar[bool] = False
    #: of a name that may be a view of something with a name of its own: the field that holds the latter
    view_of: ClassVar[str | None] = None
    #: whether Python values may be given for nodes: see `ir.core.constructor`
    takes_values: ClassVar[bool] = False
    #: fields of one dtype: a number in one of them has that of the others
    alike: ClassVar[tuple[str, ...]] = ()
    #: whether `__post_init__` looks at all parts that are nodes, so that the constructor need not
    looks_at_parts: ClassVar[bool] = False

    def replace(self: NodeT, **changes: object) -> NodeT:
        """Return a copy with some fields changed; the constructor checks it again."""
        cls: Any = type(self)
        schema: Schema = cls.schema
        arguments = list(schema.arguments_of(self))
        keywords: dict[str, Any] = {name: getattr(self, name) for name in schema.keywords} if schema.keywords else {}
        keywords["span"] = self.span
        places = schema.places
        for name, value in changes.items():
            place = places.get(name)
            if place is None:
                keywords[name] = value
            else:
                arguments[place] = value
        replaced: NodeT = cls(*arguments, **keywords)
        return replaced

    def rebuild(self: NodeT, **parts: object) -> NodeT:
        """Return the node with these fields: the node itself where they are the objects that it has."""
        for name, value in parts.items():
            if getattr(self, name) is not value:
                return self.replace(**parts)
        return self

    def same_name(self, other: object) -> bool:
        """Whether two name objects mean the same thing outside of any definition: only as the same object."""
        return self is other

    def same_as(self, other: object) -> bool:
        """Return whether both are one object."""
        return self is other

    def script(self, **options: object) -> str:
        """The program as text that reads back to the same program. Options: see `tvmscript.printer`."""
        return script(self, **options)

    def show(self, **options: Any) -> None:
        """Print the script with colours where the terminal has them."""
        show(self, **options)

    def __str__(self) -> str:
        return text(self)

    def __repr__(self) -> str:
        return text(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the text for IPython and Hypothesis."""
        printer.text(text(self))


@hook
def text(node: Node) -> str:
    """Implement `str` of a node."""
    raise NotImplementedError


@hook
def script(node: Node, **options: object) -> str:
    """Implement `Node.script`."""
    raise NotImplementedError


@hook
def show(node: Node, **options: Any) -> None:
    """Implement `Node.show`."""
    raise NotImplementedError


@hook
def html(node: Node) -> str:
    """Return the script of a program as HTML for notebooks."""
    raise NotImplementedError


@hook
def script_with_ranges(node: Node) -> tuple[str, list[tuple[Node, int, int]]]:
    """Return the script of a program, and each expression and statement with its begin and end in that text."""
    raise NotImplementedError
