"""Every case file of graph passes: the text after the pass, that it reads back, that TVM prints the same text."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tests.golden import is_updating
from tests.ir.transform.casefile import GRAPH_CASES, Case, cases, load
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.module import GlobalVar, IRModule

_ALL = {str(path.relative_to(GRAPH_CASES)): load(path) for path in cases(GRAPH_CASES)}


def _parametrized(names: list[str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", [pytest.param(_ALL[name], id=name) for name in names])


every_case = _parametrized([name for name, case in _ALL.items() if case.error is None])
every_error = _parametrized([name for name, case in _ALL.items() if case.error is not None])


@every_case
def test_text(case: Case) -> None:
    before = case.program()
    text = before.script()
    after = case.make_pass()(before).script()
    if is_updating():
        case.update(after)
    assert after.strip() == load(case.path).after.strip()
    assert before.script() == text, "the pass modified its input"
    assert_structural_equal(case.make_pass()(case.program()), tvmscript.from_source(after, check_well_formed=False))


@every_case
def test_second_run(case: Case) -> None:
    if not case.pass_class.is_idempotent:
        pytest.skip("a second run may change more")
    after = case.make_pass()(case.program())
    assert case.make_pass()(after).script() == after.script()


@every_error
def test_error(case: Case) -> None:
    with pytest.raises(TVMScriptError) as caught:
        case.make_pass()(case.program())
    if is_updating():
        case.update(str(caught.value))
    assert type(caught.value).__name__ == case.error
    assert str(caught.value).strip() == load(case.path).after.strip()


#: the oracle looks for passes in `tvm.relax.transform`
_DISTRIBUTED = "relax.distributed."


def _ask(oracle: Any, case: Case) -> str:
    before, name = case.before, case.tvm_pass
    if name.startswith(_DISTRIBUTED):
        leaf = name.removeprefix(_DISTRIBUTED)
        before = f"tvm.relax.transform.{leaf} = tvm.relax.distributed.transform.{leaf}\n{before}"
        name = f"relax.{leaf}"
    text: str = oracle.apply([name], before, check=False, config=case.config or None)
    return text


@pytest.mark.oracle
@every_case
def test_tvm_prints_the_same(case: Case, oracle: Any) -> None:
    if case.tvm_differs:
        pytest.skip(case.tvm_differs)
    after = case.make_pass()(case.program())
    if not isinstance(after, IRModule):
        after = IRModule({GlobalVar("main"): after})
    assert _ask(oracle, case).strip() == after.script(show_meta=False).strip()


@pytest.mark.oracle
@every_error
def test_tvm_refuses_it_too(case: Case, oracle: Any) -> None:
    if case.tvm_differs:
        pytest.skip(case.tvm_differs)
    with pytest.raises(Exception) as caught:  # noqa: PT011  # the oracle's module is not known here
        _ask(oracle, case)
    assert getattr(caught.value, "kind", None) == "tvm-error", caught.value
