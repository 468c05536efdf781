"""Functions of Python's standard library, decorated as programs."""

from __future__ import annotations

import ast
import functools
import sysconfig
from pathlib import Path
from typing import Final

from hypothesis import strategies as st

from tvmscript.fuzz.parser.trees import parsed


@functools.cache
def library() -> tuple[Path, ...]:
    """The top-level files of Python's library."""
    return tuple(sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")))


@st.composite
def python_texts(draw: st.DrawFn) -> str:
    """Draw a function of Python's library, decorated as a kernel."""
    functions = functions_of(draw(st.sampled_from(library())))
    return draw(st.sampled_from(functions)) if functions else "pass\n"


@functools.lru_cache(maxsize=64)
def functions_of(path: Path) -> tuple[str, ...]:
    """The short functions of a file as kernels with typed parameters."""
    try:
        tree = parsed(path.read_text("utf-8"))
    except UnicodeDecodeError:
        return ()
    functions = [] if tree is None else [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return tuple([ast.unparse(_as_kernel(node)) for node in functions if len(node.body) < 20])


_TYPES: Final = ("T.int32", 'T.Buffer((16, 16), "float32")')


def _as_kernel(node: ast.FunctionDef) -> ast.FunctionDef:
    arguments = node.args
    for position, arg in enumerate((*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)):
        arg.annotation = ast.parse(_TYPES[position % 2], mode="eval").body
    arguments.defaults, arguments.kw_defaults = [], [None] * len(arguments.kwonlyargs)
    arguments.vararg = arguments.kwarg = node.returns = None
    node.decorator_list = [ast.parse("T.prim_func", mode="eval").body]
    return node
