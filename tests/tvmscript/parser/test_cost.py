"""Reading costs time and memory in proportion to the text, however its names nest.

Costs are counted in calls of Python functions, not in seconds.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

import tvmscript
from tvmscript.ir.core import nodes
from tvmscript.ir.core.budget import MAX_COPIES, MAX_OPERAND
from tvmscript.ir.core.errors import DiagnosticError, OperandTooLarge
from tvmscript.ir.core.python_settings import MAX_NESTING
from tvmscript.parser.builtins.module import IR
from tvmscript.parser.builtins.table import TIR
from tvmscript.parser.diagnostics.errors import InvalidMetadata, NestedTooDeeply, UndefinedName, ValueTooLarge
from tvmscript.parser.diagnostics.limits import MAX_BYTES, MAX_NODES, MAX_PARTS, MAX_STATEMENTS, count_nodes
from tvmscript.parser.global_names import T_V0_27, R
from tvmscript.parser.names.unsupported import UnsupportedName
from tvmscript.parser.source.tree import MAX_CHARACTERS

#: calls that any text of a few thousand characters may take
MAX_CALLS = 6_000_000
HEAD = '@T.prim_func\ndef f(A: T.Buffer((16,), "float32"), I: T.Buffer((16,), "int32"), n: T.int32):\n'
HEAD_V0_27 = f"# from tvm.script import tirx as T\n\n{HEAD}"
HEAD_OF_GRAPH = '@R.function\ndef f(x: R.Tensor((4, 4), "float32")):\n'


class TooManyCalls(BaseException):
    """The calls exceed `MAX_CALLS`: no code of the package catches it."""


def calls(action: Callable[[], object]) -> int:
    """Count the Python functions that an action calls."""
    count = 0

    def tell(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        if event == "call":
            count += 1
            if count > MAX_CALLS:
                raise TooManyCalls

    sys.setprofile(tell)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


def reads(text: str) -> bool:
    try:
        tvmscript.from_source(text)
    except DiagnosticError:
        return False
    return True


def nested(form: str, core: str, depth: int) -> str:
    for _ in range(depth):
        core = form.format(core)
    return core


#: how a call is written around an expression
FORMS = ["{name}({{}})", "{name}({{}}, 2)", "{name}(2, {{}})", '{name}("int32", {{}})', '{name}("float32", {{}})',
         "{name}({{}}, 2, 1)", "{name}(1, {{}}, 2)", "{name}(n > 0, {{}}, n)"]  # fmt: skip
#: what makes an operand of the result
CASTS = ["{}", 'T.Cast("int32", {})', 'T.Cast("float32", {})']


def names(table: dict[str, object]) -> list[str]:
    return sorted(name for name, entry in table.items() if not isinstance(entry, UnsupportedName))


def check_linear(form: str, write: Callable[[str], str], core: str) -> None:
    """Check that nesting twice as deep costs about twice as much, or is refused soon."""
    deep = write(nested(form, core, 30))
    costs = [calls(lambda text=text: reads(text)) for text in (write(nested(form, core, 15)), deep)]  # type: ignore[misc]
    if reads(deep):
        assert costs[1] <= 3 * costs[0] + 5_000, (form, costs)


def check_name(prefix: str, name: str, heads: list[str], cores: list[str], casts: list[str]) -> int:
    """Check all forms of a name that nest; return their number."""
    count = 0
    for form in FORMS:
        call = form.format(name=f"{prefix}.{name}")
        for head, core, cast in ((h, c, k) for h in heads for c in cores for k in casts):
            nest = cast.format(call)

            def write(expr: str, head: str = head) -> str:
                return head.replace("BODY", expr)

            if reads(write(nested(nest, core, 2))):
                check_linear(nest, write, core)
                count += 1
                break
    return count


TIR_HEADS = [HEAD + "    T.evaluate(BODY)\n"]


@pytest.mark.long
@pytest.mark.parametrize("part", range(8))
def test_names_of_t(part: int) -> None:
    chosen = names(dict(TIR))[part::8]
    assert sum(check_name("T", name, TIR_HEADS, ["n", "A[n]"], CASTS) for name in chosen) > 10


def test_names_of_t_in_0_27() -> None:
    own = [name for name in names(dict(T_V0_27.table)) if name not in TIR]
    heads = [HEAD_V0_27 + "    T.evaluate(BODY)\n"]
    assert sum(check_name("T", name, heads, ["n", "A[n]"], CASTS[:1]) for name in own) > 0


def test_names_of_i_and_r() -> None:
    heads = [HEAD_OF_GRAPH + "    y = BODY\n    return y\n"]
    assert sum(check_name("R", name, heads, ["x"], CASTS[:1]) for name in names(dict(R.table))) > 50
    for name in names(dict(IR)):
        check_name("I", name, [HEAD + "    T.evaluate(BODY)\n"], ["n"], CASTS[:1])


#: expressions without a name that nest
SYNTAX = ["0 < ({} + 0) < 5", "not ({} > 0)", "({} > 0 and n > 0)", "({} if n > 0 else n)", "I[{}]", "-{}", "~({})",
          "({} + 1)", "({} // 2 % 3)", "I[T.Ramp({}, 1, 4)]", "T.Let(x + n, where={{x: {}}})",
          "T.abs(T.Let(x + n, where={{x: {}}}))", "min({}, n)", "({},)[0]", "[{}][0]"]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("form", SYNTAX)
@pytest.mark.parametrize("body", ["T.evaluate(BODY)", "I[BODY] += 1", "I[0:BODY] = T.Broadcast(1, 4)",
                                  'T.func_attr({"a": BODY})', "x1 = T.meta_var(BODY)\n    I[x1] = x1",
                                  "for i in range(BODY, BODY + 4):\n        I[i] = i"])  # fmt: skip
def test_syntax(form: str, body: str) -> None:
    head = f"{HEAD}    x = T.int32()\n    "

    def write(expr: str) -> str:
        return head + body.replace("BODY", expr) + "\n"

    check_linear(form, write, "n")


@pytest.mark.parametrize(("form", "depth"), [("T.abs({})", 30), ("T.abs(T.Let(x + n, where={{x: {}}}))", 30),
                                             ("0 < ({} + 0) < 5", 60)])  # fmt: skip
def test_nested_operands_are_refused(form: str, depth: int) -> None:
    text = f"{HEAD}    x = T.int32()\n    T.evaluate({nested(form, 'n', depth)})\n"
    with pytest.raises(DiagnosticError) as caught:
        tvmscript.from_source(text)
    assert caught.value.code == OperandTooLarge.code
    assert calls(lambda: reads(text)) < 1_000_000


def test_what_is_read_is_bounded() -> None:
    """As deep as it is read, the program is small enough to be printed and compared."""
    depth = 1
    while reads(f"{HEAD}    T.evaluate({nested('T.abs({})', 'n', depth + 1)})\n"):
        depth += 1
    program = tvmscript.from_source(f"{HEAD}    T.evaluate({nested('T.abs({})', 'n', depth)})\n")
    assert count_nodes(program, 1 << 30) < 8 * MAX_OPERAND


#: operators that TVM expands to several uses of an operand, around an expression of int32
EXPANDED = ["T.abs({})", "(0 < ({} + 0) < 5)", "T.ceildiv({}, {})", 'T.Cast("int32", T.isinf(T.Cast("float32", {})))',
            'T.Cast("int32", T.isfinite(T.Cast("float32", {})))']  # fmt: skip


@pytest.mark.parametrize("form", EXPANDED)
def test_uses_of_an_operand_share_one_object(form: str) -> None:
    """The program is a graph whose size is linear in the text; its text and its nodes as a tree are not."""

    def sizes(depth: int) -> tuple[int, int]:
        text = "n"
        for _ in range(depth):
            text = form.replace("{}", text, 1).replace("{}", "n")
        program = tvmscript.from_source(f"{HEAD}    T.evaluate({text})\n")
        parts = [*nodes(program)]
        return len({id(part) for part in parts}), len(parts)

    shared, tree = zip(*[sizes(depth) for depth in (2, 4, 6)], strict=True)
    assert shared[2] - shared[1] <= 1.2 * (shared[1] - shared[0]) + 4
    if form != "T.ceildiv({}, {})":
        assert tree[2] - tree[1] > 3 * (tree[1] - tree[0])


def test_the_page_tells_the_limits() -> None:
    page = (Path(__file__).parents[3] / "grammar_docs" / "expressions.md").read_text("utf-8")
    limits = [MAX_CHARACTERS, MAX_STATEMENTS, MAX_PARTS, MAX_BYTES, MAX_NODES, MAX_OPERAND, MAX_COPIES]
    rows = [line for line in page[page.index("## Limits of a text") :].splitlines() if line.startswith("| ")][2:]
    assert [f"2^{limit.bit_length() - 1}" for limit in limits] == re.findall(r"2\^\d+", "\n".join(rows))
    assert f"| {MAX_NESTING} |" in rows[1]


LONG = "a = 'x' * 1048570\n"
PLAIN = "@T.prim_func\ndef f():\n    T.evaluate(0)\n"
SHARED = {
    "root_index": 40,
    "nodes": [{"type": "int", "data": 1}, *[{"type": "ffi.Array", "data": [i, i]} for i in range(40)]],
}
SHARED_V0_17 = {
    "root": 1,
    "nodes": [{"type_key": ""}, {"type_key": "Map", "keys": ["Array"], "data": [40]}, {"type_key": "Array", "data": []}]
    + [{"type_key": "Array", "data": [i - 1, i - 1]} for i in range(3, 41)],
}
LINES = 4_000
#: texts of short lines, each of which computes much
HEAVY = {
    "strings": LONG + "".join(f"b{i} = a + '{i % 10}'\n" for i in range(LINES)) + PLAIN,
    "products of strings": LONG + "".join(f"b{i} = 'x' * {1 << 19}\n" for i in range(LINES)) + PLAIN,
    "slices of strings": LONG + "".join(f"b{i} = a[{i}:]\n" for i in range(LINES)) + PLAIN,
    "f-strings": LONG + "".join(f"b{i} = f'{{a}}'\n" for i in range(LINES)) + PLAIN,
    "lists": "a = [0] * 65000\n" + "".join(f"b{i} = a + [1]\n" for i in range(LINES)) + PLAIN,
    "unpacked lists": "a = [0] * 65000\n" + "".join(f"b{i} = [*a]\n" for i in range(LINES)) + PLAIN,
    "converted ranges": "".join(f"b{i} = list(range(65000))\n" for i in range(LINES)) + PLAIN,
    "unpacked arguments": "a = [0] * 65000\n" + "".join(f"b{i} = len((*a, 1))\n" for i in range(LINES)) + PLAIN,
    "compared strings": LONG + "".join(f"b{i} = ['{i}' in a]\n" for i in range(LINES)) + PLAIN,
    "dicts": "a = {'b': [0] * 65000}\n" + "".join(f"c{i} = {{**a}}\n" for i in range(2 * LINES)) + PLAIN,
    "attributes": "a = [0] * 65000\n" + "".join(
        f'@T.prim_func\ndef f{i}():\n    T.func_attr({{"a": a}})\n' for i in range(LINES)),
    "attributes of blocks": "a = [0] * 65000\n" + HEAD + "".join(
        f'    with T.block("b{i}"):\n        T.block_attr({{"a": a}})\n' for i in range(LINES)),
    "named expressions": HEAD + f"    x = T.meta_var({' + '.join(['n'] * 400)})\n"
    + "".join("    I[n] = x * x * x\n" for _ in range(LINES)),
    "arguments of macros": "@T.macro\ndef m(x):\n    T.evaluate(x * x * x)\n" + HEAD
    + f"    x = T.meta_var({' + '.join(['n'] * 400)})\n    y = T.meta_var(x * x * x)\n"
    + "".join("    m(y)\n" for _ in range(LINES)),
    "tuples of tuples": HEAD_OF_GRAPH + "    y0 = (x, x)\n" + "".join(
        f"    y{i + 1} = (y{i}, y{i})\n" for i in range(60)) + "    return y60\n",
    "sizes of sizes": '@R.function\ndef f(x: R.Tensor(("n",), "float32")):\n    n = T.int64()\n'
    "    y0 = R.concat((x, x))\n"
    + "".join(f"    y{i + 1} = R.concat((x, y{i}, y{i}))\n" for i in range(60)) + "    return y60\n",
    "absolute values": HEAD + "".join(f"    I[n] = {nested('T.abs({})', 'n', 7)}\n" for _ in range(LINES)),
}  # fmt: skip


@pytest.mark.parametrize("name", HEAVY)
def test_short_lines_that_compute_much(name: str) -> None:
    codes: list[str] = []

    def read() -> None:
        with pytest.raises(DiagnosticError) as caught:
            tvmscript.from_source(HEAVY[name])
        codes.append(caught.value.code)

    assert calls(read) < MAX_CALLS
    assert codes in ([ValueTooLarge.code], [OperandTooLarge.code], [NestedTooDeeply.code])


@pytest.mark.parametrize("loaded", [SHARED, SHARED_V0_17], ids=["0.27", "0.17"])
def test_shared_arrays_of_json(loaded: object) -> None:
    text = f"import tvm\nmetadata = tvm.ir.load_json('''{json.dumps(loaded)}''')\n{PLAIN}"
    with pytest.raises(DiagnosticError) as caught:
        tvmscript.from_source(text)
    assert caught.value.code == InvalidMetadata.code
    assert calls(lambda: reads(text)) < 100_000


def test_columns_of_long_lines() -> None:
    """A line with a letter outside of ASCII costs what the same line costs in ASCII, and its columns are characters."""

    def text(word: str, count: int) -> str:
        return HEAD + f'    "{word}"; ' + "; ".join(["A[0] = 1.0"] * count) + "; A[y] = 1.0\n"

    with pytest.raises(DiagnosticError) as caught:
        tvmscript.from_source(text("é𝄞", 2_000))
    assert caught.value.code == UndefinedName.code
    line = text("é𝄞", 2_000).splitlines()[2]
    assert caught.value.column == line.index("y]") + 1
    letters, plain = (calls(lambda word=word: reads(text(word, 500))) for word in ("é", "e"))  # type: ignore[misc]
    assert letters < 2 * plain


def test_proposals_of_many_errors() -> None:
    known = "".join(f"    variable_number_{i} = T.meta_var(n + {i})\n" for i in range(2_000))
    text = HEAD + known + "".join(f"    A[variabel_numebr_{i}] = 1.0\n" for i in range(400))
    with pytest.raises(DiagnosticError) as caught:
        tvmscript.from_source(text)
    assert "did you mean" in str(caught.value.hint)
    assert calls(lambda: reads(text)) < MAX_CALLS
