"""Hints: what to write instead. Computed only for errors."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Mapping, Sequence
from inspect import Parameter

from tvmscript.ir.core import GlobalVar, closest
from tvmscript.ir.core.errors import DiagnosticError, InvalidAttribute, InvalidDType, TVMScriptError, WrongType
from tvmscript.ir.tir import Buffer, BufferRegion, Expr, PrimFunc, Var
from tvmscript.ir.tir.intrin import SURFACE
from tvmscript.parser.diagnostics.errors import Refused, UndefinedName, refused
from tvmscript.parser.frames import Frame, Loops
from tvmscript.parser.names.namespace import Builtin, Namespace
from tvmscript.parser.names.parameters import Lambda, format_signature
from tvmscript.parser.source.tree import SourceTree

#: names of Python -> hint
_PYTHON: Mapping[str, str] = {
    **dict.fromkeys(("math", "np", "numpy"), "T has the functions: T.sqrt(x), T.exp(x), T.floor(x)"),
    "enumerate": "write for i in range(n) and use i",
    "zip": "write for i in range(n) and index both with i",
    "sum": "add in a loop: A[0] = A[0] + B[i]",
    "round": "write T.round(x)",
    "str": "write a string literal",
    "nan": 'write T.float32("nan")',
    "inf": 'write T.float32("inf")',
}
#: modules of Python whose functions compute nothing of expressions
_LIBRARIES = frozenset({"builtins", "math", "numpy"})
_NAMES_OF_LIBRARIES = frozenset({"math", "np", "numpy"})
#: functions of these modules -> the name in T
_COUNTERPARTS: Mapping[str, str] = {
    **dict.fromkeys(("absolute", "fabs"), "abs"),
    **dict.fromkeys(("maximum", "fmax"), "max"),
    **dict.fromkeys(("minimum", "fmin"), "min"),
    **dict.fromkeys(("power", "float_power"), "pow"),
    **dict.fromkeys(("mod", "remainder"), "floormod"),
    **{f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "tan2")},
    "floor_divide": "floordiv",
    "int": "int32",
    "float": "float32",
}
#: names in T that take two operands
_BINARY = frozenset(
    {"atan2", "ceildiv", "copysign", "floordiv", "floormod", "fmod", "hypot", "ldexp", "max", "min", "nextafter", "pow"}
)
#: functions and constants of these modules without a counterpart of that name -> hint
_REPLACEMENTS: Mapping[str, str] = {
    "where": "write T.if_then_else(condition, a, b)",
    "clip": "write T.max(T.min(x, high), low)",
    "square": "write x * x",
    "divmod": "write T.floordiv(a, b) and T.floormod(a, b)",
    "bool": "write a comparison: x != 0",
    "len": "write A.shape[0]",
    **dict.fromkeys(("add", "subtract", "multiply", "divide", "true_divide"), "write the operator: a + b, a * b, ..."),
    "pi": f"write the number: {math.pi}",
    "e": f"write the number: {math.e}",
    **dict.fromkeys(("zeros", "ones", "empty", "full"), "allocate a buffer, T.alloc_buffer(shape, dtype), and fill it"),
    **dict.fromkeys(("dot", "matmul", "mean", "prod"), "write a loop over the elements"),
}
#: dtypes whose constructors convert
_CONVERSIONS = frozenset(
    {"float16", "float32", "float64", *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))}
)
_STATEMENTS: Mapping[type[ast.AST], str] = {
    ast.Break: "move the exit test into the condition: while i[0] < n and not done[0]",
    ast.Continue: "put the rest of the body under an if",
    **dict.fromkeys((ast.Import, ast.ImportFrom), "only tvm and tvmscript can be imported, at the top of the text"),
    **dict.fromkeys((ast.Try, ast.Raise), "write assert condition, message"),
    ast.Match: "write if and elif",
    ast.Delete: "remove it: a name ends with its scope",
    **dict.fromkeys((ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom), "store the value in a buffer"),
    ast.ClassDef: "put the functions into a class under @I.ir_module",
    ast.AsyncFunctionDef: "write def",
    ast.AsyncFor: "write for",
    ast.AsyncWith: "write with",
    **dict.fromkeys((ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp), "write a loop, or list the elements"),
    ast.Set: "write a tuple or a list",
    ast.NamedExpr: "assign in a separate statement before",
    ast.Await: "call the function directly",
    **dict.fromkeys((ast.For, ast.While), "move the loop into a function"),
    ast.If: "move the branch into a function",
    ast.With: "move the block into a function",
}
#: functions with more lines are not searched
_LONG_FUNCTION = 10_000
_LOOPS = "iterate over range, T.grid, T.serial, T.parallel, T.vectorized, T.unroll, T.thread_binding"
_CONTEXTS = "write T.block, T.init, T.let, T.allocate, T.attr, T.launch_thread, ..."
_TYPES: Mapping[str, str] = {
    "int": "T.int32",
    "float": "T.float32",
    "bool": "T.bool",
    **dict.fromkeys(("list", "tuple"), 'T.Buffer((n,), "float32")'),
}


def about_name(name: str, names: Iterable[str], roots: Mapping[str, object]) -> str | None:
    """Return a hint for an undefined name."""
    if name in _PYTHON:
        return _PYTHON[name]
    for owner, space in roots.items():
        if isinstance(space, Namespace) and len(owner) == 1 and name in space.table:
            return f"write {owner}.{name}"
    return closest(name, [*names, *roots])


def about_library(library: str, name: str) -> str | None:
    """Return a hint for a function of NumPy or `math` in a text, where these modules are not defined."""
    return _about_counterpart(name, "x") if library in _NAMES_OF_LIBRARIES else None


def about_python_function(function: object, args: Iterable[object]) -> str | None:
    """Return a hint for a failed call of a function of NumPy, `math` or Python with parts of the program."""
    operands = [arg for arg in args if isinstance(arg, (Expr, Buffer, BufferRegion))]
    owner = getattr(function, "__module__", None) or type(function).__module__
    if not operands or str(owner).partition(".")[0] not in _LIBRARIES:
        return None
    whole = next((arg for arg in operands if isinstance(arg, Buffer)), None)
    if whole is not None and getattr(function, "__name__", "") == "len":
        return f"write {whole.name}.shape[0]"
    operand = "x" if whole is None else f"{whole.name}[{', '.join('...' for _ in whole.shape)}]"
    return _about_counterpart(str(getattr(function, "__name__", "")), operand)


def _about_counterpart(name: str, operand: str) -> str | None:
    """Return a hint that names the function of T that does what a function of Python of this name does."""
    if name in _REPLACEMENTS or name in _PYTHON:
        return _REPLACEMENTS.get(name) or _PYTHON[name]
    counterpart = _COUNTERPARTS.get(name, name)
    if counterpart in SURFACE:
        return f"write T.{counterpart}({'a, b' if counterpart in _BINARY else operand})"
    return f"write T.{counterpart}({operand})" if counterpart in _CONVERSIONS else None


def add_definition_note(tree: SourceTree, error: DiagnosticError) -> None:
    """Add a note about definitions of the name, in a scope that has ended or after its use."""
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
        error.hint = "store the value in a buffer that is allocated in front of the scope" if before else None
    if any(arg.arg == name for arg in (function.args.args if function is not None else ())):
        error.hint = f"put the parameter {name} in front of this one"


def _function_around(tree: SourceTree, nodes: list[ast.stmt], line: int) -> ast.FunctionDef | None:
    """Return the function around a line, or None if it is too long to search."""
    for node in nodes:
        span = tree.span(node)
        if span.line <= line <= span.end_line:
            if isinstance(node, ast.FunctionDef):
                return node if span.end_line - span.line < _LONG_FUNCTION else None
            return _function_around(tree, getattr(node, "body", []), line)
    return None


def about_member(name: str, known: list[str]) -> str | None:
    """Return a hint for an unknown attribute of a value."""
    return closest(name, known) or (f"it has {', '.join(known)}" if known else None)


def about_table(owner: Namespace) -> str | None:
    """Return a hint for an unknown name of a namespace that is similar to none of its names."""
    names = [name for name in owner.table if not name.startswith("_")]
    return (
        f"it has {', '.join(names)}" if 0 < len(names) < 20 else f"dir({owner.name}) lists its names" if names else None
    )


def about_comparison(op: type) -> str:
    """Return a hint for a comparison that expressions do not support."""
    return "write == or !=" if op in (ast.Is, ast.IsNot) else "compare with each of them: x == 1 or x == 2"


def about_construct(node: ast.AST) -> str | None:
    """Return a hint for unsupported Python syntax."""
    return _STATEMENTS.get(type(node))


def about_loop(value: object) -> str:
    """Return a hint for a value that `for` cannot iterate over."""
    if isinstance(value, int):
        return f"write range({value})"
    if isinstance(value, Var):
        return f"write range({value.name})"
    if isinstance(value, Buffer):
        return f"iterate over the indices: for i in range({value.shape[0] if value.shape else 1})"
    return _LOOPS


def about_context(value: object) -> str:
    """Return a hint for a value that `with` cannot use."""
    if isinstance(value, Builtin):
        return f"call it: with {value.name}(...):"
    return "write for i in ..." if isinstance(value, Loops) else _CONTEXTS


def about_statement(value: object) -> str | None:
    """Return a hint for a value that is not a statement."""
    if isinstance(value, Builtin):
        return f"call it: {value.name}(...)"
    if isinstance(value, Loops):
        return "write for i in ...:"
    return expression_hint(value)


def about_call(value: object) -> str | None:
    """Return a hint for a value that cannot be called."""
    if isinstance(value, PrimFunc):
        return "put both functions into one class under @I.ir_module, and call it by the name of the class"
    return expression_hint(value) if isinstance(value, Buffer) else None


def about_annotation(value: object) -> str | None:
    """Return a hint for a value that is not a type."""
    if isinstance(value, Builtin) and value.name in _TYPES:
        return f"write {_TYPES[value.name]}"
    if isinstance(value, str):
        return f"write {value} without quotation marks"
    return None


def about_assignment(value: object) -> str | None:
    """Return a hint for a value that cannot be assigned."""
    if isinstance(value, Loops):
        return "write for i in ...:"
    if isinstance(value, Frame):
        return "write with ...:"
    if isinstance(value, Lambda):
        return "write the expression where it is used, or define a macro"
    if isinstance(value, Var) and value.dtype.is_handle:
        return f"create a buffer: T.Buffer(shape, dtype, data={value.name}), or T.match_buffer({value.name}, ...)"
    return None


def about_arguments(function: Builtin, args: Sequence[object]) -> str | None:
    """Return a hint for a buffer among arguments that do not match."""
    for arg in args:
        if isinstance(arg, Buffer):
            return f"write {arg.name}.shape[0]" if function.name == "len" else expression_hint(arg)
    return None


def expression_hint(value: object) -> str | None:
    """Return a hint for a value that is not an expression."""
    if isinstance(value, Buffer):
        return f"write an element of it: {value.name}[{', '.join('...' for _ in value.shape)}]"
    if isinstance(value, (tuple, list)) and value:
        return f"it has {len(value)} elements: unpack it, or index it with [0]"
    if isinstance(value, GlobalVar):
        return f"call it: {value.name_hint}(...)"
    return f"call it: {value.name}(...)" if isinstance(value, Builtin) else None


def explain_mismatch(
    function: Builtin, args: list[object], kwargs: Mapping[str, object]
) -> tuple[str | None, str | None]:
    """Return why arguments do not match the signature, and a hint; (None, None) if they match."""
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
            f"the signature is {function.name}{format_signature(signature)}"
        )
    return None, None


def refused_call(
    tree: SourceTree, node: object, error: TVMScriptError, args: list[object], kwargs: Mapping[str, object]
) -> Refused:
    """Convert an error of a call to a diagnostic at the argument that caused it, or at the call."""
    diagnostic = refused(error, tree.span(node))
    if not isinstance(node, ast.Call) or not isinstance(error, (WrongType, InvalidDType, InvalidAttribute)):
        return diagnostic
    written = [*zip(node.args, args, strict=False)] if not any(isinstance(a, ast.Starred) for a in node.args) else []
    written += [(word.value, kwargs[word.arg]) for word in node.keywords if word.arg is not None and word.arg in kwargs]
    got = str(next(iter(error.facts[key] for key in ("got", "name", "value") if key in error.facts)))
    candidates = [(part, value) for part, value in written if _matches_operand(value, got)]
    if len(candidates) == 1:
        part, value = candidates[0]
        diagnostic.span = tree.span(part)
        diagnostic.hint = diagnostic.hint or (expression_hint(value) if isinstance(value, (Buffer, Builtin)) else None)
    return diagnostic


def point_at_index(tree: SourceTree, error: Refused, node: ast.expr, indices: Sequence[object]) -> None:
    """Move an error about one index to the span of that index."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    got = str(error.facts["reason"]).rpartition("but got ")[2]
    if not str(error.facts["reason"]).startswith("an index") or len(parts) != len(indices):
        return
    candidates = [
        part for part, index in zip(parts, indices, strict=True) if isinstance(index, Expr) and index.dtype == got
    ]
    if len(candidates) == 1:
        error.span = tree.span(candidates[0])


def _matches_operand(value: object, got: str) -> bool:
    """Whether an error with the operand `got` refers to this argument."""
    if isinstance(value, Expr):
        return got in (value.dtype, getattr(value, "name", None)) or (len(got) < 100 and got == repr(value))
    if isinstance(value, Buffer):
        return got == value.name
    if isinstance(value, (tuple, list)):
        return any(_matches_operand(item, got) for item in value) or got == repr(value)
    if isinstance(value, Mapping):
        return any(_matches_operand(item, got) for item in value.values()) or got in (
            repr(value),
            *(f"the key {key!r}" for key in value),
        )
    return got == repr(value)
