"""What the comments at the top of a printed text say about it: what `T` and `I` are called, what bare numbers are.

# from tvm.script import tir as tt
# tvmscript: int_dtype="int64", buffer_dtype="float16"
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.errors import InvalidDType

_COMMENTS = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*")
_IMPORT = re.compile(r"^# from tvm(?:script|\.script) import (ir|tirx?|relax) as (\w+)$", re.MULTILINE)
_DTYPES = re.compile(r"^# tvmscript: ((?:\w+_dtype=\"\w+\"(?:, )?)+)$", re.MULTILINE)
_DTYPE = re.compile(r"(\w+)=\"(\w+)\"")
_ROOTS = {"ir": "I", "tir": "T", "tirx": "T", "relax": "R"}


def root_aliases(text: str, roots: Mapping[str, Any]) -> dict[str, Any]:
    """Other names that the header gives to `T` and `I`."""
    top = _top(text)
    return {name: roots[_ROOTS[module]] for module, name in _IMPORT.findall(top) if name != _ROOTS[module]}


def _top(text: str) -> str:
    if not text.startswith("#"):
        return ""
    found = _COMMENTS.match(text)
    return found[0] if found is not None else ""


def write_dtypes(tree: ast.Module, text: str) -> None:
    """Write out the dtypes that the header says of bare numbers and of buffers, so that the text says all."""
    header = _DTYPES.search(_top(text))
    if header is None:
        return
    dtypes = dict(_DTYPE.findall(header[1]))
    prefix = next((name for module, name in _IMPORT.findall(text) if module in ("tir", "tirx")), "T")
    _Bare(prefix, dtypes).visit(tree)
    ast.fix_missing_locations(tree)


#: position of the dtype among the arguments of declarations
_DECLARATIONS = {"Buffer": 1, "alloc_buffer": 1, "decl_buffer": 1, "match_buffer": 2}
_TAKES_PYTHON = ("data", "metadata", "IntImm", "FloatImm", "target", "vdevice", "device_mesh")
#: arguments that are no values of the program
_PLAIN = frozenset({"align", "offset_factor", "axis_separators", "strides"})


class _Bare(ast.NodeTransformer):
    def __init__(self, prefix: str, dtypes: Mapping[str, str]) -> None:
        self.prefix = prefix
        self.dtypes = dict(dtypes)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if not any(_is_graph(decorator) for decorator in node.decorator_list):
            return self.generic_visit(node)
        # sizes have a dtype of their own; the attributes are written as everywhere
        floats = self.dtypes.pop("float_dtype", None)
        for statement in node.body:
            if isinstance(statement, ast.Expr) and _name(statement.value) == "func_attr":
                self.generic_visit(statement)
        if floats is not None:
            self.dtypes["float_dtype"] = floats
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
        return node if node.arg in _PLAIN and not isinstance(node.value, ast.Tuple) else self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = _name(node)
        if name in _TAKES_PYTHON or (name and _is_dtype(name)):
            return node
        self.generic_visit(node)
        position, dtype = _DECLARATIONS.get(name), self.dtypes.get("buffer_dtype")
        is_left_out = position is not None and len(node.args) <= position
        if dtype is not None and is_left_out and all(word.arg != "dtype" for word in node.keywords):
            node.keywords.append(ast.keyword("dtype", ast.Constant(dtype)))
        return node


def _name(node: ast.expr) -> str:
    """The name of what is called: `function` of `R.function(pure=False)`."""
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def _is_graph(decorator: ast.expr) -> bool:
    """Whether a decorator is `R.function`."""
    return getattr(decorator, "attr", "") == "function" or _name(decorator) == "function"


def _is_dtype(name: str) -> bool:
    try:
        DType(name)
    except InvalidDType:
        return False
    return True
