"""Run Python as an interactive session does, and observe the value of each expression, and each error.

check_session('''
module = tvm.lower(from_source(TEXT))
module.script()              # is observed
with errors:
    module["other"]          # so is the error
''')
"""

from __future__ import annotations
import __future__

import ast
import io
import linecache
import os
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, redirect_stdout
from pathlib import Path
from types import SimpleNamespace, TracebackType
from typing import Any, Final, Self
from unittest import mock

import numpy as np

from tvmscript.backends.runtime.array import NDArray
from tvmscript.fuzz.observing import observe, observe_error
from tvmscript.fuzz.records.outcomes import describe
from tvmscript.ir.core import IRModule, Node

_FILE: Final = "<session>"
#: digits of floats: those beyond differ between machines
_DIGITS: Final = 5
#: numbers from the first one on, and before the second one, are addresses in memory
_ADDRESSES: Final = 1 << 44, 1 << 47


class Errors:
    """Observe an error of a block, and go on behind it."""

    def __init__(self) -> None:
        self.value: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> bool:
        if isinstance(error, Exception):
            self.value = error
            observe_error(error)
        return isinstance(error, Exception)


class Patches:
    """Change attributes, items and variables of the environment until the session ends."""

    def __init__(self, ends: ExitStack) -> None:
        self._ends = ends

    def setattr(self, owner: Any, name: str, value: Any) -> None:
        """Change an attribute."""
        self._ends.enter_context(mock.patch.object(owner, name, value))

    def setitem(self, owner: Any, key: Any, value: Any) -> None:
        """Change an item."""
        self._ends.enter_context(mock.patch.dict(owner, {key: value}))

    def setenv(self, name: str, value: str) -> None:
        """Change a variable of the environment."""
        self.setitem(os.environ, name, value)

    def delenv(self, name: str, *, raising: bool = True) -> None:
        """Remove a variable of the environment."""
        self.setitem(os.environ, name, "")
        del os.environ[name]


class Printed:
    """Read what was printed since it was read last; all of it is observed in the end."""

    def __init__(self, ends: ExitStack) -> None:
        self._text = io.StringIO()
        self._start = 0
        ends.callback(lambda: print(self._text.getvalue(), end=""))
        ends.enter_context(redirect_stdout(self._text))

    def readouterr(self) -> SimpleNamespace:
        """Return the text as pytest does."""
        text = self._text.getvalue()[self._start :]
        self._start += len(text)
        return SimpleNamespace(out=text)


class _Observing(ast.NodeTransformer):
    """Hand the values of expressions that are statements to `_see`."""

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        if isinstance(node.value, ast.Constant | ast.Yield | ast.YieldFrom):
            return node
        call = ast.Call(ast.Name("_see", ast.Load()), [node.value], [])
        return ast.fix_missing_locations(ast.copy_location(ast.Expr(ast.copy_location(call, node)), node))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        if any(map(_is_read, node.decorator_list)):
            return node
        return self.generic_visit(node)  # type: ignore[return-value]  # a statement stays one

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        if any(map(_is_read, node.decorator_list)):
            return node
        return self.generic_visit(node)  # type: ignore[return-value]


def _is_read(decorator: ast.expr) -> bool:
    """Return whether a decorator reads the source text."""
    text = ast.unparse(decorator)
    return "T." in text or "R." in text or "I." in text or "script" in text


def check_session(text: str) -> None:
    """Run a text statement by statement, and observe what its expressions and errors are."""
    linecache.cache[_FILE] = (len(text), None, text.splitlines(keepends=True), _FILE)
    statements = ast.parse(text, _FILE).body
    with ExitStack() as ends:
        ends.callback(linecache.cache.pop, _FILE)
        names: dict[str, Any] = {
            "__name__": "session", "_see": _see, "errors": Errors(), "patches": Patches(ends),
            "printed": Printed(ends), "enter": lambda generator: _enter(ends, generator),
            "folder": Path(ends.enter_context(tempfile.TemporaryDirectory(prefix="session-"))),
        }  # fmt: skip
        for statement in statements:
            whole = ast.Module([_Observing().visit(statement)], [])
            code = compile(whole, _FILE, "exec", __future__.annotations.compiler_flag, dont_inherit=True)
            with Errors():
                exec(code, names)  # noqa: S102  # a text of a recorded example


def _enter(ends: ExitStack, generator: Generator[Any]) -> Any:
    """Return what a generator yields; the rest of it runs at the end."""
    value = next(generator)
    ends.callback(next, generator, None)
    return value


def _see(value: Any) -> None:
    if value is not None:
        observe("value", described, value)


def described(value: Any) -> str:
    """Describe a value of a session: programs as texts, arrays with their elements."""
    match value:
        case np.ndarray() | np.generic() | NDArray():
            array = value.numpy() if isinstance(value, NDArray) else np.asarray(value)
            return f"{value.dtype}{array.shape}{[*_numbers(array)]}"
        case int() if _ADDRESSES[0] <= value < _ADDRESSES[1]:
            return "an address"
        case float() | complex():
            return f"{value:.{_DIGITS}g}"
        case tuple() | list():
            return f"({', '.join(map(described, value))})"
        case set() | frozenset():
            return f"{{{', '.join(sorted(map(described, value)))}}}"
        case dict():
            return f"{{{', '.join(f'{described(key)}: {described(each)}' for key, each in value.items())}}}"
        case IRModule():
            return value.script(show_meta=True)
        case Node():
            return str(value)
        case Exception():
            return f"{type(value).__name__} {value}"
        case _:
            return describe(value)


def _numbers(array: Any) -> Iterator[str]:
    write: Callable[[Any], str] = str if array.dtype.kind in "iubSU" else lambda each: f"{complex(each):.{_DIGITS}g}"
    yield from map(write, array.reshape(-1).tolist())
