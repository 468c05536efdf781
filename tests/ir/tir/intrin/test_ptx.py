"""The table of PTX forms: each row reads, and what it says of operands holds under each combination of modifiers."""

from __future__ import annotations

from itertools import product

import pytest

from tvmscript.ir.tir.intrin.ptx import PTX_FAMILIES, REGISTER_DTYPES, Form, ptx_forms, ptx_modifiers, register_dtypes


def corners(form: Form) -> list[tuple[str, ...]]:
    """Return some permitted combinations: the first and last choices of each position, at most 256 a row."""
    ends = [[sorted({min(choices), max(choices)}) for choices in combination] for combination in form.combinations]
    return [words for row in ends for words, _ in zip(product(*row), range(256), strict=False)]


def test_families() -> None:
    assert len(PTX_FAMILIES) == 101
    assert sum(len(ptx_forms(family)) for family in PTX_FAMILIES) == 553
    assert "m64n96k16" in ptx_modifiers("wgmma")
    assert "shared::cta" in ptx_modifiers("ld")
    assert ptx_modifiers("elect_sync") == frozenset()


@pytest.mark.parametrize("family", sorted(PTX_FAMILIES))
def test_forms(family: str) -> None:
    for form in ptx_forms(family):
        names = [operand.name for operand in form.operands]
        assert len(set(names)) == len(names)
        for words in corners(form):
            modifiers = dict(zip(form.names, words, strict=True))
            assert form.permits(words)
            placed = form.place(tuple([word for word in words if word]))
            assert placed is not None
            assert sorted(placed) == sorted(words)
            for operand, lanes in form.layout(words):
                assert 0 <= lanes <= 128
                if operand.kind == "register":
                    kinds = operand.resolved_type(modifiers).split("|")
                    assert set(kinds) <= {"pred", *REGISTER_DTYPES}
                if operand.is_sinkable:
                    assert operand.kind == "register"


#: modifiers in any order, and how many registers each operand has, by the formulas of the PTX ISA
LANES = {
    "ld.f32.v4.global": [4, 1, 0],
    "ld.v4.L2::cache_hint.f32": [4, 1, 1],
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32": [4, 4, 2, 4],
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32": [4, 4, 2, 4],
    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64": [2, 1, 1, 2],
    "wgmma.mma_async.sync.aligned.m64n96k16.f32.f16.f16": [48, 1, 1, 1, 1, 1, 1, 1],
    "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16": [4, 1],
    "tcgen05.ld.sync.aligned.16x256b.x4.b32": [16, 1],
}


@pytest.mark.parametrize("text", LANES)
def test_numbers_of_registers(text: str) -> None:
    family, *modifiers = text.split(".")
    placed = [(form, form.place(tuple(modifiers))) for form in ptx_forms(family)]
    layouts = [[lanes for _, lanes in form.layout(words)] for form, words in placed if words and form.permits(words)]
    assert LANES[text] in layouts


def test_wider_registers() -> None:
    """A register of a load may be wider than its type; that of a float has bits of its own width or is an integer."""
    assert register_dtypes("u16", "") == ("uint16",)
    assert set(register_dtypes("u16", "~")) == {
        f"{sign}{size}" for sign in ("int", "uint") for size in (16, 32, 64, 128)
    }
    assert set(register_dtypes("f32", "~")) == {
        "float32",
        *(f"{sign}int{size}" for sign in ("", "u") for size in (32, 64, 128)),
    }
    assert {"float32", "float64", "int64"} <= set(register_dtypes("b32", "~"))
    assert set(register_dtypes("s32", "%")) == {"int32", "uint32"}
    assert register_dtypes("u64|s64|u32|s32", "") == ("uint64", "int64", "uint32", "int32")
