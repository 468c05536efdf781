"""Parts of programs of the graph level read back: every value, struct info, binding and block of the case files."""

from __future__ import annotations

from pathlib import Path

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.module import GlobalVar
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.relax import expr as E
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import FuncStructInfo

_CASES = sorted((Path(__file__).parents[1] / "cases" / "relax").glob("*.py"))
_PARTS = (RelaxExpr, StructInfo, E.VarBinding, E.MatchCast, E.BindingBlock)


def is_derived(item: E.Var | StructInfo) -> bool:
    """Whether something derives what a function gives: of an external one, the struct info of its call."""
    info = item.struct_info if isinstance(item, E.Var) else item
    return isinstance(info, FuncStructInfo) and info.derive_func is not None


def is_one(part: Node) -> bool:
    """Whether the text of a part says all of it. A dataflow variable that nothing binds is told from no other;
    functions are programs; what other functions give is not said, nor that something derives it (`R.Callable` of an
    external function).
    """
    held = [*nodes(part)]
    bound = {
        binding.var
        for block in held
        if isinstance(block, E.DataflowBlock)
        for binding in block.bindings
        if isinstance(binding, E.VarBinding | E.MatchCast)
    }
    refused = (
        any(isinstance(item, Function) for item in held),
        any(isinstance(item, E.DataflowVar) and item not in bound for item in held),
        sum(isinstance(item, GlobalVar) for item in held) > 1,
        any(isinstance(item, E.Call) and isinstance(item.op, GlobalVar) for item in held),
        any(isinstance(item, E.Var | FuncStructInfo) and is_derived(item) for item in held),
    )
    return not any(refused)


@pytest.mark.parametrize("path", _CASES, ids=lambda path: path.stem)
def test_every_part_reads_back(path: Path) -> None:
    count = 0
    for part in nodes(tvmscript.from_source(path.read_text())):
        if isinstance(part, _PARTS) and is_one(part):
            text = part.script(verbose_expr=True, show_meta=True)
            again = tvmscript.from_source(text)
            assert_structural_equal(part, again, map_free_vars=True)
            assert again.script(verbose_expr=True, show_meta=True) == text
            count += 1
    assert count > 0


X = 'x = T.int64()\na: R.Tensor((1, x, 3), dtype="float32")\n'
BOUND = 'b: R.Tensor((1, x, 3), dtype="float32") = R.sin(a)'


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("R.Object", "ObjectStructInfo"),
        ('x = T.int64()\nR.Tensor((1, x, 3), dtype="float32")', "TensorStructInfo"),
        ('m = T.int64()\nR.Tuple(R.Prim("float32"), R.Object, R.Shape([1, m, 3]))', "TupleStructInfo"),
        (f"{X}a", "Var"),
        ("q: None\nq", "Var"),
        (f"{X}R.add(R.sin(a), a)", "Call"),
        (f"{X}(a, a)", "Tuple"),
        ("t: R.Tuple(R.Object, R.Object)\nt[0]", "TupleGetItem"),
        ("f: R.Callable((R.Object,), R.Object, True)\nb: R.Object\nf(b)", "Call"),
        ("x = T.int64()\nR.shape([1, x, 3])", "ShapeExpr"),
        ("R.prim_value(1)", "PrimValue"),
        ('R.str("hi")', "StringImm"),
        ('R.dtype("float16")', "DataTypeImm"),
        ('R.ExternFunc("f")', "ExternFunc"),
        ('c: R.Tensor((), dtype="bool")\nif c:\n    a: R.Object\n    a\nelse:\n    b: R.Object\n    b', "If"),
        (f"{X}{BOUND}", "VarBinding"),
        (f"{X}{BOUND}\nb", "SeqExpr"),
        (f'{X}{BOUND}\nc: R.Tensor((1, x, 3), dtype="float32") = R.sin(b)', "BindingBlock"),
        (f"{X}{BOUND}\npass", "BindingBlock"),
        ("pass", "BindingBlock"),
        (f"{X}pass\na", "SeqExpr"),
        (f"{X}with R.dataflow():\n    {BOUND}\n    R.output(b)", "DataflowBlock"),
        (f"{X}with R.dataflow():\n    d{BOUND}\n    R.output(db)\ndb", "SeqExpr"),
        (
            f'{X}m = T.int64()\nc: R.Tensor((1, x, 3), dtype="float32") = '
            'R.match_cast(a, R.Tensor((1, m, 3), dtype="float32"))',
            "MatchCast",
        ),
    ],
)
def test_as_tvm_writes_parts(text: str, kind: str) -> None:
    part = tvmscript.from_source(text)
    assert type(part).__name__ == kind
    assert part.script(verbose_expr=True) == text


@pytest.mark.parametrize(
    ("text", "code"),
    [("R.foo", "TS2004"), ("a: R.Object", "TS2005"), ("R.exp(x)", "TS2003"), ("R.function", "TS2011"),
     ("a: R.Object\nb = a\nwith R.dataflow():\n    c = b\n    R.output(c)", "TS2005")],
)  # fmt: skip
def test_what_is_no_part(text: str, code: str) -> None:
    with pytest.raises(tvmscript.DiagnosticError) as caught:
        tvmscript.from_source(text)
    assert caught.value.code == code
