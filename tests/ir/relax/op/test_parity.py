"""Operator declarations against tables of TVM's operators."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import Any

import pytest

from tests.ir.relax.op import calls, layers
from tests.ir.relax.op.current import INFERRED as LAYERS_INFERRED
from tests.ir.relax.op.test_new_in_0_27 import INFERRED
from tvmscript.ir.core.op import Op
from tvmscript.ir.relax.op.script_functions import KINDS, signature_of
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.signature import REQUIRED, parse_signature

_TABLES = Path(__file__).parents[5] / "shared" / "parity"

#: every operator of ours by its name in the registry
OPERATORS = {name: each for name, each in Op.registry.items() if isinstance(each, Operator)}


def _rows(name: str) -> list[dict[str, str]]:
    path = _TABLES / name
    if not path.exists():
        pytest.skip("no tables: ../shared/parity is not there")
    head, *rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_categories() -> None:
    wrong = []
    for row in _rows("relax_ops_struct_info.tsv"):
        each = OPERATORS.get(row["op"])
        if each is None:
            continue
        wanted = (row["pure"] == "yes", row["layout_rule"] == "yes", row["mixed_precision"] or None)
        if (each.pure, each.layout is not None, each.mixed_precision) != wanted:
            wrong.append((row["op"], wanted))
    assert wrong == []


def _parameters(signature: str) -> list[tuple[str, Any]]:
    """Names and defaults (`REQUIRED` for none) of a signature as text."""
    function = ast.parse(f"def f{signature}: ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    given = function.args
    names = [each.arg for each in [*given.args, *([given.vararg] if given.vararg else []), *given.kwonlyargs]]
    defaults = [*given.defaults, *[each for each in given.kw_defaults if each is not None]]
    values = [ast.literal_eval(each) for each in defaults]
    return list(zip(names, [REQUIRED] * (len(names) - len(values)) + values, strict=True))


#: what TVM prints for them does not read back in TVM: the values one by one, or no struct info
WIDER = ["R.assert_op", "R.call_inplace_packed", "R.call_pure_packed", "R.invoke_closure", "R.invoke_pure_closure"]


def test_parameters_are_those_of_the_peer() -> None:
    wrong = []
    for row in _rows("relax_script.tsv"):
        each = OPERATORS.get(row["op"])
        # aliases and functions with a name of their own have rows of their own
        if each is None or row["name"] != each.script_name:
            continue
        shown = [
            (name, REQUIRED if parameter.default is parameter.empty else parameter.default)
            for name, parameter in signature_of(each).parameters.items()
        ]
        told = _parameters(row["signature"])
        later = {parameter.name for parameter in parse_signature(each.v0_27_parameters)} - {name for name, _ in told}
        if [pair for pair in shown if pair[0] not in later] != told:
            wrong.append((row["name"], shown, row["signature"]))
    assert [name for name, _, _ in wrong] == WIDER, wrong


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_declarations_hold_together(name: str) -> None:
    each = OPERATORS[name]
    assert {parameter.kind for parameter in each.parameters} <= set(KINDS)
    assert set(each.attributes) == {parameter.name for parameter in each.parameters if not parameter.is_argument}
    assert each.doc.endswith(".")
    assert isinstance(signature_of(each), inspect.Signature)


#: operators whose cases are written out, in `test_layers.py` and `test_layout.py`: their arguments are no texts
BY_HAND = {
    "nn.attention_bias", "hint_on_device", "to_vdevice", "layout_transform", "memory.view", "vm.call_tir_dyn",
    "dist.annotate_sharding", "dist.call_tir_local_view", "dist.redistribute",
}  # fmt: skip


#: of these nobody tells what is inferred; `test_references.py` and `test_layers_new_in_0_27.py` say it
ALONE = {"breakpoint", "call_py_func", "multinomial_from_uniform"}


def test_every_operator_has_cases() -> None:
    """Whether what is inferred is compared: with the oracle, or, for operators that it has not, with TVM 0.27."""
    asked = {case[0].replace("distributed.", "dist.") for case in [*calls.cases(), *layers.cases()]}
    later = {case[0] for case in [*INFERRED, *LAYERS_INFERRED]}
    names = {name.removeprefix("relax.") for name in OPERATORS}
    assert names - asked - later - BY_HAND == ALONE
