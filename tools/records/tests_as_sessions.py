"""Write tests as sessions: what a test asserts is an expression whose value is recorded.

A session has the definitions that the test needs, and calls it with each of its parameters. Tests that need more of
pytest than parameters, fixtures of their file, `monkeypatch`, `tmp_path` and `capsys` are left out.
"""

from __future__ import annotations

import ast
import importlib
import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

#: parameters of a test that are tried
_MOST: Final = 40
#: characters of a session
_LONGEST: Final = 9000
#: fixtures of pytest -> what a session has
_FIXTURES: Final = {"monkeypatch": "patches", "tmp_path": "folder", "capsys": "printed"}


class NotASession(Exception):
    """A test needs what a session does not have."""


@dataclass(frozen=True)
class Case:
    """A test with parameters: the statements that it needs, by module and place, and its call."""

    module: str
    needed: frozenset[tuple[str, int]]
    call: str

    @property
    def text(self) -> str:
        """The session."""
        return write([self])


class _File:
    """The statements of a module of tests, and what they define."""

    def __init__(self, module: str) -> None:
        path = Path(*module.split("."))
        file = path.with_suffix(".py") if path.with_suffix(".py").exists() else path / "__init__.py"
        self.module = module
        self.statements = ast.parse(file.read_text("utf-8")).body
        self.places: dict[str, int] = {}
        self.effects: list[int] = []
        for place, statement in enumerate(self.statements):
            names = list(_defined(statement))
            for name in names:
                self.places[name] = place
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                self.effects.append(place)


_file = cache(_File)


def _defined(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (each.asname or each.name.partition(".")[0] for each in names)
        case ast.Assign(targets=targets):
            yield from (node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case _:
            pass


def cases(module: str) -> Iterator[Case]:
    """Enumerate the tests of a module with their parameters."""
    file = _file(module)
    loaded = importlib.import_module(module)
    automatic = [each for each in file.statements if isinstance(each, ast.FunctionDef) and _is_automatic(each)]
    for statement in file.statements:
        if isinstance(statement, ast.FunctionDef) and statement.name.startswith("test_"):
            try:
                prefix = "".join(f"{_fixture(file, each, '')}\n" for each in automatic)
                for arguments in itertools.islice(_arguments(statement, getattr(loaded, statement.name)), _MOST):
                    given = [
                        *arguments,
                        *(f"{each}={_given(file, each)}" for each in _names(statement) if not _has(arguments, each)),
                    ]
                    call = f"{prefix}{statement.name}({', '.join(given)})"
                    yield Case(module, frozenset(_closure(module, call)), call)
            except (NotASession, SyntaxError):
                continue


def _is_automatic(function: ast.FunctionDef) -> bool:
    return any("fixture" in (text := ast.unparse(each)) and "autouse=True" in text for each in function.decorator_list)


def _names(function: ast.FunctionDef) -> list[str]:
    return [each.arg for each in [*function.args.args, *function.args.kwonlyargs]]


def _has(arguments: Sequence[str], name: str) -> bool:
    return any(each.startswith(f"{name}=") or f"'{name}'" in each.partition("zip(")[2] for each in arguments)


def _given(file: _File, name: str) -> str:
    """Return an expression for a fixture."""
    if name in _FIXTURES:
        return _FIXTURES[name]
    place = file.places.get(name)
    if place is None or not isinstance(function := file.statements[place], ast.FunctionDef):
        raise NotASession(name)
    return _fixture(file, function, "")


def _fixture(file: _File, function: ast.FunctionDef, parameter: str) -> str:
    given: list[str] = []
    for name in _names(function):
        if name == "request":
            parameter = next(
                (ast.unparse(key.value.elts[0]) for each in function.decorator_list if isinstance(each, ast.Call)
                 for key in each.keywords if key.arg == "params" and isinstance(key.value, ast.List | ast.Tuple)), ""
            )  # fmt: skip
            if not parameter:
                raise NotASession(name)
            given.append(f"request=type('Request', (), {{'param': {parameter}}})")
        else:
            given.append(f"{name}={_given(file, name)}")
    call = f"{function.name}({', '.join(given)})"
    has_yield = any(isinstance(each, ast.Yield) for each in ast.walk(function))
    return f"enter({call})" if has_yield else call


def _arguments(function: ast.FunctionDef, loaded: Any) -> Iterator[list[str]]:
    """Enumerate the arguments of the parameters of a test."""
    marks = [each for each in getattr(loaded, "pytestmark", []) if each.name == "parametrize"]
    if any(each.name in ("skip", "skipif", "xfail") for each in getattr(loaded, "pytestmark", [])):
        return
    decorators = [each for each in function.decorator_list if "parametrize" in ast.unparse(each)]
    if len(decorators) != len(marks):
        raise NotASession("parameters of another name")
    sets = [
        _parameters(mark, decorator.args)
        for mark, decorator in zip(reversed(marks), decorators, strict=True)
        if isinstance(decorator, ast.Call)
    ]
    for choice in itertools.product(*sets):
        yield [argument for arguments in choice for argument in arguments]


def _parameters(mark: Any, nodes: Sequence[ast.expr]) -> list[list[str]]:
    """Return the arguments of each set of parameters."""
    names, values = mark.args
    names = [each.strip() for each in names.split(",")] if isinstance(names, str) else list(names)
    values = list(values)
    literal = nodes[1]
    if isinstance(literal, ast.List | ast.Tuple) and not any(isinstance(each, ast.Starred) for each in literal.elts):
        return [_argument(names, each) for each in literal.elts]
    if any(hasattr(each, "marks") for each in values):
        raise NotASession("pytest.param")
    expression = ast.unparse(literal)
    return [
        [
            f"{names[0]}=[*{expression}][{number}]"
            if len(names) == 1
            else f"**dict(zip({tuple(names)!r}, [*{expression}][{number}]))"
        ]
        for number in range(len(values))
    ]


def _argument(names: Sequence[str], node: ast.expr) -> list[str]:
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.param":
        parts = node.args
    elif len(names) > 1 and isinstance(node, ast.Tuple | ast.List):
        parts = node.elts
    else:
        parts = [node]
    if len(parts) != len(names):
        return [f"**dict(zip({tuple(names)!r}, {ast.unparse(node)}))"]
    return [f"{name}={ast.unparse(part)}" for name, part in zip(names, parts, strict=True)]


def _closure(module: str, call: str) -> set[tuple[str, int]]:
    """Return the statements that a call needs."""
    needed: set[tuple[str, int]] = set()
    effects = {(module, place) for place in _file(module).effects}
    pending = [(module, name) for name in _used(ast.parse(call))]
    while pending or effects:
        while pending:
            home, name = pending.pop()
            place = _file(home).places.get(name)
            if place is None or (home, place) in needed:
                continue
            statement = _file(home).statements[place]
            if isinstance(statement, ast.ImportFrom) and (statement.module or "").split(".")[0] == "tests":
                source = next(each.name for each in statement.names if (each.asname or each.name) == name)
                if source != name or source not in _file(str(statement.module)).places:
                    raise NotASession(f"{statement.module}.{source}")
                pending.append((str(statement.module), source))
                continue
            needed.add((home, place))
            pending += [(home, each) for each in _used(_session_statement(statement))]
        # statements that register something, where what they name is needed
        for each in sorted(effects):
            names = _used(_file(each[0]).statements[each[1]])
            if any((each[0], _file(each[0]).places.get(name, -1)) in needed for name in names):
                needed.add(each)
                pending += [(each[0], name) for name in names]
                effects.discard(each)
                break
        else:
            break
    bound = [name for home, place in needed for name in _defined(_file(home).statements[place])
             if not isinstance(_file(home).statements[place], ast.Import | ast.ImportFrom)]  # fmt: skip
    if len(bound) != len(set(bound)):
        raise NotASession("two definitions of a name")
    return needed


def _used(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def write(chosen: Sequence[Case]) -> str:
    """Write tests of a module as one session. Raises `NotASession`."""
    needed = {each for case in chosen for each in case.needed}
    modules = sorted({module for module, _ in needed}, key=lambda module: (_depth(module, chosen[0].module), module))
    places = [
        (module, place) for module in modules for place in sorted(place for home, place in needed if home == module)
    ]
    statements = [_session_statement(_file(module).statements[place]) for module, place in places]
    body = [each for each in statements if not isinstance(each, ast.Import | ast.ImportFrom)]
    calls = [*dict.fromkeys(each.call for each in chosen)]
    used = {name for each in [*body, *map(ast.parse, calls)] for name in _used(each)}
    imports = [_import(each, used) for each in statements if isinstance(each, ast.Import | ast.ImportFrom)]
    text = "\n".join([*dict.fromkeys(filter(None, imports)), *map(ast.unparse, body), *calls]) + "\n"
    if any(word in text for word in ("pytest", "__file__", "from tests", "import tests")):
        raise NotASession("it needs more of pytest, or files")
    return text


def _import(statement: ast.Import | ast.ImportFrom, used: Collection[str]) -> str:
    """Write an import of the names that are used."""
    names = [each for each in statement.names if (each.asname or each.name.partition(".")[0]) in used]
    if not names:
        return ""
    if isinstance(statement, ast.Import):
        return ast.unparse(ast.Import(names))
    return ast.unparse(ast.ImportFrom(statement.module, names, statement.level))


def _depth(module: str, last: str) -> int:
    """Return a number that orders modules: those that others import from come first."""
    return -_reach(last).index(module) if module in _reach(last) else -1000


@cache
def _reach(module: str) -> list[str]:
    order: list[str] = []

    def visit(name: str) -> None:
        if name in order:
            order.remove(name)
        order.append(name)
        for statement in _file(name).statements:
            if isinstance(statement, ast.ImportFrom) and (statement.module or "").split(".")[0] == "tests":
                visit(str(statement.module))

    visit(module)
    return order


class _Session(ast.NodeTransformer):
    """Turn assertions into expressions, and `pytest.raises` into `errors`."""

    def visit_Assert(self, node: ast.Assert) -> Any:
        text = ast.unparse(node.test)
        if "caplog" in text or text.startswith("isinstance(") or text.endswith(" is not None"):
            return ast.Pass()
        operands = [node.test.left, *node.test.comparators] if isinstance(node.test, ast.Compare) else [node.test]
        seen = [each for each in operands if not _is_constant(each)]
        return [ast.Expr(each) for each in seen] or ast.Pass()

    def visit_With(self, node: ast.With) -> Any:
        self.generic_visit(node)
        for item in node.items:
            call = item.context_expr
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.raises":
                item.context_expr = ast.Name("errors", ast.Load())
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if ast.unparse(node.func) == "pytest.importorskip" and "tests." not in ast.unparse(node.args[0]):
            return ast.Call(ast.parse("__import__('importlib').import_module", mode="eval").body, node.args, [])
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        if any(text.startswith(("T.", "R.", "I.")) for text in map(ast.unparse, node.decorator_list)):
            return node
        node.decorator_list = [each for each in node.decorator_list if "pytest" not in ast.unparse(each)]
        if not node.decorator_list:
            node.returns = None
            for each in [*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs]:
                each.annotation = None
            for other in (node.args.vararg, node.args.kwarg):
                if other is not None:
                    other.annotation = None
        self.generic_visit(node)
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None or not isinstance(node.target, ast.Name):
            return node
        return node if self._is_class else ast.Assign([node.target], self.visit(node.value), lineno=0)

    _is_class = False

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        if any(text.startswith(("T.", "R.", "I.")) for text in map(ast.unparse, node.decorator_list)):
            return node
        before, self._is_class = self._is_class, True
        self.generic_visit(node)
        self._is_class = before
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        return node


def _is_constant(node: ast.expr) -> bool:
    return all(
        isinstance(each, ast.Constant | ast.Tuple | ast.List | ast.Dict | ast.UnaryOp | ast.USub | ast.Load | ast.Set)
        or (isinstance(each, ast.Call) and ast.unparse(each.func) == "pytest.approx")
        or (isinstance(each, (ast.Name, ast.Attribute)) and ast.unparse(each) in ("pytest", "pytest.approx"))
        for each in ast.walk(node)
    )


@cache
def _parsed(text: str) -> ast.stmt:
    statement: ast.stmt = _Session().visit(ast.parse(text).body[0])
    return ast.fix_missing_locations(statement)


def _session_statement(statement: ast.stmt) -> ast.stmt:
    return _parsed(ast.unparse(statement))


def sessions(folder: Path) -> Iterator[str]:
    """Write the tests below a folder as scripts."""
    for file in sorted(folder.rglob("test_*.py")):
        for session in pack([case for case in cases(".".join(file.with_suffix("").parts)) if _is_session(case)]):
            yield f"from tvmscript.fuzz.records.sessions import check_session\n\ncheck_session({session!r})\n"


def _is_session(case: Case) -> bool:
    try:
        return len(case.text) < _LONGEST
    except NotASession:
        return False


def pack(chosen: Sequence[Case]) -> Iterator[str]:
    """Write chosen tests as few sessions: those of a module together, as long as these stay short."""
    by_module: dict[str, list[Case]] = {}
    for each in chosen:
        by_module.setdefault(each.module, []).append(each)
    for same in by_module.values():
        group: list[Case] = []
        for each in same:
            try:
                is_short = len(write([*group, each])) < _LONGEST
            except NotASession:
                is_short = False
            if group and not is_short:
                yield write(group)
                group = []
            group.append(each)
        yield write(group)
