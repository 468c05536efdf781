"""Underlines and annotations. The texts are those of TVM 0.17 for the same program and options."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import tvmscript
from tvmscript.printer import InvalidOption

TEXT = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), x: T.int32):
    for i, j in T.grid(16, 16):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            B[vi, vj] = A[vi, vj] * T.float32(2) + T.float32(1)
    if x + 1 < 4:
        T.evaluate(x + 1)
        T.evaluate(x * 3)
    else:
        T.evaluate(0)
    for k in range(x):
        y: T.int32 = x + k
        T.evaluate(y)
    T.evaluate((x + 2) * (x + x))
"""
HEAD = """# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), x: T.int32):
    # with T.block("root"):
"""


@pytest.fixture(scope="module")
def func() -> Any:
    return tvmscript.from_source(TEXT)


@pytest.fixture(scope="module")
def parts(func: Any) -> dict[str, Any]:
    loop, condition, second, last = func.body.block.body.seq
    realize = loop.body.body
    store = realize.block.body
    return {
        "loop": loop, "inner loop": loop.body, "realize": realize, "block": realize.block, "store": store,
        "product": store.value.a, "one": store.value.b, "if": condition, "else": condition.else_case,
        "let": second.body, "let value": second.body.value, "sum": last.value.b, "x": func.params[2],
        "A": func.buffer_map[func.params[0]], "handle": func.params[0], "reads": realize.block.reads[0],
    }  # fmt: skip


def lines(text: str) -> list[tuple[str, str]]:
    """Each line that has carets below it, with them."""
    rows = text.split("\n")
    return [(above.strip(), below.strip()) for above, below in pairwise(rows) if "^" in below]


def test_expressions(func: Any, parts: dict[str, Any]) -> None:
    text = func.script(obj_to_underline=[parts["product"], parts["one"], parts["if"].condition.a])
    assert (
        text.removeprefix(HEAD)
        == """    for i, j in T.grid(16, 16):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            B[vi, vj] = A[vi, vj] * T.float32(2) + T.float32(1)
                        ^^^^^^^^^^^^^^^^^^^^^^^^   ^^^^^^^^^^^^
    if x + 1 < 4:
       ^^^^^
        T.evaluate(x + 1)
        T.evaluate(x * 3)
    else:
        T.evaluate(0)
    for k in range(x):
        y: T.int32 = x + k
        T.evaluate(y)
    T.evaluate((x + 2) * (x + x))"""
    )


def test_statements_with_their_bodies(func: Any, parts: dict[str, Any]) -> None:
    for part in ("realize", "block"):
        text = func.script(obj_to_underline=[parts[part]])
        assert [above for above, _ in lines(text)] == [
            'with T.block("b"):',
            'vi, vj = T.axis.remap("SS", [i, j])',
            "T.reads(A[vi, vj])",
            "T.writes(B[vi, vj])",
            "B[vi, vj] = A[vi, vj] * T.float32(2) + T.float32(1)",
        ]
        assert all(len(above) == len(below) for above, below in lines(text))
    assert [above for above, _ in lines(func.script(obj_to_underline=[parts["if"]]))] == [
        "if x + 1 < 4:", "T.evaluate(x + 1)", "T.evaluate(x * 3)", "else:", "T.evaluate(0)"
    ]  # fmt: skip


def test_names_are_underlined_where_they_are_used(func: Any, parts: dict[str, Any]) -> None:
    assert lines(func.script(obj_to_underline=[parts["A"]])) == [
        ("T.reads(A[vi, vj])", "^"),
        ("B[vi, vj] = A[vi, vj] * T.float32(2) + T.float32(1)", "^"),
    ]
    found = lines(func.script(obj_to_underline=[parts["x"]]))
    assert [below for _, below in found] == ["^"] * 5 + ["^         ^   ^"]
    assert lines(func.script(obj_to_underline=[parts["handle"], parts["inner loop"]])) == []


def test_parentheses_are_not_part_of_an_operand(func: Any, parts: dict[str, Any]) -> None:
    assert func.script(obj_to_underline=[parts["sum"]]).endswith(
        "\n    T.evaluate((x + 2) * (x + x))\n                          ^^^^^"
    )


def test_what_has_no_lines_of_its_own_is_shown_by_what_is_around_it(func: Any, parts: dict[str, Any]) -> None:
    assert [above for above, _ in lines(func.script(obj_to_underline=[parts["let"]]))] == [
        "for k in range(x):", "y: T.int32 = x + k", "T.evaluate(y)"
    ]  # fmt: skip


def test_the_header_and_comments_are_not_underlined(func: Any) -> None:
    rows = func.script(obj_to_underline=[func]).split("\n")
    assert rows[:2] == ["# from tvm.script import tir as T", ""]
    assert rows[rows.index('    # with T.block("root"):') + 1] == "    for i, j in T.grid(16, 16):"
    text = tvmscript.from_source("@T.prim_func\ndef f():\n    # above\n    T.evaluate(0)  # behind\n")
    assert isinstance(text, tvmscript.PrimFunc)
    assert text.script(obj_to_underline=[text.body]).endswith(
        "    # above\n    T.evaluate(0)  # behind\n    ^^^^^^^^^^^^^"
    )


def test_lines_around(func: Any, parts: dict[str, Any]) -> None:
    chosen = [parts["product"], parts["let value"]]
    assert (
        func.script(obj_to_underline=chosen, num_context_lines=1, print_line_numbers=True)
        == """(... 9 lines skipped ...)
10             T.writes(B[vi, vj])
11             B[vi, vj] = A[vi, vj] * T.float32(2) + T.float32(1)
                           ^^^^^^^^^^^^^^^^^^^^^^^^
12     if x + 1 < 4:
(... 4 lines skipped ...)
17     for k in range(x):
18         y: T.int32 = x + k
                        ^^^^^
19         T.evaluate(y)
20     T.evaluate((x + 2) * (x + x))"""
    )
    assert func.script(obj_to_underline=[parts["handle"]], num_context_lines=0) == func.script()


SEQ = ".body.block.body.seq"
PATHS: list[tuple[Any, list[tuple[str, str]]]] = [
    (f"<root>{SEQ}[1].condition.a", [("if x + 1 < 4:", "^^^^^")]),
    (f"{SEQ}[1].condition.a.b.value", [("if x + 1 < 4:", "^")]),
    (["body", "block", "body", "seq", 3, "value", "b", "b"], [("T.evaluate((x + 2) * (x + x))", "^")]),
    (f"{SEQ}[2].body.var", [("y: T.int32 = x + k", "^")]),
    (f"{SEQ}[0].extent", [("for i, j in T.grid(16, 16):", "^^")]),
    (f"{SEQ}[0].body.body.iter_values[1]", [('vi, vj = T.axis.remap("SS", [i, j])', "^")]),
    (f"{SEQ}[0].body.body.block.reads[0].region[0].min", [("T.reads(A[vi, vj])", "^^")]),
]


@pytest.mark.parametrize(("path", "expected"), PATHS, ids=[str(path) for path, _ in PATHS])
def test_paths(func: Any, path: Any, expected: list[tuple[str, str]]) -> None:
    assert lines(func.script(path_to_underline=[path])) == expected


def test_a_path_tells_equal_operands_apart(func: Any) -> None:
    first, second = (func.script(path_to_underline=[f"{SEQ}[3].value.b.{side}"]).split("\n")[-1] for side in "ab")
    assert first.index("^") == len("    T.evaluate((x + 2) * (")
    assert second.index("^") == len("    T.evaluate((x + 2) * (x + ")


def test_paths_through_dictionaries() -> None:
    module = tvmscript.from_source(
        f"@I.ir_module\nclass Module:\n{TEXT}".replace("\n", "\n    ").replace("    class", "class")
    )
    text = module.script(path_to_underline=[f".functions['main']{SEQ}[1].condition.a"])
    assert lines(text) == [("if x + 1 < 4:", "^^^^^")]


def test_annotations(func: Any, parts: dict[str, Any]) -> None:
    texts = {"store": "a store", "if": "a cond", "loop": "loop", "realize": "realize", "block": "block", "let": "let"}
    text = func.script(obj_to_annotate={parts[name]: words for name, words in texts.items()})
    assert (
        text.removeprefix(HEAD)
        == """    # loop
    for i, j in T.grid(16, 16):
        # block
        # realize
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi, vj])
            B[vi, vj] = A[vi, vj] * T.float32(2) + T.float32(1)  # a store
    # a cond
    if x + 1 < 4:
        T.evaluate(x + 1)
        T.evaluate(x * 3)
    else:
        T.evaluate(0)
    for k in range(x):
        # let
        with T.LetStmt(x + k) as y:
            T.evaluate(y)
    T.evaluate((x + 2) * (x + x))"""
    )


def test_annotations_at_paths(func: Any, parts: dict[str, Any]) -> None:
    text = func.script(
        path_to_annotate={f"{SEQ}[1]": "two\nlines", f"{SEQ}[3].value.a": "sum"}, obj_to_annotate={func: "f"}
    )
    assert "\n\n# f\n@T.prim_func\n" in text
    assert "\n    # two\n    # lines\n    if x + 1 < 4:\n" in text
    assert text.endswith("T.evaluate((x + 2) * (x + x))  # sum")


def test_what_is_shown_reads_back(func: Any, parts: dict[str, Any]) -> None:
    for options in (
        {"obj_to_underline": [parts["if"], parts["A"]]},
        {"obj_to_underline": [func], "print_line_numbers": True},
        {"obj_to_annotate": {parts["store"]: "note"}},
    ):
        again: Any = tvmscript.from_source(func.script(**options))
        assert again.script(comments=False) == func.script()


@pytest.mark.parametrize(
    "options",
    [
        {"obj_to_underline": 3},
        {"obj_to_underline": ["x"]},
        {"path_to_underline": ["body"]},
        {"path_to_underline": [3]},
        {"obj_to_annotate": ["x"]},
        {"obj_to_annotate": {"x": "y"}},
        {"path_to_annotate": {".body": 1}},
    ],
    ids=str,
)  # fmt: skip
def test_wrong_values(func: Any, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption) as caught:
        func.script(**options)
    assert caught.value.code == "TS3002"


def test_first_lines_alone() -> None:
    func: Any = tvmscript.from_source(
        """
@T.prim_func
def f(A: T.Buffer((4, 4, 4), "float32")):
    for i, j, k in T.grid(4, 4, 4):
        with T.block("b"):
            vi, vj, vk = T.axis.remap("SSS", [i, j, k])
            A[vi, vj, vk] = T.float32(0)
"""
    )
    middle = func.body.block.body.body
    text = func.script(obj_to_underline=[middle, middle.body.body.block], underline_heads=True)
    assert [line for line in text.splitlines() if "for " in line or "block(" in line or "^" in line] == [
        '    # with T.block("root"):',
        "    for i in range(4):",
        "        for j in range(4):",
        "        ^^^^^^^^^^^^^^^^^^",
        "            for k in range(4):",
        '                with T.block("b"):',
        "                ^^^^^^^^^^^^^^^^^^",
    ]


def test_what_a_dataflow_block_declares_is_no_part_of_it() -> None:
    text = """\
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((T.int64(4),), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        k = T.int64()
        with R.dataflow():
            gv: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.kernel, (x,), out_sinfo=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
            R.output(gv)
        gv1: R.Tensor((k,), dtype="float32") = R.match_cast(gv, R.Tensor((k,), dtype="float32"))
        return gv"""  # noqa: E501
    module: Any = tvmscript.from_source(text)
    underlined = module.script(obj_to_underline=[module["main"].body.blocks[0]])
    assert [line.strip().partition("(")[0] for line, _ in lines(underlined)] == [
        "with R.dataflow",
        "gv: R.Tensor",
        "R.output",
    ]
    assert "\n".join(line for line in underlined.split("\n") if line.strip(" ^") or not line) == module.script()
