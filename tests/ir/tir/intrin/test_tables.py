"""The registries agree with the tables of ../shared/parity, where they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tvmscript.ir.core.op import CallEffect, Op
from tvmscript.ir.tir.intrin import SURFACE, Intrinsic

PARITY = Path(__file__).parents[5] / "shared" / "parity"

EFFECTS = {
    "kExprAnnotation": CallEffect.EXPR_ANNOTATION,
    "kPure": CallEffect.PURE,
    "kReadState": CallEffect.READ_STATE,
    "kUpdateState": CallEffect.UPDATE_STATE,
    "kSpecialCallArg": CallEffect.SPECIAL_CALL_ARG,
    "kEmbedInfo": CallEffect.EMBED_INFO,
    "kControlJump": CallEffect.CONTROL_JUMP,
}
#: TVM registers fewer (or more) arguments than its own functions pass.
MISCOUNTED = {"tir.fmod": 2, "tir.lookup_param": 1, "tir.q_multiply_shift": 4}
#: TVM says that it is pure, yet it writes to registers.
MISJUDGED = {"tir.ptx_ldg32": CallEffect.UPDATE_STATE}
#: TVM prints these without their dtype, which then does not read back.
DTYPE_LOST = {"tir.tvm_mfma", "tir.tvm_mfma_store", "tir.tvm_rdna_wmma", "tir.tvm_rdna_wmma_store"}
#: Kinds of objects that this level does not have.
NOT_EXPRESSIONS = {"comm_reducer", "index_map", "target"}


def rows(name: str) -> list[dict[str, str]]:
    path = PARITY / name
    if not path.exists():
        pytest.skip("no parity tables: ../shared/parity is not there")
    header, *lines = [line.rstrip("\n").split("\t") for line in path.read_text().splitlines()]
    return [dict(zip(header, line, strict=True)) for line in lines]


def test_every_operator_is_registered() -> None:
    table = rows("tir_intrinsics.tsv")
    assert {row["op"] for row in table} <= set(Op.registry)
    assert len(table) == 158


def test_operators_agree_with_the_table() -> None:
    for row in rows("tir_intrinsics.tsv"):
        op = Op.registry[row["op"]]
        assert isinstance(op, Intrinsic)
        assert op.doc.endswith((".", "0.")), op
        assert op.vectorizable == (row["vectorizable"] == "yes"), op
        if row["num_inputs"]:
            assert op.num_inputs == MISCOUNTED.get(op.name, int(row["num_inputs"])), op
        if row["effect"]:
            assert op.effect is MISJUDGED.get(op.name, EFFECTS[row["effect"]]), op
        if row["in_oracle"] == "yes":
            if op.name not in DTYPE_LOST:
                assert op.dtype_position == (row["dtype_printed"] or "none"), op
            if op.name != "tir.call_spirv_pure_glsl450":  # has no function in T to read it back
                assert op.script_name == row["printed_name"], op


def test_every_function_of_the_language_is_offered() -> None:
    wanted = {row["name"][2:] for row in rows("tir_script.tsv") if row["kind"] in ("intrinsic", "helper")}
    assert wanted - set(SURFACE) == NOT_EXPRESSIONS


def test_every_function_has_a_doc() -> None:
    assert [name for name, function in SURFACE.items() if not function.__doc__] == []
