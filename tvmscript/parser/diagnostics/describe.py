"""Descriptions of values and constructs for messages."""

from __future__ import annotations

import ast
import reprlib

from tvmscript.ir.core import GlobalVar, Node
from tvmscript.ir.tir import Buffer, BufferRegion, Expr, Stmt, Var
from tvmscript.parser.frames import Frame, Loops
from tvmscript.parser.names.namespace import Builtin, Decorator, Namespace


def describe(value: object) -> str:
    """Describe a value."""
    if isinstance(value, Var):
        return f"the variable {value.name}" if value.name else "a new variable"
    if isinstance(value, Buffer):
        return f"the buffer {value.name}" if value.name else "a new buffer"
    if isinstance(value, BufferRegion):
        return f"a region of the buffer {value.buffer.name}"
    if isinstance(value, Expr):
        return f"an expression of type {value.dtype}"
    if isinstance(value, (Frame, Loops)):
        return repr(value)
    if isinstance(value, GlobalVar):
        return f"the function {value.name_hint}"
    if isinstance(value, Stmt):
        return "a statement of a function"
    if isinstance(value, Node):
        return f"a {type(value).__name__}"
    if isinstance(value, (Builtin, Namespace, Decorator)):
        return value.name
    if isinstance(value, (tuple, list)) and value and all(isinstance(item, Var) for item in value):
        return f"the {type(value).__name__} of {', '.join(item.name or '?' for item in value)}"
    return reprlib.repr(value)


def construct_name(node: ast.AST) -> str:
    """Describe a construct of Python."""
    names = {"Name": "a name", "Attribute": "an attribute", "Subscript": "an element", "Call": "a call",
             "Import": "import", "ImportFrom": "import", "Delete": "del", "Try": "try", "Constant": "a constant",
             "Lambda": "a lambda", "NamedExpr": "the operator :=", "Await": "await", "Yield": "yield",
             "YieldFrom": "yield", "Set": "a set", "ListComp": "a comprehension", "SetComp": "a comprehension",
             "DictComp": "a comprehension", "GeneratorExp": "a comprehension", "Starred": "*", "Slice": "a slice",
             "ClassDef": "a class", "AsyncFunctionDef": "an async function"}  # fmt: skip
    name = type(node).__name__
    return names.get(name, name.lower() if isinstance(node, ast.stmt) else name)
