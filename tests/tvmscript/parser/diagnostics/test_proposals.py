"""Names that are almost right: what is proposed for each kind of name."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import pytest

import tvmscript
from tvmscript import I, T
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.op import Op
from tvmscript.ir.core.targets.target import Target
from tvmscript.transform import get_pass

FUNC = '@T.prim_func\ndef f(A: T.Buffer((16,), "float32"), length: T.int32):\n    '
MODULE = "@I.ir_module\nclass Module:\n    @T.prim_func\n    def scale(n: T.int32):\n        T.evaluate(n)\n"


@pytest.mark.parametrize(
    ("body", "proposal"),
    [
        ("A[lenght] = 1.0", "did you mean length?"),
        ("A[0] = T.sqrtt(A[0])", "did you mean T.sqrt?"),
        ("A[0] = sqrt(A[0])", "write T.sqrt"),
        ("I.module_attr({})", "did you mean I.module_attrs?"),
        ("for i in T.seriel(4):\n        pass", "did you mean T.serial?"),
        ("for i in T.serial(4, anotations={}):\n        pass", "did you mean annotations?"),
        ("with T.block(nam='x'):\n        pass", "did you mean name?"),
        ("with T.block('x'):\n        v = T.axis.spatail(4, 0)", "did you mean T.axis.spatial?"),
        ("A[0] = T.atan2(x1=A[0], xx2=A[1])", "did you mean x2?"),
        ("A[A.shap[0]] = 1.0", "did you mean shape?"),
        ("A[length.dtyp] = 1.0", "did you mean dtype?"),
        ("B = T.alloc_buffer((4,), 'flaot32')", "did you mean float32?"),
        ("A[0] = T.Cast('flot32', length)", "did you mean float32?"),
        ("B = T.alloc_buffer((4,), dtipe='int32')", "did you mean dtype?"),
        ("A[0] = T.call_intrin('float32', 'tir.exq', A[0])", "did you mean tir.exp?"),
        ("T.func_attr({'target': T.target('lvm')})", "did you mean llvm?"),
        ("T.func_attr({'target': T.target('llvm -mcp=x')})", "did you mean mcpu?"),
        ("T.func_attr({'target': T.target({'kind': 'cuda', 'arc': 'sm_80'})})", "did you mean arch?"),
    ],
)
def test_in_texts(body: str, proposal: str) -> None:
    with pytest.raises(TVMScriptError) as caught:
        tvmscript.from_source(FUNC + body + "\n")
    assert caught.value.errors[0].hint == proposal


def test_in_modules() -> None:
    with pytest.raises(TVMScriptError) as caught:
        tvmscript.from_source(
            MODULE + "    @T.prim_func\n    def main(n: T.int32):\n        Module.scael(n)\n"
        )  # fmt: skip
    assert caught.value.hint == "did you mean Module.scale?"
    with pytest.raises(TVMScriptError) as caught:
        tvmscript.from_source(MODULE.replace("T.prim_func", "T.prim_func(privat=True)"))
    assert caught.value.hint == "did you mean private?"


@pytest.mark.parametrize(
    ("use", "proposal"),
    [
        (lambda: attrgetter("sqroot")(T), "did you mean T.sqrt?"),
        (lambda: attrgetter("ir_modul")(I), "did you mean I.ir_module?"),
        (lambda: DType("flaot32"), "did you mean float32?"),
        (lambda: Op.get("tir.exq"), "did you mean tir.exp?"),
        (lambda: get_pass("tir.Simplifi"), "did you mean tir.Simplify?"),
        (lambda: Target.make("lvm"), "did you mean llvm?"),
        (lambda: tvmscript.from_source(MODULE)["scael"], "did you mean scale?"),
        (lambda: tvmscript.from_source(MODULE).script(indent_space=2), "did you mean indent_spaces?"),
    ],
)
def test_in_python(use: Callable[[], Any], proposal: str) -> None:
    with pytest.raises(TVMScriptError) as caught:
        use()
    assert caught.value.hint == proposal
