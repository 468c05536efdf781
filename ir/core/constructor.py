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
    """`__init__` for a dataclass: sets the fields, and runs `__post_init__` where there is one."""
    given = [item for item in fields(cls) if item.init]
    words = {str(item.type) for item in given} & VALUES
    names: dict[str, Any] = {"adopt": adopt, **{word: class_called(cls, word) for word in words}}
    parameters = ["self"]
    for item in sorted(given, key=lambda item: item.kw_only is True):
        if item.kw_only and "*" not in parameters:
            parameters.append("*")
        if item.default is not MISSING:
            names[f"default_{item.name}"] = item.default
        parameters.append(f"{item.name}=default_{item.name}" if item.default is not MISSING else item.name)
    lines = [f"def __init__({', '.join(parameters)}):"]
    lines += [f"    self.{item.name} = {item.name}" for item in given]
    checks = [line for item in given for line in _checks(item, cls.looks_at_parts)]
    if hasattr(cls, "__post_init__"):
        checks.append("self.__post_init__()")
    if checks:
        lines += ["    try:", *[f"        {line}" for line in checks]]
        lines += ["    except AttributeError:", "        adopt(self)"]
    # of names of fields alone, as dataclasses does it: no text of users gets here
    exec("\n".join(lines), names)  # noqa: S102
    made: Callable[..., None] = names["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__module__ = cls.__module__
    return made


def class_called(cls: type, word: str) -> Any:
    """The class that a word in the types of fields means."""
    modules = (sys.modules[base.__module__] for base in cls.__mro__)
    return next(found for module in modules if (found := getattr(module, word, None)) is not None)


def _checks(item: Field[Any], is_looked_at: bool) -> list[str]:
    """Lines that raise AttributeError where the value of a field is not of the type that stands there."""
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
def adopt(node: Any) -> None:
    """Replace Python values in fields by nodes and check the node again. Raises where a value stands for no node."""
    raise NotImplementedError
