"""The header of a text: dialect, aliases of `T`, `I` and `R`, dtypes of literals and buffers.

# from tvm.script import tir as tt
# tvmscript: int_dtype="int64", buffer_dtype="float16"
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import NamedTuple

from tvmscript.ir.core import DType
from tvmscript.ir.core.errors import InvalidDType
from tvmscript.parser.source.dialect import is_printed, is_v0_27

_COMMENTS = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*")
_IMPORT = re.compile(r"^# from tvm(?:script|\.script) import (ir|tirx?|relax) as (\w+)$", re.MULTILINE)
_DTYPES = re.compile(r"^# tvmscript: ((?:\w+_dtype=\"\w+\"(?:, )?)+)$", re.MULTILINE)
_DTYPE = re.compile(r"(\w+)=\"(\w+)\"")
_ROOTS = {"ir": "I", "tir": "T", "tirx": "T", "relax": "R"}


class Header(NamedTuple):
    """Facts about a text that follow from its header and its spellings."""

    #: dialect of TVM 0.27, not that of 0.17
    is_v0_27: bool = False
    #: written by a printer
    is_printed: bool = False
    #: alias -> `T`, `I` or `R`
    aliases: Mapping[str, str] = {}
    #: `int_dtype`, `float_dtype`, `buffer_dtype` -> dtype
    dtypes: Mapping[str, str] = {}


def read_header(text: str) -> Header:
    """Read the header of a text."""
    comments = _COMMENTS.match(text) if text.startswith("#") else None
    top = "" if comments is None else comments[0]
    imports = _IMPORT.findall(top)
    dtypes = _DTYPES.search(top)
    return Header(
        is_v0_27(text),
        is_printed(text),
        {name: _ROOTS[module] for module, name in imports if name != _ROOTS[module]},
        {} if dtypes is None else dict(_DTYPE.findall(dtypes[1])),
    )


def write_default_dtypes(tree: ast.Module, header: Header) -> None:
    """Make the default dtypes of the header explicit at literals and buffer declarations."""
    if header.dtypes:
        prefix = next((name for name, root in header.aliases.items() if root == "T"), "T")
        _DefaultDTypes(prefix, header.dtypes).visit(tree)
        ast.fix_missing_locations(tree)


#: declaration -> position of its dtype
_DECLARATIONS = {"Buffer": 1, "alloc_buffer": 1, "decl_buffer": 1, "match_buffer": 2}
#: calls whose arguments are Python values
_PYTHON_CALLS = ("data", "metadata", "IntImm", "FloatImm", "target", "vdevice", "device_mesh")
#: arguments that are Python values
_PYTHON_ARGUMENTS = frozenset({"align", "offset_factor", "axis_separators", "strides"})


class _DefaultDTypes(ast.NodeTransformer):
    def __init__(self, prefix: str, dtypes: Mapping[str, str]) -> None:
        self.prefix = prefix
        self.dtypes = dict(dtypes)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if not any(_is_relax_function(decorator) for decorator in node.decorator_list):
            return self.generic_visit(node)
        # in a Relax function only integers among its attributes have a default dtype
        float_dtype = self.dtypes.pop("float_dtype", None)
        for stmt in node.body:
            if isinstance(stmt, ast.Expr) and _callee(stmt.value) == "func_attr":
                self.generic_visit(stmt)
        if float_dtype is not None:
            self.dtypes["float_dtype"] = float_dtype
        return node

    def _typed(self, node: ast.expr, value: object) -> ast.expr:
        dtype = self.dtypes.get(f"{type(value).__name__}_dtype")
        if dtype is None:
            return node
        function = ast.Attribute(ast.Name(self.prefix, ast.Load()), dtype, ast.Load())
        return ast.copy_location(ast.Call(function, [node], []), node)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return self._typed(node, node.value)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return self._typed(node, node.operand.value)
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        # `A.strides[0]` is a name
        return node if isinstance(node.value, ast.Attribute) else self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        return (
            node
            if node.arg in _PYTHON_ARGUMENTS and not isinstance(node.value, ast.Tuple)
            else self.generic_visit(node)
        )

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = _callee(node)
        if name in _PYTHON_CALLS or (name and _is_dtype(name)):
            return node
        self.generic_visit(node)
        position, dtype = _DECLARATIONS.get(name), self.dtypes.get("buffer_dtype")
        is_left_out = position is not None and len(node.args) <= position
        if dtype is not None and is_left_out and all(word.arg != "dtype" for word in node.keywords):
            node.keywords.append(ast.keyword("dtype", ast.Constant(dtype)))
        return node


def _callee(node: ast.expr) -> str:
    """Return the last name of the callee: `function` for `R.function(pure=False)`."""
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def _is_relax_function(decorator: ast.expr) -> bool:
    """Whether a decorator is `R.function`."""
    return getattr(decorator, "attr", "") == "function" or _callee(decorator) == "function"


def _is_dtype(name: str) -> bool:
    try:
        DType(name)
    except InvalidDType:
        return False
    return True
