"""Every name of TVM's `R` is there, and takes what TVM's takes; what is refused is on the page that says why."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from tests.tvmscript.language.test_intrinsic_tables import table
from tvmscript import R, relax
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.names.unsupported import UnsupportedName
from tvmscript.tvm_names import AbsentName

ROWS = table("relax_script.tsv")
pytestmark = pytest.mark.skipif(not ROWS, reason="no parity tables: ../shared/parity is not there")

PAGE = Path(__file__).parents[3] / "grammar_docs" / "relax.md"
REFUSED = {"R.emit_te", "R.If", "R.Then", "R.Else", "R.SeqExpr", "R.arg", "R.emit_var_binding"}
#: Names that take more since TVM 0.18, or the same in other words.
OTHERS = {
    "R.assert_op": "what is printed may be given one by one",
    "R.call_packed": "attributes are called attrs",
    "R.output": "*variables",
    **dict.fromkeys(
        ("R.ccl.allgather", "R.ccl.allreduce", "R.grad.take_backward", "R.hint_on_device", "R.memory.alloc_tensor",
         "R.nn.batch_norm", "R.take", "R.vm.alloc_tensor"),
        "later",
    ),
}  # fmt: skip


def found(name: str) -> Any:
    value: Any = R
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    return value


def written(signature: str) -> list[str]:
    """The parameters of a signature of the table."""
    head = ast.parse(f"def f{re.sub('->.*$', '', signature).strip()}: pass").body[0]
    assert isinstance(head, ast.FunctionDef)
    args = head.args
    made = [arg.arg for arg in (*args.posonlyargs, *args.args)]
    made += [f"*{args.vararg.arg}"] if args.vararg is not None else []
    made += [arg.arg for arg in args.kwonlyargs]
    made += [f"**{args.kwarg.arg}"] if args.kwarg is not None else []
    return [name for name in made if name not in ("span", "self")]


def ours(builtin: Builtin) -> list[str]:
    stars: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return [stars.get(item.kind, "") + item.name for item in inspect.signature(builtin).parameters.values()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_name(row: dict[str, str]) -> None:
    name = row["name"]
    value = found(name)
    assert isinstance(value, UnsupportedName) == (name in REFUSED)
    if isinstance(value, Builtin):
        theirs = written(row["signature"])
        if OTHERS.get(name) == "later":
            assert ours(value)[: len(theirs)] == theirs
        elif name not in OTHERS:
            assert ours(value) == theirs


def _not_supported() -> str:
    return PAGE.read_text(encoding="utf-8").split("## Not supported", 1)[1].split("```")[0]


def test_what_is_refused_is_on_the_page() -> None:
    assert set(re.findall(r"`(R\.\w+)`", _not_supported())) >= REFUSED


def _is_absent(name: str) -> bool:
    try:
        getattr(relax.transform, name)()
    except AbsentName:
        return True
    except TypeError:  # it takes arguments
        return False
    return False


def test_passes_that_are_absent_are_on_the_page() -> None:
    """Every pass of TVM is there, or says why it is not; the page says the same."""
    names = {row["name"].removeprefix("relax.") for row in table("passes_relax.tsv")}
    absent = {name for name in names if _is_absent(name)}
    assert absent == set(re.findall(r"`(\w+)`", _not_supported())) & names
