"""The definitions of a Python file, found and read without running it.

A definition may stand anywhere: in a function, in a class of tests. It is read as a text, together with what it uses
of the file around it: imports of the script's names, constants that are written out, macros, other definitions.
What it needs beyond that (`Definition.needs`) only Python knows.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tvmscript.ir.core.errors import DiagnosticError
from tvmscript.parser.entry import read_program
from tvmscript.parser.global_names import ROOTS, TEXT_ROOTS
from tvmscript.parser.names.namespace import Namespace
from tvmscript.parser.programs import Program, ProgramParser
from tvmscript.parser.reader import Session
from tvmscript.parser.source.header import Header
from tvmscript.parser.source.tree import SourceTree

DefinitionNode: TypeAlias = ast.FunctionDef | ast.ClassDef

#: last names of decorators -> whether what they decorate is a program
_DECORATORS: Final = {"prim_func": True, "ir_module": True, "function": True, "macro": False}
#: what constants that are written out consist of
_LITERAL = (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.UnaryOp, ast.BinOp, ast.Name, ast.operator, ast.unaryop,
            ast.expr_context)  # fmt: skip
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True, eq=False)
class Definition:
    """A function or module of a file."""

    name: str
    node: DefinitionNode
    #: statements of the file that stand before it when it is read, in their order
    context: tuple[ast.stmt, ...]
    #: names of constants, macros and definitions around it, which are written out when it is read
    captures: tuple[str, ...]
    #: names of the Python around it that a text cannot know
    needs: tuple[str, ...]

    @property
    def first_line(self) -> int:
        """The line of its first decorator, from 1."""
        return _first_line(self.node)

    def last_line(self, lines: Sequence[str]) -> int:
        """Its last line in those of the file, with the comments below that are indented into it."""
        last = end = _last_line(self.node)
        for line in lines[end:]:
            end += 1
            content = line.lstrip(" \t\f")
            if content.startswith("#") and len(line) - len(content) > self.node.col_offset:
                last = end
            elif content.strip():
                break
        return last


def definitions_of(tree: SourceTree) -> list[Definition]:
    """The functions and modules of a file, in its order, wherever they stand."""
    return _Finder(tree).found


def is_python(tree: SourceTree) -> bool:
    """Whether the file imports TVM or this package: then other Python may stand around its definitions."""
    return any(isinstance(node, ast.Import | ast.ImportFrom) and _is_ours(node) for node in ast.walk(tree.tree))


def read_definition(tree: SourceTree, definition: Definition, check_well_formed: bool = True) -> Program:
    """The program of a definition that needs no Python. Raises `DiagnosticError`."""
    first, last = definition.first_line, definition.last_line(tree.source.lines)
    used = [node for node in definition.context if not isinstance(node, ast.Import | ast.ImportFrom)]
    if used:
        first, last = min(first, *[_first_line(node) for node in used]), max(last, *[_last_line(node) for node in used])
    return read_program(tree.part([*definition.context, definition.node], first, last), check_well_formed)[
        definition.name
    ]


def language_names(tree: SourceTree) -> dict[str, str]:
    """How a file calls the language: `{"T": "T", "I": "ir"}` after `from tvmscript.script import ir, tir as T`.

    `Annotated`, which annotations may use, counts too.
    """
    reader = ProgramParser(Session(tree, Header(), TEXT_ROOTS))
    for node in ast.walk(tree.tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                _import(reader, node, alias)
    known: dict[str, str] = {}
    for name, value in reader.scope.names.items():
        if isinstance(value, Namespace):
            known[value.name] = name
        elif value is ROOTS["Annotated"]:
            known["Annotated"] = name
    return known


def _import(reader: ProgramParser, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> ast.stmt | None:
    """Let the reader import one name; what it has read, None for what a text cannot import."""
    alone = copy.copy(node)
    alone.names = [alias]
    try:
        if isinstance(alone, ast.Import):
            reader.import_(alone)
        else:
            reader.import_from(alone)
    except DiagnosticError:
        return None
    return alone


@dataclass(eq=False)
class _Scope:
    """Names of a module, function or class, with the statements that bind them."""

    outer: _Scope | None
    bindings: dict[str, list[ast.AST]]

    def find(self, name: str) -> tuple[_Scope, list[ast.AST]] | None:
        scope: _Scope | None = self
        while scope is not None:
            if name in scope.bindings:
                return scope, scope.bindings[name]
            scope = scope.outer
        return None


class _Finder:
    def __init__(self, tree: SourceTree) -> None:
        self.reader = ProgramParser(Session(tree, Header(), TEXT_ROOTS))
        self.has_star = any(
            isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in ast.walk(tree.tree)
        )
        self.found: list[Definition] = []
        self._scan(tree.tree.body, _Scope(None, _bindings(tree.tree.body)))

    def _scan(self, body: list[ast.stmt], scope: _Scope) -> None:
        for node in _statements(body):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and (kind := self._decorated(node, scope)) is not None:
                if kind:
                    self.found.append(self._definition(node, scope))
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                inner = _Scope(scope, _bindings(node.body))
                for item in _arguments(node):
                    inner.bindings.setdefault(item, []).append(node)
                self._scan(node.body, inner)
            elif isinstance(node, ast.ClassDef):
                self._scan(node.body, _Scope(scope, _bindings(node.body)))

    def _decorated(self, node: DefinitionNode, scope: _Scope) -> bool | None:
        """Whether a decorated statement is a program; None where the decorator is not ours."""
        for item in node.decorator_list:
            target: ast.expr = item.func if isinstance(item, ast.Call) else item
            last = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
            while isinstance(target, ast.Attribute):
                target = target.value
            if last in _DECORATORS and isinstance(target, ast.Name) and self._is_language(target.id, scope):
                return _DECORATORS[last]
        return None

    def _is_language(self, name: str, scope: _Scope) -> bool:
        found = scope.find(name)
        if found is None:
            return name in ROOTS
        return any(isinstance(node, ast.Import | ast.ImportFrom) and _is_ours(node) for node in found[1])

    def _definition(self, node: DefinitionNode, scope: _Scope) -> Definition:
        context: dict[ast.stmt, None] = {}
        captures: list[str] = []
        needs: list[str] = []
        for name in _free(node):
            if not self._add(name, scope, context, (node,)):
                needs.append(name)
            elif (found := scope.find(name)) and not (
                isinstance(found[1][0], ast.Import | ast.ImportFrom) or _is_size(found[1][0])
            ):
                captures.append(name)
        in_order = sorted(context, key=lambda item: item.lineno)
        return Definition(node.name, node, tuple(in_order), tuple(captures), tuple(needs))

    def _add(self, name: str, scope: _Scope, context: dict[ast.stmt, None], users: tuple[ast.AST, ...]) -> bool:
        """Add to the context what a name stands for; False where a text cannot know it."""
        found = scope.find(name)
        if found is None:
            # what nothing defines is an error, which the parser words
            return name in TEXT_ROOTS or not (self.has_star or hasattr(builtins, name))
        where, nodes = found
        if len(nodes) != 1 or nodes[0] in users:
            return False
        (node,) = nodes
        if isinstance(node, ast.Import | ast.ImportFrom):
            return self._add_import(name, node, context)
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and self._decorated(node, where) is not None:
            used = _free(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and (_is_literal(node) or _is_size(node)):
            used = [item.id for item in ast.walk(node.value or node) if isinstance(item, ast.Name)]
        else:
            return False
        if not all(self._add(item, where, context, (*users, node)) for item in used):
            return False
        context[node] = None
        return True

    def _add_import(self, name: str, node: ast.Import | ast.ImportFrom, context: dict[ast.stmt, None]) -> bool:
        """Add the part of an import that binds the name, where a text may have it."""
        alias = next((item for item in node.names if name in (item.asname, item.name.partition(".")[0])), None)
        if alias is None:
            return False
        alone = _import(self.reader, node, alias)
        if alone is not None:
            context[alone] = None
        return alone is not None


def _first_line(node: ast.stmt) -> int:
    """The line of a statement, or of its first decorator."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *[item.lineno for item in decorators]])


def _last_line(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _is_ours(node: ast.Import | ast.ImportFrom) -> bool:
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    level = 0 if isinstance(node, ast.Import) else node.level
    return level == 0 and any(name.partition(".")[0] in ("tvm", "tvmscript") for name in names)


def _is_literal(node: ast.Assign | ast.AnnAssign) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return (
        node.value is not None
        and all(isinstance(target, ast.Name) for target in targets)
        and all(isinstance(item, _LITERAL) for item in ast.walk(node.value))
    )


def _is_size(node: ast.AST) -> bool:
    """Whether a statement is `n = TypeVar("n")`, which TVM 0.27 declares a size with."""
    value = node.value if isinstance(node, ast.Assign) else None
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "TypeVar"


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a scope, those in branches and loops too, but not those of functions and classes in it."""
    for node in body:
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for field in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(node, field, []))
            for part in [*getattr(node, "handlers", []), *getattr(node, "cases", [])]:
                yield from _statements(part.body)


def _bindings(body: list[ast.stmt]) -> dict[str, list[ast.AST]]:
    """Which statements of a scope bind which names."""
    found: dict[str, list[ast.AST]] = {}
    for node in _statements(body):
        for name in _bound_by(node):
            found.setdefault(name, []).append(node)
    return found


def _bound_by(node: ast.AST) -> list[str]:
    """The names that a statement binds in its scope, without the statements in it."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name.partition(".")[0] for alias in node.names]
    names: list[str] = []
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, ast.Name) and not isinstance(item.ctx, ast.Load):
            names.append(item.id)
        stack += [child for child in ast.iter_child_nodes(item) if not isinstance(child, ast.stmt | ast.Lambda)]
    return names


def _arguments(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[str]:
    given = node.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return [item.arg for item in every if item is not None]


def _free(node: Any) -> list[str]:
    """The names that a definition uses and does not define, in the order of the text."""
    if isinstance(node, ast.ClassDef):
        own = {node.name, "cls", *_bindings(node.body)}
        parts: list[ast.AST] = [*node.decorator_list, *node.bases, *node.body]
    else:
        own = {*_arguments(node), *(_bindings(node.body) if isinstance(node.body, list) else ())}
        parts = list(ast.iter_child_nodes(node))
    used: dict[str, None] = {}
    parts.reverse()
    while parts:
        item = parts.pop()
        if isinstance(item, _FUNCTIONS):
            used.update(dict.fromkeys(_free(item)))
            continue
        if isinstance(item, ast.Name):
            if isinstance(item.ctx, ast.Load):
                used[item.id] = None
            else:
                own.add(item.id)
        parts += reversed(list(ast.iter_child_nodes(item)))
    return [name for name in used if name not in own]
