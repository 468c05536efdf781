"""The graph level in the dialect 0.27: read, printed, and what real apache-tvm 0.27 makes of it."""

from __future__ import annotations

import pytest

import tvmscript
from tests.current.client import CurrentTVM
from tests.current.graph import GRAPHS
from tvmscript.ir.core.equality.equal import assert_structural_equal, structural_equal
from tvmscript.printer.errors import NoText

#: programs that 0.27 has no words for -> what the error names
WORDLESS = {
    "tir_vars": (
        """
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(A: T.Buffer((4,), "float32"), n: T.int64):
        A[0] = T.Cast("float32", n)

    @R.function
    def main(s: R.Shape(["n"])):
        n = T.int64()
        return R.call_tir(Module.f, R.tuple(), R.Tensor((4,), "float32"), tir_vars=R.shape([n]))
""",
        "tir_vars",
    ),
    "value of a scalar": (
        '@R.function\ndef f(x: R.Tensor(("n",), "int8"), k: R.Prim(value="n")):\n    return x\n',
        "the scalar k",
    ),
    "separators": (
        """
@R.function
def f(x: R.Tensor((4, 4), "int8")):
    return R.layout_transform(x, T.index_map(lambda i, j: (j, i)), axis_separators=[1])
""",
        "axis_separators",
    ),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_we_read_it_back(name: str) -> None:
    program = tvmscript.from_source(GRAPHS[name])
    text = program.script(dialect="0.27")
    again = tvmscript.from_source(text)
    assert_structural_equal(program, again)
    assert again.script(dialect="0.27") == text
    assert_structural_equal(program, tvmscript.from_source(program.script()))


@pytest.mark.parametrize("name", WORDLESS)
def test_what_has_no_words(name: str) -> None:
    text, what = WORDLESS[name]
    with pytest.raises(NoText, match=what):
        tvmscript.from_source(text).script(dialect="0.27")


@pytest.mark.parametrize("name", GRAPHS)
def test_it_reads_what_we_print(name: str, current: CurrentTVM) -> None:
    """It reads the text; where it writes no arrays, we read what it prints as the same program."""
    program = tvmscript.from_source(GRAPHS[name])
    theirs = current.script(program.script(dialect="0.27"))
    if "metadata[" not in theirs:
        assert_structural_equal(program, tvmscript.from_source(theirs), map_free_vars=True)


def test_its_own_texts(current: CurrentTVM) -> None:
    """Layers, and passes on programs: read, printed as they were, brought back; 0.17's text too."""
    texts = current.ask(op="graphs", families=["layers", "te"])["texts"]
    assert len(texts) > 50
    same = 0
    for name, text in texts.items():
        program = tvmscript.from_source(text)
        printed = program.script(dialect="0.27")
        assert structural_equal(program, tvmscript.from_source(printed), map_free_vars=True), name
        assert structural_equal(program, tvmscript.from_source(program.script()), map_free_vars=True), name
        same += printed.strip() == text.strip()
    assert same > 0.9 * len(texts)


PERSON = """
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), k: T.int64, f: R.Callable((R.Any,), R.Any)) -> R.Any:
        m = k + 1
        y = R.full(R.shape([m, k]), R.const(1.0, "float32"), "float32")
        z = R.call_packed("g", y, k, True, ty_args=T.int64)
        R.func_attr({"flag": True})
        return f(R.call_dps_packed("h", (x, z), out_ty=R.Tensor((2,), "float32")))
"""


def test_as_a_person_writes_it() -> None:
    program = tvmscript.from_source(PERSON, check_well_formed=False)["main"]
    text = program.script(dialect="0.27")
    assert "m: T.int64 = k + 1" in text
    assert "R.full(R.shape([k + 1, k])" in text
    assert 'ty_args=(R.Prim("int64"),)' in text
    assert '{"flag": True}' in text
    assert "R.Prim(value=" in program.script()
    assert_structural_equal(program, tvmscript.from_source(text, check_well_formed=False))


_PYTHON_VALUES = """
# from tvm.script import tirx as T
@R.function
def main(x: R.Tensor((4,), "float32")):
    info = x.ty
    a = R.call_pure_packed("f", x, 2.5, True, (1, 0.5, False), ty_args=[info])
    return (a, 2.5, [0.5, 1])
"""


def test_numbers_of_python_as_0_27_takes_them() -> None:
    """Floats are float64. Flags stay flags, which 0.27 prints so, though it reads them as numbers."""
    program = tvmscript.from_source(_PYTHON_VALUES)
    text = program.script(dialect="0.27")
    floats = 'T.float64(2.5), True, (1, T.float64(0.5), False), ty_args=(R.Tensor((4,), dtype="float32"),))'
    assert f'R.call_pure_packed("f", x, {floats}' in text
    assert "return (a, T.float64(2.5), (T.float64(0.5), 1))" in text
    assert_structural_equal(program, tvmscript.from_source(text))
