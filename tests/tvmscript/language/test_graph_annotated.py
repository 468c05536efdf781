"""`Annotated[R.Tensor, (n, 4), "float32"]`: the spelling of the graph level that type checkers accept.

mypy and pyright read this file, strictly and without exceptions, as every file of the tests.
"""

from __future__ import annotations

from typing import Annotated

import pytest

import tvmscript
from tvmscript import R, T
from tvmscript.ir import assert_structural_equal
from tvmscript.parser.diagnostics.errors import InvalidAnnotation, InvalidArguments

Row = Annotated[R.Tensor, (4,), "float32"]


@R.function
def checked(
    x: Annotated[R.Tensor, ("n", 4), "float32"],
    c: Annotated[R.Tensor, (), "bool"],
    s: Annotated[R.Shape, ["n", 4]],
    k: Annotated[R.Prim, {"value": "n"}],
    f: Annotated[R.Callable, (R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True],
    t: Annotated[R.Tuple, R.Tensor((4,), "float32"), R.Object],
    row: Row,
    o: R.Object,
    w: R.Tensor,
) -> Annotated[R.Tensor, ("n", 4), "float32"]:
    n = T.int64()
    y: Annotated[R.Tensor, (n, 4), "float32"] = R.exp(x) + x * row
    with R.dataflow():
        z = R.add(y, f(t[0]))
        R.output(z)
    if c:
        r: Annotated[R.Tensor, (n, 4), "float32"] = R.nn.relu(z)
    else:
        r = R.negative(z)
    return r


PLAIN = """
@R.function
def checked(x: R.Tensor(("n", 4), "float32"), c: R.Tensor((), "bool"), s: R.Shape(["n", 4]), k: R.Prim(value="n"),
            f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True),
            t: R.Tuple(R.Tensor((4,), "float32"), R.Object), row: R.Tensor((4,), "float32"), o: R.Object,
            w: R.Tensor) -> R.Tensor(("n", 4), "float32"):
    n = T.int64()
    y: R.Tensor((n, 4), "float32") = R.exp(x) + x * row
    with R.dataflow():
        z = R.add(y, f(t[0]))
        R.output(z)
    if c:
        r: R.Tensor((n, 4), "float32") = R.nn.relu(z)
    else:
        r = R.negative(z)
    return r
"""


def test_both_spellings_mean_the_same() -> None:
    assert_structural_equal(checked, tvmscript.from_source(PLAIN))


def test_what_is_printed_for_checkers_reads_back() -> None:
    text = checked.script(annotated=True)
    assert "# from typing import Annotated\n" in text
    assert "R.Tensor(" not in text.replace('R.Tensor((4,), dtype="float32")', "")
    assert 'x: Annotated[R.Tensor, ("n", 4), "float32"]' in text
    assert 'k: Annotated[R.Prim, {"value": n}]' in text or 'k: Annotated[R.Prim, {"value": "n"}]' in text
    assert "o: R.Object, w: R.Tensor)" in text
    assert '    y: Annotated[R.Tensor, (n, 4), "float32"] = ' in text
    again = tvmscript.from_source(text)
    assert_structural_equal(checked, again)
    assert again.script() == checked.script()


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ('R.Tensor(dtype="float32", ndim=2)', 'Annotated[R.Tensor, {"dtype": "float32", "ndim": 2}]'),
        ("R.Tensor((4,))", "Annotated[R.Tensor, (4,)]"),
        ("R.Tensor(ndim=2)", 'Annotated[R.Tensor, {"ndim": 2}]'),
        ("R.Shape(ndim=3)", 'Annotated[R.Shape, {"ndim": 3}]'),
        ("R.Prim('int64')", 'Annotated[R.Prim, "int64"]'),
        ("R.Tuple", "R.Tuple"),
        ("R.Callable", "R.Callable"),
        ("R.Callable(ret=R.Tensor, purity=True)", 'Annotated[R.Callable, {"ret": R.Tensor, "purity": True}]'),
        (
            'R.DTensor((4,), "float32", R.device_mesh((2,), [0, 1]), "S[0]")',
            'Annotated[R.DTensor, (4,), "float32", R.device_mesh((2,), [0, 1]), "S[0]"]',
        ),
    ],
)
def test_every_kind(written: str, printed: str) -> None:
    func = tvmscript.from_source(f"@R.function\ndef main(x: {written}) -> R.Object:\n    return x\n")
    text = func.script(annotated=True)
    assert f"def main(x: {printed}) -> {printed}:" in text
    assert_structural_equal(tvmscript.from_source(text), func)


@pytest.mark.parametrize(
    ("annotation", "error"),
    [("Annotated[R.Tensor]", InvalidArguments), ("Annotated[3, 4]", InvalidArguments),
     ("Annotated[R.exp, 4]", tvmscript.TVMScriptError), ("Annotated[T.Buffer, (4,)]", InvalidAnnotation)],
)  # fmt: skip
def test_what_is_no_annotation(annotation: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        tvmscript.from_source(f"@R.function\ndef main(x: {annotation}):\n    return x\n")
