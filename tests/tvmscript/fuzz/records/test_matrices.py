"""Functions are asked about values of the classes that their annotations name, and what they refuse is an answer."""

from __future__ import annotations

import pytest

from tvmscript.fuzz.observing import observed
from tvmscript.fuzz.records.matrices import check_matrix, choices_of, values_of
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import Target
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.schedule.primitive import rolling_buffer
from tvmscript.ir.tir import For, IntImm, Range, Stmt, Var


@pytest.mark.parametrize("hint", [Stmt, For, Range, Var, IntImm, TensorStructInfo, int, bool, str, Target])
def test_values_are_of_the_class(hint: type) -> None:
    values = values_of(hint)
    assert len(values) > 1
    assert all(isinstance(each, hint) for each in values)


def test_values_of_collections_and_unions_are_those_of_their_parts() -> None:
    assert {type(each) for each in values_of(int | None)} == {int, type(None)}
    assert all(isinstance(part, Var) for each in values_of(tuple[Var, ...]) for part in each)
    lists = [make() for make in values_of(list[Var])]
    assert {len(each) for each in lists} == {0, 1, 2, 3}
    assert isinstance(values_of(Analyzer)[0](), Analyzer)


def test_other_annotations_are_refused() -> None:
    with pytest.raises(NotImplementedError, match="complex"):
        values_of(complex)
    with pytest.raises(NotImplementedError, match="None"):
        choices_of(open)


def test_answers_tell_what_a_function_does(monkeypatch: pytest.MonkeyPatch) -> None:
    path = "ir.schedule.primitive.rolling_buffer:_match_tile"
    with observed() as notes:
        check_matrix(path, "ir.schedule.primitive.rolling_buffer:nothing")
    answer, unknown = notes
    assert answer.startswith("_match_tile ")
    assert unknown.startswith("unknown ")

    def match_nothing(part: Range) -> None:
        """Find no form of any range."""

    monkeypatch.setattr(rolling_buffer, "_match_tile", match_nothing)
    with observed() as others:
        check_matrix(path)
    assert others != [answer]
