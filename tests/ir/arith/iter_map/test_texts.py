"""Index maps whose forms TVM 0.17 was asked for."""

from __future__ import annotations

import pytest

from tests.ir.arith.test_rules import NAMES, read
from tvmscript.arith import (
    IterMapLevel,
    detect_iter_map,
    iter_map_simplify,
    normalize_iter_map_to_expr,
    normalize_to_iter_sum,
    subspace_divide,
)
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.tir.expr import Range
from tvmscript.ir.tir.var import Var

Domains = dict[str, str]


def domains(given: Domains) -> dict[Var, Range]:
    """Ranges by the texts of their ends: "4" or "2:8"."""
    made: dict[Var, Range] = {}
    for name, text in given.items():
        first, _, last = text.rpartition(":")
        made[NAMES[name]] = Range.from_min_extent(
            read(first or "0"), read(str(int(last) - int(first)) if first else last)
        )
    return made


IJ: Domains = {"i": "16", "j": "4"}

#: indices, domains, predicate -> what they are and how many values they take; nothing where they are no map
DETECTED: list[tuple[list[str], Domains, str, list[tuple[str, str]]]] = [
    (["i // 4", "i % 4"], {"i": "16"}, "", [("i // 4", "4"), ("i % 4", "4")]),
    (["i // 4", "i % 4"], {"i": "14"}, "", []),
    (["i // 4"], {"i": "14"}, "", [("i // 4", "4")]),
    (["i % 4"], {"i": "14"}, "", [("i % 4", "4")]),
    (["(i + 1) // 4"], {"i": "14"}, "", [("(i + 1) // 4", "4")]),
    (["(i - 7) // 4"], {"i": "16"}, "", [("(i + 1) // 4 + -2", "5")]),
    (["(i // 4 + 1) // 3"], {"i": "16"}, "", [("(i + 4) // 12", "2")]),
    (["i * 4 + j"], IJ, "", [("i * 4 + j", "64")]),
    (["i * 2 + j"], IJ, "", [("i * 2 + j", "34")]),
    (["i * 4 + j"], IJ, "i * 4 + j < 37", [("i * 4 + j", "37")]),
    (["i * 4 + j"], IJ, "T.And(i * 4 + j < 37, i * 4 + j >= 3)", [("i * 4 + j + -3 + 3", "34")]),
    (["i * 4 + j"], IJ, "i < 9", [("i * 4 + j", "36")]),
    (["i * 4 + j"], IJ, "i == 9", []),
    (["i * 10 + j * 4 + k"], {"i": "4", "j": "3", "k": "4"}, "j * 4 + k < 10", [("i * 10 + (j * 4 + k)", "40")]),
    (["i"], {"i": "3:12"}, "", [("i - 3 + 3", "9")]),
    (["i // 4"], {"i": "3:12"}, "", [("(i - 3 + 3) // 4", "3")]),
    (["i * n + j"], {"i": "16", "j": "n"}, "", [("i * n + j", "n * 16")]),
    (["i // n", "i % n"], {"i": "n * 16"}, "", [("i // n", "16"), ("i % n", "n")]),
    (["i // n", "i % n"], {"i": "16"}, "", []),
    (["i % 8 // 2"], {"i": "16"}, "", [("i % 8 // 2", "4")]),
    (["i % 8 // 3"], {"i": "16"}, "", []),
    (["i * 3 // 4"], {"i": "16"}, "", []),
    (["i * j"], IJ, "", []),
    (["T.min(i, 3)"], {"i": "16"}, "", []),
    (["i", "i"], {"i": "16"}, "", []),
    (["4 // (i + 1)"], {"i": "16"}, "", []),
    (["i + 1"], {"i": "j", "j": "4"}, "", []),
]

#: ranges that depend on an index: a map for each of its values, which TVM does not look for
DETECTED_IN_EACH: list[tuple[list[str], Domains, str, list[tuple[str, str]]]] = [
    (["i // 4", "j", "i % 4"], {"i": "j * 4", "j": "4"}, "", [("i // 4", "j"), ("j", "4"), ("i % 4", "4")]),
    (["i", "j"], {"i": "j", "j": "4"}, "i + j < 3", []),
    (["i + j", "j"], {"i": "j", "j": "4"}, "", []),
    (["i", "j", "j"], {"i": "j", "j": "4"}, "", []),
    (["i", "j", "k"], {"i": "j", "j": "k", "k": "4"}, "", []),
]


@pytest.mark.parametrize(("indices", "iters", "predicate", "expected"), DETECTED)
def test_detection(indices: list[str], iters: Domains, predicate: str, expected: list[tuple[str, str]]) -> None:
    condition = read(predicate) if predicate else True
    found = detect_iter_map([read(index) for index in indices], domains(iters), condition)
    made = [(str(normalize_iter_map_to_expr(total)), str(total.args[0].extent)) for total in found.indices]
    assert made == expected
    assert bool(found.errors) is not bool(expected)


@pytest.mark.parametrize(("indices", "iters", "predicate", "expected"), DETECTED_IN_EACH)
def test_detection_in_each(indices: list[str], iters: Domains, predicate: str, expected: list[tuple[str, str]]) -> None:
    condition = read(predicate) if predicate else True
    exprs = [read(index) for index in indices]
    found = detect_iter_map(exprs, domains(iters), condition, in_each=True)
    made = [(str(normalize_iter_map_to_expr(total)), str(total.args[0].extent)) for total in found.indices]
    assert made == expected
    assert not detect_iter_map(exprs, domains(iters), condition).indices


def test_padding_has_a_predicate() -> None:
    found = detect_iter_map([read("(i + 1) // 4")], domains({"i": "14"}))
    left, right = "(i + 1) // 4 == 0 and (i + 1) % 4 < 1", "(i + 1) // 4 == 3 and (i + 1) % 4 >= 3"
    assert str(found.padding_predicate) == f"{left} or {right}"
    assert str(detect_iter_map([read("i // 4")], domains({"i": "16"})).padding_predicate) == "T.bool(False)"


def test_bijective_maps_use_all_iterators() -> None:
    assert not detect_iter_map([read("i")], domains({"i": "16", "j": "2"}), True, "bijective").indices
    assert detect_iter_map([read("0"), read("i")], domains({"i": "16", "j": "1"}), True, "bijective").indices
    assert detect_iter_map([read("j"), read("i")], domains(IJ), True, IterMapLevel.Bijective).indices
    with pytest.raises(WrongType, match="bijective, surjective or nocheck"):
        detect_iter_map([read("i")], domains(IJ), True, "injective")


#: index -> the sum of digits, large scales first
SUMS = [
    ("j + i * 4", "i * 4 + j"),
    ("j + i * 4 + k * n", "i * 4 + k * n + j"),
    ("j + i * 4 + k * n * 8", "k * (n * 8) + i * 4 + j"),
    ("i // 4 * 4 + i % 4", "i"),
    ("i // 4 * 8 + i % 4", "i // 4 * 8 + i % 4"),
    ("i * j + k", "k + i * j"),
    ("T.min(i, j) * 4 + k", "k + T.min(i, j) * 4"),
    ("i * 2 + j - i", "i + j"),
    ("i + n * 3 + 1 + n", "i + (n * 3 + 1 + n)"),
]


@pytest.mark.parametrize(("index", "expected"), SUMS)
def test_sums(index: str, expected: str) -> None:
    total = normalize_to_iter_sum(read(index), domains({**IJ, "k": "8"}))
    assert str(normalize_iter_map_to_expr(total)) == expected


def test_sums_need_ranges_without_iterators() -> None:
    with pytest.raises(WrongType, match="ranges without iterators"):
        normalize_to_iter_sum(read("i"), domains({"i": "j", "j": "4"}))


SIMPLIFIED = [
    ("i // 4 * 4 + i % 4", "", "i"),
    ("(i * 8 + j * 2) // 4 + k", "", "(i * 4 + j) // 2"),
    ("i * j", "", "i * j"),
    ("(i * 4 + j) // 8", "i * 4 + j < 37", "(i * 4 + j) // 8"),
    ("i % 16", "i * 4 + j * 3 < 7", "i"),
]


@pytest.mark.parametrize(("index", "predicate", "expected"), SIMPLIFIED)
def test_simplification(index: str, predicate: str, expected: str) -> None:
    condition = read(predicate) if predicate else True
    made = iter_map_simplify([read(index)], domains({**IJ, "k": "1"}), condition)
    assert [str(expr) for expr in made] == [expected]


KIJ: Domains = {"k": "4", "i": "4", "j": "3"}

#: bindings, domains, inner iterators, predicate -> (outer, extent, inner, extent) of each, and the predicates
DIVIDED: list[tuple[list[str], Domains, str, str, list[tuple[str, str, str, str]]]] = [
    (["k * 12 + i * 3 + j + n"], KIJ, "j", "", [("k * 4 + i", "16", "j + n", "3")]),
    (["k * 12 + i * 3 + j + n"], KIJ, "ij", "", [("k", "4", "i * 3 + j + n", "12")]),
    (["k * 12 + i * 3 + j"], KIJ, "i", "", []),
    (["i", "j", "5"], KIJ, "j", "", [("i", "4", "0", "1"), ("0", "1", "j", "3"), ("0", "1", "5", "1")]),
    (["i + 1"], KIJ, "j", "", [("i", "4", "1", "1")]),
    (["(i * 3 + j) // 6", "(i * 3 + j) % 6"], KIJ, "j", "", []),
    (
        ["(k * 12 + i * 3 + j) // 24", "(k * 12 + i * 3 + j) // 3 % 8", "(k * 12 + i * 3 + j) % 3"],
        KIJ,
        "j",
        "",
        [("(k * 4 + i) // 8", "2", "0", "1"), ("(k * 4 + i) % 8", "8", "0", "1"), ("0", "1", "j", "3")],
    ),
    (["i * 3 + j"], KIJ, "j", "i * 3 + j < 10", []),
]


@pytest.mark.parametrize(("bindings", "iters", "inner", "predicate", "expected"), DIVIDED)
def test_division(
    bindings: list[str], iters: Domains, inner: str, predicate: str, expected: list[tuple[str, str, str, str]]
) -> None:
    condition = read(predicate) if predicate else True
    found = subspace_divide(
        [read(binding) for binding in bindings], domains(iters), [NAMES[name] for name in inner], condition
    )
    sides = [[(str(normalize_iter_map_to_expr(mark.source)), str(mark.extent)) for mark in pair] for pair in found]
    assert [(*outer, *inside) for outer, inside in sides[:-1]] == expected


@pytest.mark.parametrize(("inner", "place"), [("", 0), ("ij", 1)])
def test_predicates_on_one_side_stay(inner: str, place: int) -> None:
    found = subspace_divide([read("i * 4 + j")], domains(IJ), [NAMES[name] for name in inner], read("i * 4 + j < 14"))
    assert str(found[-1][place].extent) == "i * 4 + j < 14"
    assert str(found[-1][1 - place].extent) == "T.bool(True)"


def test_bounds_of_sums_in_bounded_sums() -> None:
    """A sum that starts above 0, in a sum with a bound of its own: what it starts at counts once."""
    made = iter_map_simplify(
        [read("(i + j - 1) * 2 + k")],
        domains({"i": "8", "j": "1", "k": "5"}),
        read("0 < i + j and (i + j) * 2 + k < 3 and k < 2 and i + j < 3"),
    )
    assert [str(expr) for expr in made] == ["(i + -1) * 2 + k"]
