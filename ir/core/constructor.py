"""Constructors of node classes.

Users write `Add(x, 1)`, `SeqStmt([a, b])` and `Allocate(..., "float32", ...)`; what makes nodes from other nodes all
day should not pay for that. So a constructor takes its arguments for nodes, and what is none shows where its attributes
are asked for: the checks of the class fail, or an attribute that all nodes have is missing. Only then `adopt`
puts nodes in the places of the others, and the checks run again.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from typing import Any, Final

from tvmscript.ir.core.hooks import hook

#: field types that are no nodes, and may be given as what they are made from
VALUES: Final = frozenset({"DType", "ForKind", "IterKind"})
#: types of fields that are not parts of programs, and checked by nobody here
NO_PARTS: Final = frozenset({"Any", "Attrs", "Op", "Span"})
#: a field that holds a node, perhaps none, or several
PART: Final = re.compile(r"(?P<many>tuple\[)?(?P<cls>[A-Z]\w+)(?(many), \.\.\.\])(?P<optional> \| None)?")


def constructor(cls: Any) -> Callable[..., None]:
    """Compile `__init__` of a node class: set the fields, check their types, run `__post_init__`."""
    given = [entry for entry in fields(cls) if entry.init]
    words = {str(entry.type) for entry in given} & VALUES if cls.takes_values else ()
    names: dict[str, Any] = {"adopt": adopt, **{word: resolve_class(cls, word) for word in words}}
    parameters = ["self"]
    for entry in sorted(given, key=lambda entry: entry.kw_only is True):
        if entry.kw_only and "*" not in parameters:
            parameters.append("*")
        if entry.default is not MISSING:
            names[f"default_{entry.name}"] = entry.default
        parameters.append(f"{entry.name}=default_{entry.name}" if entry.default is not MISSING else entry.name)
    lines = [f"def __init__({', '.join(parameters)}):"]
    lines += [f"    self.{entry.name} = {entry.name}" for entry in given]
    post_init = ["self.__post_init__()"] if hasattr(cls, "__post_init__") else []
    if cls.takes_values:
        checks = [line for entry in given for line in _checks(entry, cls.looks_at_parts)] + post_init
        if checks:
            lines += ["    try:", *[f"        {line}" for line in checks]]
            lines += ["    except AttributeError:", "        adopt(self)"]
    else:
        lines += [f"    {line}" for line in post_init]
    # of names of fields alone, as dataclasses does it: no text of users gets here
    exec("\n".join(lines), names)  # noqa: S102
    init: Callable[..., None] = names["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__module__ = cls.__module__
    return init


def resolve_class(cls: type, word: str) -> Any:
    """Return the class that a name in a field type refers to."""
    modules = (sys.modules[base.__module__] for base in cls.__mro__)
    return next(named for module in modules if (named := getattr(module, word, None)) is not None)


def _checks(item: Field[Any], is_looked_at: bool) -> list[str]:
    """Return code lines that raise AttributeError if the value of a field does not have the type of the field."""
    word, name = str(item.type), item.name
    if word in VALUES:
        return [f"if {name}.__class__ is not {word}: raise AttributeError"]
    part = PART.fullmatch(word)
    if part is None or part["cls"] in NO_PARTS:
        return []
    guard = f"if {name} is not None: " if part["optional"] else ""
    if part["many"]:
        is_tuple = f"{name} is not None and " if part["optional"] else ""
        lines = [f"if {is_tuple}{name}.__class__ is not tuple: raise AttributeError"]
        return lines if is_looked_at else [*lines, f"for part in {name}{' or ()' if guard else ''}: part.span"]
    return [] if is_looked_at else [f"{guard}{name}.span"]


@hook
def adopt(node: object) -> None:
    """Replace Python values in fields by nodes and check the node again. Raises where a value stands for no node."""
    raise NotImplementedError
