"""Integer sets equal those of TVM 0.17, up to the form of the ends."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.ir.arith.test_rules import NAMES, read
from tvmscript.arith import Analyzer, ConstIntBound, IntervalSet, IntSet, ModularSet, int_set
from tvmscript.ir.arith.int_set import Domain, eval_set, intersect, union, union_lower_bound
from tvmscript.ir.core import DType
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.tir.expr import IntImm, Range, Var

FIRST, SECOND, FREE = (NAMES[name] for name in "ijk")


def interval(low: str, high: str) -> IntervalSet:
    """An interval by the text of its ends."""
    return IntervalSet(
        int_set.NEG_INF if low == "-inf" else read(low), int_set.POS_INF if high == "inf" else read(high)
    )


def range_(first: str, extent: str) -> Range:
    return Range.from_min_extent(read(first), read(extent))


#: i in [0, 7], j in [0, n - 1]: expression -> ends
EVALUATED = {
    "i * 4 + j": ("0", "n + 27"),
    "i - j": ("1 - n", "7"),
    "-i": ("-7", "0"),
    "k": ("k", "k"),
    "i * k": ("T.Select(0 <= k, 0, k * 7)", "T.Select(0 <= k, k * 7, 0)"),
    "i % 16": ("0", "7"),
    "(i + 3) % 4": ("0", "3"),
    "j // 4": ("0", "(n - 1) // 4"),
    "i // -2": ("-4", "0"),
    "i // T.max(n, 1)": ("0", "7 // T.max(n, 1)"),
    "i % T.max(n, 1)": ("0", "T.max(n - 1, 0)"),
    "T.min(i, n)": ("T.min(0, n)", "T.min(7, n)"),
    "T.max(i, n)": ("T.max(0, n)", "T.max(7, n)"),
    "T.min(j, 5)": ("0", "T.min(n - 1, 5)"),
    "T.Select(i < 3, i, j)": ("0", "T.max(7, n - 1)"),
    "T.if_then_else(i < 3, i, 9)": ("0", "9"),
    "T.truncdiv(i, 4)": ("0", "1"),
    "T.truncmod(i, 3)": ("0", "2"),
    "i * i": ("0", "49"),
    "i * j": ("0", "n * 7 - 7"),
    "i % y": ("-inf", "inf"),
    "i // j": ("-inf", "inf"),
}


@pytest.mark.parametrize("text", EVALUATED)
def test_evaluated(text: str) -> None:
    domains: Mapping[Var, Domain] = {FIRST: IntervalSet(0, 7), SECOND: range_("0", "n")}
    assert str(eval_set(read(text), domains)) == str(interval(*EVALUATED[text]))


def test_domains_may_depend_on_each_other_and_be_open() -> None:
    domains: Mapping[Var, Domain] = {SECOND: IntervalSet(FIRST, read("i + 3")), FIRST: range_("0", "8")}
    assert str(eval_set(SECOND, domains)) == "IntervalSet[0, 10]"
    assert str(eval_set(range_("j * 2", "3"), domains)) == "IntervalSet[0, 22]"
    assert str(eval_set(IntervalSet(FIRST, int_set.POS_INF), domains)) == "IntervalSet[0, pos_inf]"
    open_: Mapping[Var, Domain] = {FIRST: IntervalSet(3, int_set.POS_INF)}
    assert str(eval_set(read("5 - i * 2"), open_)) == "IntervalSet[neg_inf, -1]"
    assert str(eval_set(read("T.min(i, 20)"), open_)) == "IntervalSet[3, 20]"
    assert eval_set(IntSet.nothing(), open_).is_nothing()
    assert str(eval_set(read("i < 3"), open_)) == "IntervalSet[T.bool(False), T.bool(True)]"
    assert str(IntSet.vector(read("T.Ramp(i, -2, 4)"))) == "IntervalSet[i - 6, i]"
    with pytest.raises(WrongType):
        eval_set(read('T.Cast("float32", i)'), {})


def test_several_sets() -> None:
    some, other = interval("0", "n"), interval("i", "15")
    assert str(union([some, other])) == "IntervalSet[T.min(0, i), T.max(n, 15)]"
    assert str(intersect([some, other])) == "IntervalSet[T.max(0, i), T.min(n, 15)]"
    assert intersect([interval("0", "2"), interval("5", "7")]).is_nothing()
    assert intersect([]).is_everything()
    assert union([]).is_nothing()
    assert union([IntSet.nothing(), some]) is some
    assert union([IntSet.everything(), some]).is_everything()
    assert str(intersect([IntSet.everything(), some])) == str(some)
    lower = [
        union_lower_bound([interval("0", "10"), interval(*ends)]) for ends in (("5", "15"), ("11", "15"), ("12", "15"))
    ]
    assert list(map(str, lower)) == ["IntervalSet[0, 15]", "IntervalSet[0, 15]", "IntervalSet[0, 10]"]


def test_what_a_set_is() -> None:
    assert IntSet.everything().is_everything()
    point = IntSet.single_point(FIRST)
    assert point.is_single_point()
    assert point.point_value() is FIRST
    with pytest.raises(WrongType):
        interval("0", "3").point_value()
    assert interval("i + 1", "1 + i").can_prove_single_point()
    assert not IntSet.everything().can_prove_single_point()
    assert interval("1", "n").can_prove_positive()
    assert not interval("0", "n").can_prove_positive()
    assert interval("0", "n").can_prove_non_negative()
    assert interval("n", "-1").can_prove_negative()
    assert interval("n", "0").can_prove_non_positive()
    assert not IntSet.everything().can_prove_non_negative()


def test_ranges() -> None:
    assert str(IntSet.from_range(range_("i", "n"))) == "IntervalSet[i, i + n - 1]"
    covered = interval("i", "i + 3").cover_range()
    assert covered is not None
    assert str(covered) == str(range_("i", "4"))
    assert interval("0", "inf").cover_range(range_("0", "n")) is not None
    assert interval("0", "inf").cover_range() is None
    assert interval("i", "n + i - 1").match_range(range_("i", "n"))
    assert not interval("0", "inf").match_range(range_("0", "8"))


def test_analyzer_with_tvms_names() -> None:
    facts, size = Analyzer(), Var("v", "int64")
    facts.bind(FIRST, range_("0", "8"))
    facts.bind(SECOND, range_("0", "n"))
    assert str(facts.int_set(read("i * 4 + j"))) == "IntervalSet[0, n + 27]"
    assert str(facts.int_set(read("i + k"))) == "IntervalSet[k, k + 7]"
    assert str(facts.int_set(read("i + k"), {FREE: IntervalSet(0, 3)})) == "IntervalSet[i, i + 3]"
    assert facts.const_int_bound(read("i * 4 + 3")) == ConstIntBound(3, 31)
    assert facts.const_int_bound(size) == ConstIntBound(ConstIntBound.NEG_INF, ConstIntBound.POS_INF)
    assert facts.modular_set(read("x * 6 + 4")) == ModularSet(6, 4)
    facts.update(size, ConstIntBound(3, ConstIntBound.POS_INF))
    assert facts.can_prove_greater_equal(size, 3)
    facts.update(size, ConstIntBound(0, 9))
    assert facts.const_int_bound(size) == ConstIntBound(3, 9)
    facts.update(size, ConstIntBound(0, 9), override=True)
    assert facts.const_int_bound(size) == ConstIntBound(0, 9)
    assert facts.can_prove_less(read("i"), 8)
    assert not facts.can_prove_less(read("i"), 7)
    with facts.constraint_scope(read("k % 4 == 0")):
        assert facts.modular_set(FREE) == ModularSet(4, 0)
    with facts.constraint_scope(read("T.truncmod(k, 4) == 2")):
        assert facts.modular_set(FREE) == ModularSet(4, 2)
    assert facts.modular_set(FREE) == ModularSet(1, 0)
    for simplify in (facts.simplify, facts.rewrite_simplify, facts.canonical_simplify):
        assert str(simplify(read("(i * 8 + i) // 9"))) == "i"
    assert facts.simplify(read("i + 0"), steps=0).script() == "T.Add(i, 0)"


def test_ends_that_do_not_fit_are_no_ends() -> None:
    """A find of `tvmscript fuzz arith`: 11 * (2**30 - 1) was written as an int32, which wraps around."""
    found = eval_set(read("i * (k % 1073741824)"), {FIRST: range_("0", "12"), FREE: range_("0", "1073741824")})
    assert str(found) == "IntervalSet[0, pos_inf]"
    assert str(eval_set(read("i * 100000000"), {FIRST: range_("0", "12")})) == "IntervalSet[0, 1100000000]"


#: finds of `tvmscript fuzz arith`: ends beyond int32 wrapped around inside of what they were part of
INSIDE = {
    ("T.Cast('int64', T.Div(x, 2) + (y + x))", "x < -1"): (
        "T.Cast('int64', y) - T.int64(3221225472)",
        "T.Cast('int64', y) - T.int64(3)",
    ),
    ("T.Select(y < 1, -1 * x, y * 2)", "x <= 5"): ("T.min(-5, y * 2)", "inf"),
    ("T.min(x * -1, y * 3)", "x <= 5"): ("T.min(-5, y * 3)", "y * 3"),
}


@pytest.mark.parametrize(("text", "condition"), INSIDE)
def test_ends_that_do_not_fit_inside_of_others(text: str, condition: str) -> None:
    facts = Analyzer()
    with facts.constraint(read(condition)):
        found = facts.int_set(read(text))
    assert str(found) == str(interval(*INSIDE[text, condition]))


@pytest.mark.parametrize(
    ("dtype", "first", "ends"),
    [
        ("uint32", "-3", ("-inf", "inf")),
        ("uint64", "-3", ("-inf", "inf")),
        ("int8", "125", ("-inf", "inf")),
        ("uint32", "3", ("T.uint32(3)", "T.uint32(10)")),
        ("int64", "-3", ("T.int64(-3)", "T.int64(4)")),
    ],
)
def test_ends_of_casts(dtype: str, first: str, ends: tuple[str, str]) -> None:
    """A find of `tvmscript fuzz arith`: -3 is none of the unsigned numbers, and what it becomes is the largest."""
    found = eval_set(read(f"T.Cast({dtype!r}, i)"), {FIRST: range_(first, "8")})
    assert str(found) == str(interval(*ends))


def test_products_of_ends_do_not_wrap() -> None:
    """A find of `tvmscript fuzz arith`: -2**31 // 2 times -7 was written as an int32."""
    numbers = {SECOND: IntervalSet(-3, 4)}
    product = read("T.max(-18, T.shift_right(j, 1)) * T.truncdiv(T.min(j, -14), 2)")
    assert str(eval_set(product, numbers)) == "IntervalSet[neg_inf, 126]"


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32", "int64", "uint64"])
def test_signs_at_the_ends_of_types(dtype: str) -> None:
    """What is proven of an interval holds for both of its ends, and is proven where it does."""
    low, high = DType(dtype).min_value, DType(dtype).max_value
    ends = sorted({value for base in (low, 0, high) for value in (base - 1, base, base + 1) if low <= value <= high})
    for first in ends:
        for last in ends:
            if first > last:
                continue
            made = IntervalSet(IntImm(dtype, first), IntImm(dtype, last))
            assert made.can_prove_positive() == (first > 0)
            assert made.can_prove_non_negative() == (first >= 0)
            assert made.can_prove_negative() == (last < 0)
            assert made.can_prove_non_positive() == (last <= 0)
            assert made.can_prove_single_point() == (first == last)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64"])
def test_ranges_at_the_ends_of_types(dtype: str) -> None:
    """A range of constants has the members that Python's integers have, also up to the last value of its type."""
    low, high = DType(dtype).min_value, DType(dtype).max_value
    for first in (low, 0, 1, high - 1, high):
        for extent in (1, 2, 3):
            if first + extent - 1 > high:
                continue
            made = IntSet.from_range(Range.from_min_extent(IntImm(dtype, first), IntImm(dtype, extent)))
            assert isinstance(made.min_value, IntImm)
            assert isinstance(made.max_value, IntImm)
            assert (made.min_value.value, made.max_value.value) == (first, first + extent - 1)
