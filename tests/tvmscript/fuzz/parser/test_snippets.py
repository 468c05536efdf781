"""Pieces in two spellings, and with faults at known places: all of them hold of the parser as it is."""

from __future__ import annotations

import random

import pytest

from tvmscript.fuzz.parser import area as parser
from tvmscript.fuzz.parser.area import (
    AddressInError,
    ErrorElsewhere,
    ErrorsDepend,
    FaultRead,
    OtherInOtherWords,
    Snippets,
)
from tvmscript.fuzz.parser.faults import faulty
from tvmscript.fuzz.parser.snippets import (
    Pair,
    Several,
    Wrong,
    all_wrong_texts,
    same_texts,
    several_wrong_texts,
    wrong_graphs,
    wrong_kernels,
    wrong_text,
    wrong_tiles,
)
from tvmscript.fuzz.parser.snippets.pieces import pairs, pieces
from tvmscript.ir.core.equality.equal import first_difference
from tvmscript.ir.core.errors import DiagnosticError
from tvmscript.ir.core.span import Source, Span
from tvmscript.parser.diagnostics.errors import UndefinedName
from tvmscript.parser.entry import from_source


@pytest.mark.parametrize("seed", range(60))
def test_pairs_are_the_same_program(seed: int) -> None:
    pair = same_texts(random.Random(seed))
    assert first_difference(from_source(pair.first), from_source(pair.second), map_free_vars=True) is None


@pytest.mark.parametrize("seed", range(20))
def test_faults_are_told_where_they_are(seed: int) -> None:
    parser.check(Snippets((), (wrong_text(random.Random(seed)),)))


@pytest.mark.parametrize("fault", all_wrong_texts(), ids=lambda fault: f"line{fault.line}")
def test_every_fault_is_told_where_it_is(fault: Wrong) -> None:
    parser.check(Snippets((), (fault,)))


def test_an_operator_that_is_not_there() -> None:
    with pytest.raises(DiagnosticError, match=r"there is no operator named tir\.of_no_name"):
        from_source('@T.prim_func\ndef f():\n    T.evaluate(T.Call("int32", "tir.of_no_name", []))\n')


def test_pieces_are_paragraphs() -> None:
    assert pieces("a\nb\n\n## heading\n\nc\n") == ("a\nb", "c")
    assert pairs("a\n# is\nb\nc\n\nd\n# is\ne") == (("a", "b\nc"), ("d", "e"))
    with pytest.raises(ValueError, match="unpack"):
        pairs("a\n\nb\n# is\nc")


def test_marks_are_at_one_place() -> None:
    for text in (*wrong_kernels.KERNELS, *wrong_graphs.GRAPHS, *wrong_tiles.TILES):
        assert text.count("«") == text.count("»") == 1


RIGHT = "@T.prim_func\ndef f(n: T.int32):\n    T.evaluate(n + 1)\n"


def test_check() -> None:
    parser.check(Snippets((Pair(RIGHT, RIGHT),), (Wrong(RIGHT.replace("n + 1", "m"), 3, 16),)))
    with pytest.raises(OtherInOtherWords):
        parser.check(Snippets((Pair(RIGHT, RIGHT.replace("1", "2")),), ()))
    with pytest.raises(FaultRead, match="something is wrong in line 3"):
        parser.check(Snippets((), (Wrong(RIGHT, 3, 1),)))
    with pytest.raises(ErrorElsewhere, match="not at line 3, column 5"):  # TS8057
        parser.check(Snippets((), (Wrong(RIGHT.replace("n + 1", "m"), 3, 5),)))


@pytest.mark.parametrize("seed", range(40))
def test_each_fault_is_reported_next_to_others(seed: int) -> None:
    parser.check(Snippets((), (), (several_wrong_texts(random.Random(seed)),)))


def test_errors_that_depend_on_others() -> None:
    lines = ("a", "b"), ("a", "0"), ("0", "b")
    both, first, second = (RIGHT.replace("n + 1", ")\n    T.evaluate(".join(names)) for names in lines)
    with pytest.raises(ErrorsDepend, match="there are more errors"):  # TS8075
        parser.check(Snippets((), (), (Several(first, (first, second)),)))
    with pytest.raises(ErrorsDepend, match="there are fewer errors"):
        parser.check(Snippets((), (), (Several(both, (first,)),)))


def test_a_fault_has_a_place() -> None:
    fault = faulty(RIGHT)
    assert fault is not None
    assert (fault.name, fault.line, fault.column) == ("a name is not known", 3, 16)


def test_an_error_with_the_address_of_an_object_is_a_find(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str) -> None:
        raise UndefinedName(name=str(object()), span=Span(Source(text), 1, 1, 1, 2))

    monkeypatch.setattr(parser, "from_source", refuse)
    with pytest.raises(AddressInError, match="object at 0x"):
        parser.check("x")
