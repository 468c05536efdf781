"""Errors of the graph level: they stand at the argument that is to blame, propose what is meant, and come together."""

from __future__ import annotations

import pytest

import tvmscript

HEAD = (
    '@R.function\ndef main(x: R.Tensor((4,), "float32"), y: R.Tensor((5,), "float32"), '
    'z: R.Tensor((2, 3), "float16"), t: R.Tuple(R.Object, R.Object), c: R.Tensor((), "bool")):\n'
)


def refused(*lines: str) -> tvmscript.DiagnosticError:
    text = HEAD + "".join(f"    {line}\n" for line in (*lines, "return x"))
    with pytest.raises(tvmscript.DiagnosticError) as caught:
        tvmscript.from_source(text)
    return caught.value


@pytest.mark.parametrize(
    ("statement", "code", "blamed", "hint"),
    [
        ("a = R.add(x, y)", "TS1200", "y)", None),
        ("a = R.add(x, x2=y)", "TS1200", "y)", None),
        ("a = R.nn.relu(x + y)", "TS1200", "y)", None),
        ("a = t + x", "TS1200", "t + x", None),
        ("a = x * t", "TS1200", "t", None),
        ("a = -t", "TS1200", "t", None),
        ("a = R.matmul(x, z)", "TS1200", "z)", None),
        ("a = R.nn.softmax(x, axis=7)", "TS1200", "7)", None),
        ("a = R.permute_dims(x, axes=[0, 0])", "TS1200", "[0, 0]", None),
        ("a = R.reshape(x, (3, 3))", "TS1200", "(3, 3)", None),
        ("a = R.astype(x, 'flaot16')", "TS1200", "'flaot16'", "did you mean float16?"),
        ("a = R.nn.softmax(x, axs=0)", "TS1200", "axs=0", "did you mean axis=0?"),
        ("a = R.add(x, 1)", "TS1200", "1)", 'write R.const(1, "float32")'),
        ("a = R.take(x, y)", "TS1200", "y)", None),
        ("a = R.concat([x, z])", "TS1200", "[x, z]", None),
        ("a = t[7]", "TS1003", "7]", None),
        ("a = R.nn.rleu(x)", "TS2004", "R.nn.rleu", "did you mean R.nn.relu?"),
        ("a: R.Tensor((4,), 'flaot32') = x", "TS1001", "'flaot32'", "did you mean float32?"),
        ("a = x.shape", "TS2004", "x.shape", "write R.shape_of(x)"),
        ("while c: pass", "TS2005", "while", "write a recursive function"),
        ("for i in x: pass", "TS2005", "x:", "write a recursive function, or put the loop into a kernel"),
        ("x += y", "TS2005", "x +=", "write x = x + y"),
        ("a = R.emit_te(f, x)", "TS2040", "R.emit_te", None),
    ],
)
def test_the_argument_is_blamed(statement: str, code: str, blamed: str, hint: str | None) -> None:
    error = refused(statement)
    assert (error.code, error.line, error.hint) == (code, 3, hint)
    assert ("    " + statement)[error.column - 1 :].startswith(blamed) if error.column else False


def test_all_errors_are_told_at_once() -> None:
    error = refused(
        "a = R.add(x, y)",
        "b = R.exp(a)",
        "if c:",
        "    d = R.foo(x)",
        "else:",
        "    d = R.matmul(x, z)",
        "e = R.exp(d)",
        "with R.dataflow():",
        "    g = R.bar(x)",
        "    h = R.exp(nope)",
        "    R.output(h)",
        "@R.function",
        "def inner(p: R.Tensor((3,), 'float3')):",
        "    return p",
        "return R.baz(inner)",
    )
    assert [item.line for item in error.errors] == [3, 6, 8, 11, 12, 15]


def test_loops_and_branches_over_what_is_known() -> None:
    func = tvmscript.from_source(
        HEAD
        + "    for i in range(2):\n        for scale, name in [(1.0, 'a'), (2.0, 'b')]:\n"
        + "            if scale > 1.5:\n                x = R.multiply(x, R.const(scale, 'float32'))\n"
        + "            else:\n                x = R.exp(x)\n    return x\n"
    )
    names = [item.value.op.name for item in func.body.blocks[0].bindings]
    assert names == ["relax.exp", "relax.multiply"] * 2


def test_a_loop_that_is_too_long_is_refused() -> None:
    assert refused("for i in range(10000000):", "    x = R.exp(x)").code == "TS2026"


def test_outputs_of_loops_that_are_written_out() -> None:
    block = ("with R.dataflow():", "    for i in range(2):", "        v = R.exp(x)")
    error = refused(*block, "    R.output(v)", "x = v")
    assert (error.code, error.line, error.hint) == ("TS1003", 6, "write v = v after the for or if that assigns it")


def test_an_output_is_named_behind_a_loop() -> None:
    block = ("with R.dataflow():", "    v = x", "    for i in range(2):", "        v = R.exp(v)", "    v = v")
    lines = (*block, "    R.output(v)", "return v")
    func = tvmscript.from_source(HEAD + "".join(f"    {line}\n" for line in lines))
    assert func.script().count("R.exp") == 2
