"""What to write instead: found only where something is wrong, so it may take its time."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from inspect import Parameter
from typing import Any

from tvmscript.ir.core.errors import DiagnosticError, InvalidAttribute, InvalidDType, TVMScriptError, WrongType
from tvmscript.ir.core.module import GlobalVar
from tvmscript.ir.core.suggestions import closest
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import Var
from tvmscript.parser.diagnostics.errors import Refused, UndefinedName, refused
from tvmscript.parser.frames import Frame, Loops
from tvmscript.parser.names.namespace import Builtin, Namespace
from tvmscript.parser.names.parameters import Lambda, format_signature
from tvmscript.parser.source.tree import SourceTree

#: Python's own names that readers of Python expect to be there.
_PYTHON: Mapping[str, str] = {
    "math": "T has the functions: T.sqrt(x), T.exp(x), T.floor(x)",
    "np": "T has the functions: T.sqrt(x), T.exp(x), T.floor(x)",
    "numpy": "T has the functions: T.sqrt(x), T.exp(x), T.floor(x)",
    "enumerate": "write for i in range(n) and use i",
    "zip": "write for i in range(n) and index both with i",
    "sum": "add in a loop: A[0] = A[0] + B[i]",
    "round": "write T.round(x)",
    "str": "strings are written out",
    "nan": 'write T.float32("nan")',
    "inf": 'write T.float32("inf")',
}
_STATEMENTS: Mapping[type[ast.AST], str] = {
    ast.Break: "put what is to stop into a condition: while i[0] < n and not done[0]",
    ast.Continue: "put the rest of the body under if",
    ast.Import: "a text may import tvm and tvmscript alone, at its top",
    ast.ImportFrom: "a text may import tvm and tvmscript alone, at its top",
    ast.Try: "a program has no exceptions; check with assert condition, message",
    ast.Raise: "write assert condition, message",
    ast.Match: "write if and elif",
    ast.Delete: "names end with their scope",
    ast.Global: "write into a buffer",
    ast.Nonlocal: "write into a buffer",
    ast.ClassDef: "put the functions into a class under @I.ir_module",
    ast.AsyncFunctionDef: "write def",
    ast.AsyncFor: "write for",
    ast.AsyncWith: "write with",
    ast.ListComp: "write a loop, or the elements",
    ast.SetComp: "write a loop, or the elements",
    ast.DictComp: "write a loop, or the elements",
    ast.GeneratorExp: "write a loop, or the elements",
    ast.Set: "write a tuple or a list",
    ast.NamedExpr: "assign in a statement of its own before",
    ast.Await: "call the function",
    ast.Yield: "write the value into a buffer",
    ast.YieldFrom: "write the value into a buffer",
    ast.For: "a loop stands in a function",
    ast.While: "a loop stands in a function",
    ast.If: "a branch stands in a function",
    ast.With: "blocks stand in a function",
}
#: Lines of a function that is not searched for a name.
_LONG_FUNCTION = 10_000
_LOOPS = "for runs over range, T.grid, T.serial, T.parallel, T.vectorized, T.unroll, T.thread_binding"
_OPENERS = "with opens T.block, T.init, T.let, T.allocate, T.attr, T.launch_thread, ..."
_TYPES: Mapping[str, str] = {
    "int": "T.int32",
    "float": "T.float32",
    "bool": "T.bool",
    "list": 'T.Buffer((n,), "float32")',
    "tuple": 'T.Buffer((n,), "float32")',
}


def about_name(name: str, names: Iterable[str], roots: Mapping[str, Any]) -> str | None:
    """For a name that is not defined: it may be one of the language's, or of those around it."""
    if name in _PYTHON:
        return _PYTHON[name]
    for owner, space in roots.items():
        if isinstance(space, Namespace) and len(owner) == 1 and name in space.table:
            return f"write {owner}.{name}"
    return closest(name, [*names, *roots])


def add_definition_note(tree: SourceTree, error: DiagnosticError) -> None:
    """Let the error say where its name is defined, in a scope that does not reach the place, or later."""
    line, column = (error.span.line, error.span.column) if error.span is not None else (0, 0)
    name = error.facts["name"]
    function = _function_around(tree, tree.tree.body, line)
    stores = [
        tree.span(item)
        for item in (ast.walk(function) if function is not None else ())
        if isinstance(item, ast.Name) and item.id == name and isinstance(item.ctx, ast.Store)
    ]
    stores = [span for span in stores if (span.line, span.column) != (line, column)]  # x += 1
    before = [span for span in stores if span.line < line]
    if before:
        error.notes.append(
            (max(before, key=lambda span: span.line), f"{name} is defined here, in a scope that has ended")
        )
    elif stores:
        error.notes.append((min(stores, key=lambda span: span.line), f"{name} is defined here, after its use"))
    if stores and isinstance(error, UndefinedName):
        error.hint = None
    if any(arg.arg == name for arg in (function.args.args if function is not None else ())):
        error.hint = f"put the parameter {name} in front of this one"


def _function_around(tree: SourceTree, nodes: list[ast.stmt], line: int) -> ast.FunctionDef | None:
    """The function that a line is in; none where it is too long to be searched."""
    for node in nodes:
        span = tree.span(node)
        if span.line <= line <= span.end_line:
            if isinstance(node, ast.FunctionDef):
                return node if span.end_line - span.line < _LONG_FUNCTION else None
            return _function_around(tree, getattr(node, "body", []), line)
    return None


def about_member(name: str, known: list[str]) -> str | None:
    """For an attribute that a value does not have."""
    return closest(name, known) or (f"it has {', '.join(known)}" if known else None)


def about_table(owner: Namespace) -> str | None:
    """For a name that a namespace does not have, nor anything like it."""
    names = [name for name in owner.table if not name.startswith("_")]
    return (
        f"it has {', '.join(names)}" if 0 < len(names) < 20 else f"dir({owner.name}) lists its names" if names else None
    )


def about_comparison(op: type) -> str:
    """For a comparison that expressions do not have."""
    return "write == or !=" if op in (ast.Is, ast.IsNot) else "compare with each of them: x == 1 or x == 2"


def about_construct(node: ast.AST) -> str | None:
    """For Python that has no meaning in a kernel."""
    return _STATEMENTS.get(type(node))


def about_loop(value: Any) -> str:
    """For something that `for` cannot run over."""
    if isinstance(value, int):
        return f"write range({value})"
    if isinstance(value, Var):
        return f"write range({value.name})"
    if isinstance(value, Buffer):
        return f"run over the indices: for i in range({value.shape[0] if value.shape else 1})"
    return _LOOPS


def about_context(value: Any) -> str:
    """For something that `with` cannot be used on."""
    if isinstance(value, Builtin):
        return f"call it: with {value.name}(...):"
    return "write for i in ..." if isinstance(value, Loops) else _OPENERS


def about_statement(value: Any) -> str | None:
    """For a value that is no statement."""
    if isinstance(value, Builtin):
        return f"call it: {value.name}(...)"
    if isinstance(value, Loops):
        return "write for i in ...:"
    return expression_hint(value)


def about_call(value: Any) -> str | None:
    """For something that cannot be called."""
    return expression_hint(value) if isinstance(value, Buffer) else None


def about_annotation(value: Any) -> str | None:
    """For something that is no type."""
    if isinstance(value, Builtin) and value.name in _TYPES:
        return f"write {_TYPES[value.name]}"
    if isinstance(value, str):
        return f"write {value} without quotation marks"
    return None


def about_assignment(value: Any) -> str | None:
    """For a value that cannot get a name, or elements."""
    if isinstance(value, Loops):
        return "write for i in ...:"
    if isinstance(value, Frame):
        return "write with ...:"
    if isinstance(value, Lambda):
        return "write the expression where it is used, or def a macro"
    if isinstance(value, Var) and value.dtype.is_handle:
        return f"make a buffer of it: T.Buffer(shape, dtype, data={value.name}), or T.match_buffer({value.name}, ...)"
    return None


def about_arguments(function: Builtin, args: Sequence[Any]) -> str | None:
    """For arguments that a function does not take: a buffer where numbers are meant."""
    for arg in args:
        if isinstance(arg, Buffer):
            return f"write {arg.name}.shape[0]" if function.name == "len" else expression_hint(arg)
    return None


def expression_hint(value: Any) -> str | None:
    """For a value that is no expression."""
    if isinstance(value, Buffer):
        return f"an element of it is written {value.name}[{', '.join('...' for _ in value.shape)}]"
    if isinstance(value, tuple | list) and value:
        return f"it has {len(value)} elements: give each a name, or take one of them with [0]"
    if isinstance(value, GlobalVar):
        return f"call it: {value.name_hint}(...)"
    return f"call it: {value.name}(...)" if isinstance(value, Builtin) else None


def misfit(function: Builtin, args: list[Any], kwargs: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """Why arguments do not fit a signature, and what to write; nothing where they fit."""
    signature = function.__signature__
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        hint = None
        for name in kwargs:
            if name not in signature.parameters:
                names = [n for n, p in signature.parameters.items() if p.kind is not Parameter.VAR_POSITIONAL]
                hint = closest(name, names)
        return str(error).replace("a required argument: ", "the argument ").replace("'", ""), hint or (
            f"it is {function.name}{format_signature(signature)}"
        )
    return None, None


def refused_call(
    tree: SourceTree, node: Any, error: TVMScriptError, args: list[Any], kwargs: Mapping[str, Any]
) -> Refused:
    """An error of a call as a diagnostic at the argument that is to blame, at the call where that is not known."""
    made = refused(error, tree.span(node))
    if not isinstance(node, ast.Call) or not isinstance(error, WrongType | InvalidDType | InvalidAttribute):
        return made
    written = [*zip(node.args, args, strict=False)] if not any(isinstance(a, ast.Starred) for a in node.args) else []
    written += [(word.value, kwargs[word.arg]) for word in node.keywords if word.arg is not None and word.arg in kwargs]
    got = str(next(iter(error.facts[key] for key in ("got", "name", "value") if key in error.facts)))
    found = [(part, value) for part, value in written if _is_meant(value, got)]
    if len(found) == 1:
        part, value = found[0]
        made.span = tree.span(part)
        made.hint = made.hint or (expression_hint(value) if isinstance(value, Buffer | Builtin) else None)
    return made


def point_at_index(tree: SourceTree, error: Refused, node: ast.expr, indices: Sequence[Any]) -> None:
    """Let an error about one index stand at that index."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    got = str(error.facts["reason"]).rpartition("but got ")[2]
    if not str(error.facts["reason"]).startswith("an index") or len(parts) != len(indices):
        return
    found = [part for part, index in zip(parts, indices, strict=True) if isinstance(index, Expr) and index.dtype == got]
    if len(found) == 1:
        error.span = tree.span(found[0])


def _is_meant(value: Any, got: str) -> bool:
    """Whether an error that tells what it got means this argument."""
    if isinstance(value, Expr):
        return got in (value.dtype, getattr(value, "name", None)) or (len(got) < 100 and got == repr(value))
    if isinstance(value, Buffer):
        return got == value.name
    if isinstance(value, tuple | list):
        return any(_is_meant(item, got) for item in value) or got == repr(value)
    if isinstance(value, Mapping):
        return any(_is_meant(item, got) for item in value.values()) or got in (
            repr(value),
            *(f"the key {key!r}" for key in value),
        )
    return got == repr(value)
