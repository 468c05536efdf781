"""Messages of `assert_structural_equal`."""

from __future__ import annotations

import pickle

import pytest

import tvmscript
from tvmscript import te
from tvmscript.ir.core.equality.equal import NotEqual, assert_structural_equal, explain_mismatches
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.stmt import AttrStmt, Evaluate

TEXT = """
@T.prim_func
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        for j in range(16):
            B[i] = A[j] * T.float32(2)
"""


def message(left: object, right: object) -> str:
    with pytest.raises(NotEqual) as caught:
        assert_structural_equal(left, right)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    return str(caught.value)


def test_every_mismatch_and_the_script() -> None:
    other = TEXT.replace("A[j]", "A[i]").replace("2)", "3)").replace("for j in range", "for j in T.parallel")
    assert message(tvmscript.from_source(TEXT), tvmscript.from_source(other)) == (
        "error[TS1020]: the programs differ at <root>.body.body.kind: loop kind serial against parallel\n"
        "  <root>.body.body.body.value.a.indices[0]: variable j against i\n"
        "  <root>.body.body.body.value.b.value: value 2.0 against 3.0\n"
        "\n"
        "--- left\n"
        "+++ right\n"
        "@@ -2,5 +2,6 @@ f\n"
        "\n"
        " @T.prim_func\n"
        ' def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):\n'
        "-    for i, j in T.grid(16, 16):\n"
        "-        B[i] = A[j] * T.float32(2)\n"
        "+    for i in range(16):\n"
        "+        for j in T.parallel(16):\n"
        "+            B[i] = A[i] * T.float32(3)"
    )


def test_long_messages_are_bounded() -> None:
    def program(first: int) -> str:
        lines = [f"    A[0] = T.float32({first + k})" for k in range(400)]
        return "\n".join(['@T.prim_func\ndef f(A: T.Buffer((16,), "float32")):', *lines])

    text = message(tvmscript.from_source(program(0)), tvmscript.from_source(program(10_000)))
    assert len(text) < 20_000
    assert "more mismatches" in text
    assert "lines left out" in text


def test_what_no_script_can_show_has_the_short_message() -> None:
    def attribute(value: complex) -> AttrStmt:
        return AttrStmt(value, "key", IntImm("int32", 1), Evaluate(IntImm("int32", 0)))

    text = message(attribute(1j), attribute(2j))
    assert text == "error[TS1020]: the programs differ at <root>.node: node 1j against 2j\n  left:  1j\n  right: 2j"
    assert "left:  1\n" in message(1, 2)


def test_without_the_package_the_short_message_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explain_mismatches, "call", lambda left, right, found: "")
    text = message(IntImm("int32", 1), IntImm("int32", 2))
    assert text.startswith("error[TS1020]: the programs differ at <root>.value: value 1 against 2\n  left:  1")


def test_tensors_lead_to_their_operations_and_back() -> None:
    """A message for a part of a cycle ends."""
    A = te.placeholder((8,), name="A")
    one, two = (te.compute((8,), lambda i: A[i] + 1.0, name=name) for name in ("one", "two"))
    with pytest.raises(NotEqual, match="tensor one against two"):
        assert_structural_equal(one, two)
    with pytest.raises(NotEqual, match="computeop one against two"):
        assert_structural_equal(one.op, two.op)
