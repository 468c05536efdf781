"""Rewrite a text into an equivalent one: `spelled(text)`.

The parser must read both texts to structurally equal programs.
"""

from __future__ import annotations

import ast
from typing import Any, Final

from tvmscript.fuzz.parser.trees import parsed


def spelled(text: str) -> str:
    """Respell loops, axes, comparisons, assignments and arguments of a text.

    Invalid Python is returned unchanged. Comments are lost except in the first lines.
    """
    tree = parsed(text)
    if tree is None:
        return text
    spelled = ast.unparse(ast.fix_missing_locations(_Spelling().visit(tree)))
    head = [line for line in text.splitlines() if line.startswith("#")]
    return "\n".join([*head, spelled, ""])


#: construct -> positional parameters that keywords can pass
_KEYWORDS: Final = {
    "match_buffer": ("param", "shape", "dtype"),
    "alloc_buffer": ("shape", "dtype"),
    "decl_buffer": ("shape", "dtype"),
    "allocate": ("extents", "dtype", "scope"),
    "block": ("name",),
    "where": ("predicate",),
    "block_attr": ("attrs",),
    "launch_thread": ("thread", "extent"),
    "Select": ("condition", "true_value", "false_value"),
    "Ramp": ("base", "stride", "lanes"),
    "Broadcast": ("value", "lanes"),
}
#: operator -> the equivalent function
_FUNCTIONS: Final = {ast.FloorDiv: "floordiv", ast.Mod: "floormod"}
#: axes by the letter of `T.axis.remap`
_AXES: Final = {"S": "spatial", "R": "reduce"}


def _of_tir(node: ast.AST) -> str:
    """The name behind `T.` in a call; empty for other nodes."""
    function = node.func if isinstance(node, ast.Call) else None
    is_tir = isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "T"
    return function.attr if is_tir and isinstance(function, ast.Attribute) else ""


def _is_range(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "range"


def _tir(name: str, *args: ast.expr, **keywords: ast.expr) -> ast.Call:
    function: ast.expr = ast.Name("T", ast.Load())
    for part in name.split("."):
        function = ast.Attribute(function, part, ast.Load())
    return ast.Call(function, list(args), [ast.keyword(key, value) for key, value in keywords.items()])


def _same(a: ast.AST, b: ast.AST) -> bool:
    return ast.unparse(a) == ast.unparse(b)


class _Spelling(ast.NodeTransformer):
    def __init__(self) -> None:
        #: loop variables: the arguments of `range`
        self.loops: dict[str, list[ast.expr]] = {}

    # -- loops

    def visit_For(self, node: ast.For) -> Any:
        """Write `T.grid` as nested loops, `range` as `T.serial`, loop bounds by keyword, thread axes by position."""
        call = node.iter
        names = [each.id for each in getattr(node.target, "elts", [node.target]) if isinstance(each, ast.Name)]
        if not isinstance(call, ast.Call) or len(set(names)) != len(getattr(node.target, "elts", [0])):
            return self.generic_visit(node)
        if _of_tir(call) == "grid" and len(names) == len(call.args):
            return self.visit(self._nest(node, call, names))
        before = self.loops.get(names[0])
        if _is_range(call) or _of_tir(call) == "serial":
            self.loops[names[0]] = call.args
        visited = self.generic_visit(node)
        self.loops.pop(names[0], None)
        if before is not None:
            self.loops[names[0]] = before
        assert isinstance(visited, ast.For)
        visited.iter = self._loop(call)
        return visited

    def _nest(self, node: ast.For, call: ast.Call, names: list[str]) -> ast.For:
        body: list[ast.stmt] = node.body
        loop = node
        for name, extent in reversed(list(zip(names, call.args, strict=True))):
            bounds = ast.Call(ast.Name("range", ast.Load()), [extent], [])
            loop = ast.For(ast.Name(name, ast.Store()), bounds, body, [], lineno=node.lineno)
            body = [loop]
        return loop

    def _loop(self, call: ast.Call) -> ast.expr:
        name = _of_tir(call)
        if _is_range(call) and len(call.args) <= 2:
            call = _tir("serial", *call.args)
            name = "serial"
        if name in ("serial", "parallel", "vectorized", "unroll") and len(call.args) == 2:
            names = ("start", "stop")
            call.keywords = [*map(ast.keyword, names, call.args), *call.keywords]
            call.args = []
        if name == "thread_binding" and len(call.args) == 1:
            call.args += [each.value for each in call.keywords if each.arg == "thread"]
            call.keywords = [each for each in call.keywords if each.arg != "thread"]
        return call

    # -- statements

    def visit_Assign(self, node: ast.Assign) -> Any:
        """Write `T.axis.remap` axis by axis, and updates as augmented assignments."""
        value, target = node.value, node.targets[0]
        if isinstance(value, ast.Call) and ast.unparse(value.func) == "T.axis.remap":
            axes = self._axes(target, value)
            if axes is not None:
                return axes
        if isinstance(target, ast.Subscript) and isinstance(value, ast.BinOp) and _same(target, value.left):
            return self.generic_visit(ast.AugAssign(target, value.op, value.right))
        return self.generic_visit(node)

    def _axes(self, target: ast.expr, call: ast.Call) -> list[ast.stmt] | None:
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        if len(call.args) != 2 or not isinstance(call.args[0], ast.Constant) or not isinstance(call.args[1], ast.List):
            return None
        values = call.args[1].elts
        stmts: list[ast.stmt] = []
        for name, letter, value in zip(names, str(call.args[0].value), values, strict=False):
            bounds = self.loops.get(value.id) if isinstance(value, ast.Name) else None
            if bounds is None or len(bounds) != 1 or letter not in _AXES:
                return None
            axis = _tir(f"axis.{_AXES[letter]}", bounds[0], value)
            stmts.append(ast.Assign([name], axis, lineno=call.lineno))
        return stmts if len(stmts) == len(names) == len(values) else None

    def visit_If(self, node: ast.If) -> Any:
        """Wrap an `if` into a branch that Python evaluates to true."""
        visited = self.generic_visit(node)
        holds = ast.parse("(2 < 1 or 2 < 3) and 1 < 2", mode="eval").body
        assert isinstance(visited, ast.If)
        return ast.If(holds, [visited], [])

    # -- expressions

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        """Write `a < b and b < c` as a chain."""
        visited = self.generic_visit(node)
        assert isinstance(visited, ast.BoolOp)
        if len(visited.values) != 2 or not isinstance(visited.op, ast.And):
            return visited
        first, second = visited.values
        if (
            isinstance(first, ast.Compare)
            and isinstance(second, ast.Compare)
            and _same(first.comparators[-1], second.left)
        ):
            return ast.Compare(first.left, [*first.ops, *second.ops], [*first.comparators, *second.comparators])
        return visited

    def visit_Compare(self, node: ast.Compare) -> Any:
        """Write a chain of comparisons as a conjunction."""
        visited = self.generic_visit(node)
        assert isinstance(visited, ast.Compare)
        if len(visited.ops) != 2:
            return visited
        middle = visited.comparators[0]
        first = ast.Compare(visited.left, visited.ops[:1], [middle])
        return ast.BoolOp(ast.And(), [first, ast.Compare(middle, visited.ops[1:], visited.comparators[1:])])

    def visit_Call(self, node: ast.Call) -> Any:
        """Pass arguments by keyword."""
        visited = self.generic_visit(node)
        assert isinstance(visited, ast.Call)
        names = _KEYWORDS.get(_of_tir(visited), ())
        keywords = {each.arg for each in visited.keywords}
        count = len(visited.args)
        if not names or count > len(names) or keywords.intersection(names[:count]) or None in keywords:
            return visited
        if any(isinstance(each, ast.Starred) for each in visited.args):
            return visited
        visited.keywords = [*map(ast.keyword, names, visited.args), *visited.keywords]
        visited.args = []
        return visited
