"""Definitions in a Python file, parsed without executing it.

A definition may be nested in functions and classes. It is parsed together with the statements it uses: imports of the
script's names, literal constants, macros, other definitions. Other names it uses are listed in `Definition.needs`.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tvmscript.ir.core import DiagnosticError
from tvmscript.parser.entry import read_program
from tvmscript.parser.global_names import ROOTS, TEXT_ROOTS
from tvmscript.parser.names.namespace import Namespace
from tvmscript.parser.programs import Program, ProgramParser
from tvmscript.parser.reader import Session
from tvmscript.parser.source.header import Header
from tvmscript.parser.source.tree import SourceTree

DefinitionNode: TypeAlias = ast.FunctionDef | ast.ClassDef

#: decorator -> whether it decorates a program
_DECORATORS: Final = {"prim_func": True, "ir_module": True, "function": True, "macro": False}
#: nodes of literal constants
_LITERAL = (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.UnaryOp, ast.BinOp, ast.Name, ast.operator, ast.unaryop,
            ast.expr_context)  # fmt: skip
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True, eq=False)
class Definition:
    """A function or module of a file."""

    name: str
    node: DefinitionNode
    #: statements of the file that are parsed before it, in source order
    context: tuple[ast.stmt, ...]
    #: constants, macros and definitions of the file that it uses
    captures: tuple[str, ...]
    #: names whose values are known only to Python
    needs: tuple[str, ...]

    @property
    def first_line(self) -> int:
        """Line of its first decorator, from 1."""
        return _first_line(self.node)

    def last_line(self, lines: Sequence[str]) -> int:
        """Return its last line, including trailing comments that are indented into it."""
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
    """Return the functions and modules of a file in source order."""
    return _Finder(tree).definitions


def is_python(tree: SourceTree) -> bool:
    """Whether the file is a Python module: it imports TVM or this package."""
    return any(isinstance(node, (ast.Import, ast.ImportFrom)) and _imports_script(node) for node in ast.walk(tree.tree))


def read_definition(
    tree: SourceTree, definition: Definition, check_well_formed: bool = True, *, keep_names: bool = False
) -> Program:
    """Return the program of a definition that needs no Python. Raises `DiagnosticError`."""
    first, last = definition.first_line, definition.last_line(tree.source.lines)
    used = [node for node in definition.context if not isinstance(node, (ast.Import, ast.ImportFrom))]
    if used:
        first, last = min(first, *[_first_line(node) for node in used]), max(last, *[_last_line(node) for node in used])
    return read_program(
        tree.part([*definition.context, definition.node], first, last), check_well_formed, keep_names=keep_names
    )[definition.name]


def language_names(tree: SourceTree) -> dict[str, str]:
    """Return the aliases of a file: `{"T": "T", "I": "ir"}` after `from tvmscript.script import ir, tir as T`.

    They include `Annotated`.
    """
    parser = ProgramParser(Session(tree, Header(), TEXT_ROOTS))
    for node in ast.walk(tree.tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                _import(parser, node, alias)
    names: dict[str, str] = {}
    for name, value in parser.scope.names.items():
        if isinstance(value, Namespace):
            names[value.name] = name
        elif value is ROOTS["Annotated"]:
            names["Annotated"] = name
    return names


def _import(parser: ProgramParser, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> ast.stmt | None:
    """Import one name. Return its import statement, or None if a text cannot import it."""
    single = copy.copy(node)
    single.names = [alias]
    try:
        if isinstance(single, ast.Import):
            parser.import_(single)
        else:
            parser.import_from(single)
    except DiagnosticError:
        return None
    return single


@dataclass(eq=False)
class _Scope:
    """Names of a module, function or class -> the statements that bind them."""

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
        self.parser = ProgramParser(Session(tree, Header(), TEXT_ROOTS))
        self.has_star = any(
            isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in ast.walk(tree.tree)
        )
        self.definitions: list[Definition] = []
        self._scan(tree.tree.body, _Scope(None, _bindings(tree.tree.body)))

    def _scan(self, body: list[ast.stmt], scope: _Scope) -> None:
        for node in _statements(body):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and (kind := self._decorated(node, scope)) is not None:
                if kind:
                    self.definitions.append(self._definition(node, scope))
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                inner = _Scope(scope, _bindings(node.body))
                for item in _parameters(node):
                    inner.bindings.setdefault(item, []).append(node)
                self._scan(node.body, inner)
            elif isinstance(node, ast.ClassDef):
                self._scan(node.body, _Scope(scope, _bindings(node.body)))

    def _decorated(self, node: DefinitionNode, scope: _Scope) -> bool | None:
        """Whether a decorated statement is a program, or None without a script decorator."""
        for item in node.decorator_list:
            target: ast.expr = item.func if isinstance(item, ast.Call) else item
            last = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
            while isinstance(target, ast.Attribute):
                target = target.value
            if last in _DECORATORS and isinstance(target, ast.Name) and self._is_language(target.id, scope):
                return _DECORATORS[last]
        return None

    def _is_language(self, name: str, scope: _Scope) -> bool:
        binding = scope.find(name)
        if binding is None:
            return name in ROOTS
        return any(isinstance(node, (ast.Import, ast.ImportFrom)) and _imports_script(node) for node in binding[1])

    def _definition(self, node: DefinitionNode, scope: _Scope) -> Definition:
        context: dict[ast.stmt, None] = {}
        captures: list[str] = []
        needs: list[str] = []
        for name in _free_names(node):
            if not self._add(name, scope, context, (node,)):
                needs.append(name)
            elif (binding := scope.find(name)) and not (
                isinstance(binding[1][0], (ast.Import, ast.ImportFrom)) or _is_size_declaration(binding[1][0])
            ):
                captures.append(name)
        in_order = sorted(context, key=lambda item: item.lineno)
        return Definition(node.name, node, tuple(in_order), tuple(captures), tuple(needs))

    def _add(self, name: str, scope: _Scope, context: dict[ast.stmt, None], users: tuple[ast.AST, ...]) -> bool:
        """Add the definition of a name to the context. Return False if it is known only to Python."""
        binding = scope.find(name)
        if binding is None:
            # for an undefined name the parser reports an error
            return name in TEXT_ROOTS or not (self.has_star or hasattr(builtins, name))
        where, nodes = binding
        if len(nodes) != 1 or nodes[0] in users:
            return False
        (node,) = nodes
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return self._add_import(name, node, context)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and self._decorated(node, where) is not None:
            used = _free_names(node)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and (_is_literal(node) or _is_size_declaration(node)):
            used = [item.id for item in ast.walk(node.value or node) if isinstance(item, ast.Name)]
        else:
            return False
        if not all(self._add(item, where, context, (*users, node)) for item in used):
            return False
        context[node] = None
        return True

    def _add_import(self, name: str, node: ast.Import | ast.ImportFrom, context: dict[ast.stmt, None]) -> bool:
        """Add the part of an import that binds the name. Return False if a text cannot import it."""
        alias = next((item for item in node.names if name in (item.asname, item.name.partition(".")[0])), None)
        if alias is None:
            return False
        single = _import(self.parser, node, alias)
        if single is not None:
            context[single] = None
        return single is not None


def _first_line(node: ast.stmt) -> int:
    """Return the line of a statement, or of its first decorator."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *[item.lineno for item in decorators]])


def _last_line(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _imports_script(node: ast.Import | ast.ImportFrom) -> bool:
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


def _is_size_declaration(node: ast.AST) -> bool:
    """Whether a statement is `n = TypeVar("n")`, the declaration of a size in TVM 0.27."""
    value = node.value if isinstance(node, ast.Assign) else None
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "TypeVar"


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a scope, including those in branches and loops."""
    for node in body:
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for field in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(node, field, []))
            for part in [*getattr(node, "handlers", []), *getattr(node, "cases", [])]:
                yield from _statements(part.body)


def _bindings(body: list[ast.stmt]) -> dict[str, list[ast.AST]]:
    """Return name -> statements that bind it, in one scope."""
    bindings: dict[str, list[ast.AST]] = {}
    for node in _statements(body):
        for name in _bound_names(node):
            bindings.setdefault(name, []).append(node)
    return bindings


def _bound_names(node: ast.AST) -> list[str]:
    """Return the names that a statement binds, without the statements nested in it."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [alias.asname or alias.name.partition(".")[0] for alias in node.names]
    names: list[str] = []
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, ast.Name) and not isinstance(item.ctx, ast.Load):
            names.append(item.id)
        stack += [child for child in ast.iter_child_nodes(item) if not isinstance(child, (ast.stmt, ast.Lambda))]
    return names


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[str]:
    given = node.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return [item.arg for item in every if item is not None]


def _free_names(node: Any) -> list[str]:
    """Return the free names of a definition in source order."""
    if isinstance(node, ast.ClassDef):
        own = {node.name, "cls", *_bindings(node.body)}
        parts: list[ast.AST] = [*node.decorator_list, *node.bases, *node.body]
    else:
        own = {*_parameters(node), *(_bindings(node.body) if isinstance(node.body, list) else ())}
        parts = list(ast.iter_child_nodes(node))
    used: dict[str, None] = {}
    parts.reverse()
    while parts:
        item = parts.pop()
        if isinstance(item, _FUNCTIONS):
            used.update(dict.fromkeys(_free_names(item)))
            continue
        if isinstance(item, ast.Name):
            if isinstance(item.ctx, ast.Load):
                used[item.id] = None
            else:
                own.add(item.id)
        parts += reversed(list(ast.iter_child_nodes(item)))
    return [name for name in used if name not in own]
