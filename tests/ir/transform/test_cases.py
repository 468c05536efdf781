"""Every case file: the text after the pass, that it reads back, that it computes the same, that TVM agrees."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tests.golden import is_updating
from tests.ir.transform.casefile import CASES, Case, cases, load
from tests.ir.transform.running import assert_same_values
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core.equality.equal import assert_structural_equal, structural_equal
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.module import GlobalVar, IRModule
from tvmscript.ir.core.visit import nodes, on
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.expr import Call
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import DeclBuffer
from tvmscript.ir.transform.expressions.simplify import Simplify
from tvmscript.ir.transform.memory.flatten_buffer import FlattenBuffer

_ALL = {str(path.relative_to(CASES)): load(path) for path in cases()}


def _parametrized(names: list[str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", [pytest.param(_ALL[name], id=name) for name in names])


every_case = _parametrized([name for name, case in _ALL.items() if case.error is None])
every_error = _parametrized([name for name, case in _ALL.items() if case.error is not None])


def _refused(case: Case) -> TVMScriptError:
    with pytest.raises(TVMScriptError) as caught:
        case.make_pass()(case.program())
    return caught.value


@every_case
def test_text(case: Case) -> None:
    made = case.make_pass()(case.program())
    if is_updating():
        case.update(made.script())
    assert made.script().strip() == load(case.path).after.strip()


@every_case
def test_reads_back(case: Case) -> None:
    made = case.make_pass()(case.program())
    assert_structural_equal(made, tvmscript.from_source(made.script(), check_well_formed=False), map_free_vars=True)


@every_case
def test_second_run(case: Case) -> None:
    if not case.pass_class.is_idempotent:
        pytest.skip("a second run may change more")
    made = case.make_pass()(case.program())
    assert case.make_pass()(made).script() == made.script()


#: a function of another level
_GRAPH = tvmscript.from_source('@R.function\ndef graph(x: R.Tensor((4,), "float32")):\n    return x\n')
#: the first case of each pass; the only function of a module is its entry
_FIRST = {
    case.pass_name: name
    for name, case in reversed(_ALL.items())
    if case.error is None and case.pass_name != "tir.AnnotateEntryFunc"
}


@_parametrized([*_FIRST.values()])
def test_functions_of_relax_stay(case: Case) -> None:
    program = case.program()
    alone = program if isinstance(program, IRModule) else IRModule({GlobalVar("main"): program})
    graph = GlobalVar("graph")
    made = case.make_pass()(alone.replace(functions={**alone.functions, graph: _GRAPH}))
    assert made["graph"] is _GRAPH
    rest = {var: func for var, func in made.functions.items() if var.name_hint != "graph"}
    assert made.replace(functions=rest).script() == case.make_pass()(alone).script()


def _functions(program: IRModule | PrimFunc) -> list[PrimFunc]:
    parts = program.functions.values() if isinstance(program, IRModule) else [program]
    return [part for part in parts if isinstance(part, PrimFunc)]


@every_case
def test_same_values(case: Case) -> None:
    if case.no_values is not None:
        pytest.skip(case.no_values)
    before = case.program()
    if any(isinstance(node, Call) and getattr(node.op, "name", "") == "tir.call_extern" for node in nodes(before)):
        pytest.skip("the interpreter has no external functions")
    buffers = [buffer for function in _functions(before) for buffer in function.buffer_map.values()]
    if any(not is_const(buffer.elem_offset, 0) for buffer in buffers):
        pytest.skip("arguments are drawn without offsets")
    assert_same_values(before, case.make_pass()(before), is_exact=case.pass_class.is_exact)


@pytest.mark.parametrize("case", list(_ALL.values()), ids=list(_ALL))
def test_input_is_left_alone(case: Case) -> None:
    before = case.program()
    text = before.script()
    if case.error is None:
        case.make_pass()(before)
    else:
        _refused(case)
    assert before.script() == text


@every_error
def test_error(case: Case) -> None:
    raised = _refused(case)
    if is_updating():
        case.update(str(raised))
    assert type(raised).__name__ == case.error
    assert str(raised).strip() == load(case.path).after.strip()


class _WithoutDeclarations(TirRewriter):
    """TVM's lowered programs do not declare the aliases that they use."""

    @on(DeclBuffer)
    def declaration(self, node: DeclBuffer) -> Stmt:
        made: Stmt = self.rewrite(node.body)
        return made


def _ask(oracle: Any, case: Case, *after: str) -> str:
    passes = [case.tvm_pass, *after]
    text: str = oracle.apply(passes, case.before, config=case.config or None, target=case.target, check=False)
    return text


@pytest.mark.oracle
@every_case
def test_tvm_agrees(case: Case, oracle: Any) -> None:
    """TVM's pass gives the same program; flat indices are compared when both are simplified."""
    if case.tvm_differs:
        pytest.skip(case.tvm_differs)
    ours = case.make_pass()(case.program())
    if case.pass_name == FlattenBuffer.name:
        ours, theirs = Simplify()(ours), _ask(oracle, case, Simplify.name)
        ours = ours.with_body(_WithoutDeclarations().rewrite(ours.body))
    else:
        theirs = _ask(oracle, case)
    read = tvmscript.from_source(theirs, check_well_formed=False)
    if isinstance(ours, PrimFunc) and isinstance(read, IRModule) and len(read.functions) == 1:
        (read,) = read.functions.values()
    if structural_equal(ours, read, map_free_vars=True):
        return
    same, where = oracle.equal(theirs, ours.script(), check=False)
    assert same, f"differs at {where}\n{theirs}\n{ours.script()}"


@pytest.mark.oracle
@every_error
def test_tvm_refuses_it_too(case: Case, oracle: Any) -> None:
    if case.tvm_differs:
        pytest.skip(case.tvm_differs)
    with pytest.raises(Exception) as caught:  # noqa: PT011  # the oracle's module is not known here
        _ask(oracle, case)
    assert getattr(caught.value, "kind", None) == "tvm-error", caught.value
