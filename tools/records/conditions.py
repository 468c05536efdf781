"""Which outcomes the conditions of an area never have while its records run.

    python -m tools.records.conditions arith                  # list them as "file:line: outcome: condition"
    python -m tools.records.conditions arith scripts.jsonl    # add those scripts that make such an outcome
    python -m tools.records.conditions arith 3000             # add such variants of its scripts, of so many

Conditions are tests and operands of `and` and `or`, comparisons of numbers, `any`, `all`, `min` and `max`, and right
operands. Each outcome tells some mutant: either value of an operand that is evaluated, numbers that are equal, elements
of `any` that differ, a term other than 0.
"""

from __future__ import annotations

import ast
import builtins
import json
import operator
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib import machinery
from pathlib import Path
from types import CodeType
from typing import Any, Final

_ROOT: Final = Path(__file__).parents[2]
#: folders of the package, and those that only look at it
_PRODUCT: Final = ("tvmscript/", "ir/", "backends/")
_TOOLS: Final = ("tvmscript/fuzz/", "tvmscript/testing/")
#: kind of a condition -> its outcomes by number
_OUTCOMES: Final = {
    "test": ("true", "false"), "order": ("less", "equal", "greater"), "right": ("zero", "one", "another number"),
    "any": ("first", "later", "of nothing", "of none"), "all": ("not the first", "not a later", "of nothing", "of all"),
}  # fmt: skip
_MOST: Final = 4

#: file, kind and node of each condition
_conditions: list[tuple[Path, str, ast.expr]] = []
#: `_MOST` times the number of a condition, and that of its outcome
reached: set[int] = set()


def _test(place: int, value: Any) -> Any:
    # no node is asked for its truth: some have none
    is_false = value is None or (isinstance(value, (bool, int, str, tuple, list, dict, set, frozenset)) and not value)
    reached.add(_MOST * place + is_false)
    return value


def _order(place: int, function: Callable[..., Any], left: Any, right: Any, **options: Any) -> Any:
    if type(left) in (int, float) and type(right) in (int, float):
        reached.add(_MOST * place + (left > right) - (left < right) + 1)
    return function(left, right, **options)


def _any(place: int, values: Iterable[Any], wanted: bool = True) -> bool:
    outcome = 2
    for value in values:
        if bool(value) is wanted:
            reached.add(_MOST * place + (outcome == 3))
            return True
        outcome = 3
    reached.add(_MOST * place + outcome)
    return False


def _all(place: int, values: Iterable[Any]) -> bool:
    return not _any(place, values, wanted=False)


def _right(place: int, value: Any) -> Any:
    if type(value) is int:
        reached.add(_MOST * place + (value if value in (0, 1) else 2))
    return value


_FUNCTIONS: Final = {"test": _test, "order": _order, "any": _any, "all": _all, "right": _right}
_COMPARISONS: Final[dict[type[ast.cmpop], Callable[[Any, Any], Any]]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge
}  # fmt: skip


class _Noting(ast.NodeTransformer):
    """Write conditions as calls of the functions above, which builtins have."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def _noted(self, kind: str, node: ast.expr, *args: ast.expr, keywords: Sequence[ast.keyword] = ()) -> ast.Call:
        _conditions.append((self._file, kind, node))
        call = ast.Call(
            ast.Name(f"_noted_{kind}", ast.Load()), [ast.Constant(len(_conditions) - 1), *args], [*keywords]
        )
        return ast.copy_location(call, node)

    def _tested(self, node: ast.expr) -> ast.expr:
        return node if isinstance(node, ast.BoolOp) else self._noted("test", node, node)

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Assert | ast.Raise | ast.JoinedStr):
            return node  # no mutant changes these
        if isinstance(node, ast.FunctionDef) and "prim_func" in "".join(map(ast.unparse, node.decorator_list)):
            return node  # its text is read
        self.generic_visit(node)
        match node:
            case ast.If() | ast.While() | ast.IfExp():
                node.test = self._tested(node.test)
            case ast.match_case(guard=ast.expr() as guard):
                node.guard = self._tested(guard)
            case ast.comprehension(ifs=tests):
                node.ifs = [*map(self._tested, tests)]
            case ast.BoolOp(values=operands):
                node.values = [*map(self._tested, operands)]
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISONS:
                name = f"_noted_{_COMPARISONS[type(op)].__name__}"
                return self._noted("order", node, ast.Name(name, ast.Load()), left, right)
            case ast.Call(func=ast.Name("any" | "all" as name), args=[values], keywords=[]):
                return self._noted(name, node, values)
            case ast.Call(func=ast.Name("min" | "max") as function, args=[left, right], keywords=keywords) if not (
                isinstance(right, ast.Starred)
            ):
                return self._noted("order", node, function, left, right, keywords=keywords)
            case ast.BinOp(right=right) if not isinstance(right, ast.Constant):
                node.right = self._noted("right", right, right)
            case _:
                pass
        return node


def compiled(file: Path, name: str) -> CodeType:
    """Compile a file whose conditions note their outcomes in `reached`; `name` is that of the file in tracebacks."""
    tree = _Noting(file).visit(ast.parse(file.read_text("utf-8")))
    return compile(ast.fix_missing_locations(tree), name, "exec", dont_inherit=True)


class _Loader(machinery.SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType | None:
        path = Path(self.path).resolve()
        file = str(path.relative_to(_ROOT)) if path.is_relative_to(_ROOT) else ""
        is_product = file.startswith(_PRODUCT) and not file.startswith(_TOOLS)
        return compiled(path, self.path) if is_product else super().get_code(fullname)


def install() -> None:
    """Let conditions of modules that are imported afterwards note their outcomes."""
    functions = {**_FUNCTIONS, **{each.__name__: each for each in _COMPARISONS.values()}}
    builtins.__dict__.update({f"_noted_{name}": function for name, function in functions.items()})
    loaders = (machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES), (_Loader, machinery.SOURCE_SUFFIXES)
    sys.path_hooks.insert(0, machinery.FileFinder.path_hook(*loaders))
    sys.path_importer_cache.clear()


def described(number: int) -> str:
    """Write an outcome of a condition; empty where the condition has no outcome of this number."""
    file, kind, node = _conditions[number // _MOST]
    outcomes = _OUTCOMES[kind]
    if number % _MOST >= len(outcomes):
        return ""
    text = ast.get_source_segment(file.read_text("utf-8"), node)
    return f"{file}:{node.lineno}: {outcomes[number % _MOST]}: {text}"


def main(name: str, *candidates: str) -> None:
    """List the outcomes that are missing, or add those of some files of scripts, or of numbers of variants."""
    install()
    from tools.records.choosing import PACKAGES, add
    from tools.records.variants import variants
    from tvmscript.fuzz.areas import area
    from tvmscript.fuzz.engine import records_of
    from tvmscript.fuzz.records import OutcomeChanged, scripts

    folders = tuple(f"/{folder}/" for folder in PACKAGES[name])

    def is_inside(number: int) -> bool:
        return any(folder in str(_conditions[number // _MOST][0]) for folder in folders)

    def made() -> frozenset[int]:
        """Return the outcomes that were made since they were asked for last."""
        numbers = frozenset(filter(is_inside, reached))
        reached.clear()
        return numbers

    for record in records_of(area(name)):
        with suppress(OutcomeChanged):  # some look at the code of the package, which is another one here
            record.check()
    if candidates:
        texts: list[str] = []
        for each in candidates:
            if each.isdecimal():
                recorded = [example.script for example in scripts.read(name)]
                # not of tests: variants of Python code may do anything
                programs = [script for script in recorded if "check_session" not in script]
                texts += variants(programs, int(each), len(recorded))
            else:
                texts += map(json.loads, Path(each).read_text("utf-8").splitlines())
        scripts.write(name, add(name, texts, made))
        return
    known = made()
    missing = (number for number in range(_MOST * len(_conditions)) if number not in known and is_inside(number))
    print(*filter(None, map(described, missing)), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
