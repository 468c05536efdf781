"""blockize, transform_layout, transform_block_layout, set_axis_separator: options, refusals, and what TVM does."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import tvmscript
from tests.ir.schedule.against_tvm import both
from tests.ir.schedule.scripts import load_script, script_of
from tests.ir.schedule.values import same_values
from tvmscript.fuzz.programs.stages import staged_program
from tvmscript.fuzz.schedule.steps import random_steps
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir.index_map import IndexMap
from tvmscript.schedule import Trace

STAGES = """@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    B = T.alloc_buffer((16, 16))
    for i, j in T.grid(16, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(16, 16):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + T.float32(1)
"""
#: both stages in one loop
TOGETHER = """@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    B = T.alloc_buffer((16, 16))
    for i in range(16):
        for j in range(16):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)
        for j in range(16):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[vi, vj] + T.float32(1)
"""
SUM = """@T.prim_func
def main(A: T.Buffer((14, 7), "int32"), B: T.Buffer((14,), "int32")):
    for i, k in T.grid(14, 7):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = 0
            B[vi] = B[vi] + A[vi, vk]
"""
UNEVEN = """@T.prim_func
def main(A: T.Buffer((100,), "float32"), B: T.Buffer((100,), "float32")):
    for i_0, i_1 in T.grid(13, 8):
        with T.block("B"):
            vi = T.axis.spatial(100, i_0 * 8 + i_1)
            T.where(i_0 * 8 + i_1 < 100)
            B[vi] = A[vi] * T.float32(2)
"""
VIEW = """@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    for i in range(16):
        with T.block("O"):
            vi = T.axis.spatial(16, i)
            A0 = T.match_buffer(A[vi, 0:16], (16,), offset_factor=1)
            for j in range(16):
                with T.block("I"):
                    vj = T.axis.spatial(16, j)
                    C[vi, vj] = A0[vj] * T.float32(2)
"""
THEN_COPIED = (
    SUM.replace("def main(", 'def main(C: T.Buffer((14,), "int32"), ')
    + """    for i in range(14):
        with T.block("C"):
            vi = T.axis.spatial(14, i)
            C[vi] = B[vi]
"""
)
STRIDED = """@T.prim_func
def main(a: T.handle, C: T.Buffer((16, 16), "float32")):
    A = T.match_buffer(a, (16, 16), strides=(32, 1))
    for i, j in T.grid(16, 16):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj]
"""
SHORT = """@T.prim_func
def main(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    for i in range(8):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            C[vi] = A[vi]
"""
OPAQUE = STAGES.replace(
    'with T.block("C"):\n            vi, vj = T.axis.remap("SS", [i, j])',
    'with T.block("C"):\n            vi = T.axis.spatial(16, i)\n            vj = T.axis.opaque(16, j)',
)
TWO = '[sch.get_block("B"), sch.get_block("C")]'

#: what -> program, lines of the script, error, a part of the message; TVM has the same error
REFUSED: dict[str, tuple[str, str, str, str]] = {
    "several blocks below": (
        TOGETHER,
        'sch.blockize(sch.get_loops("B")[0])',
        "NonSingleChildBlockError",
        "loop i contains 2 blocks; exactly one is required",
    ),
    "digits mixed": (
        UNEVEN,
        'sch.blockize(sch.get_loops("B")[1])',
        "SubspaceNotDivisibleError",
        "they mix inner and outer loops",
    ),
    "padding": (
        SUM,
        'sch.transform_layout("B", ("write", 0), lambda i: (i // 4, i % 4))',
        "TransformationIntroducesPaddingError",
        "layout T.index_map(lambda i: (i // 4, i % 4))",
    ),
    "two padding values": (
        SUM,
        'sch.transform_layout("B", "B", lambda i: (i // 4, i % 4), pad_value=lambda i, j: (i, j))',
        "TransformationPaddingIndexMapError",
        "pad_value must have one result, but has 2",
    ),
    "a float for integers": (
        SUM,
        'sch.transform_layout("B", "B", lambda i: (i // 4, i % 4), pad_value=0.0)',
        "TransformationPaddingTypeError",
        "pad_value has dtype float32, but buffer B has dtype int32",
    ),
    "an integer for floats": (
        UNEVEN,
        'sch.transform_layout("B", "B", lambda i: (i // 16, i % 16), pad_value=0)',
        "TransformationPaddingTypeError",
        "pad_value has dtype int32, but buffer B has dtype float32",
    ),
    "another number of axes": (
        STAGES,
        'sch.transform_block_layout("C", lambda i: (i,))',
        "IndexMapNotApplicableToBlockIterError",
        "the index map takes 1 indices, but block C has 2 axes",
    ),
    "no loops": (
        UNEVEN,
        'sch.transform_block_layout("B", lambda i: (i // 2, i % 2))',
        "NotTrivialBindingError",
        "it has 2 loops and 1 axes",
    ),
    "loops in another order": (
        STAGES,
        'sch.reorder(*sch.get_loops("C")[::-1])\nsch.transform_block_layout("C", lambda i, j: (j, i))',
        "NotTrivialBindingError",
        "vi is bound to i, not to j",
    ),
    "not one to one": (
        STAGES,
        'sch.transform_block_layout("C", lambda i, j: (i // 3, j, i % 3))',
        "NotBijectiveAffineIndexMapError",
        "digits of IterMark(i, extent=16) do not cover it",
    ),
    "axes of two kinds": (
        SUM,
        'sch.transform_block_layout("B", lambda i, k: (i * 7 + k,))',
        "OpaqueNewIterTypeError",
        "new axis v0 of block B combines spatial axes and reduction axes",
    ),
    "opaque axes": (
        OPAQUE,
        'sch.transform_block_layout("C", lambda i, j: (j, i))',
        "OpaqueNewIterTypeError",
        "new axis v0 of block C combines opaque axes",
    ),
    "blocks beside": (
        TOGETHER,
        'sch.transform_block_layout("C", lambda i, j: (j, i))',
        "NonSingleChildBlockError",
        "loop i contains 2 blocks; exactly one is required",
    ),
}

#: the same, where TVM has an error of another kind, or none
REFUSED_HERE: dict[str, tuple[str, str, str, str]] = {
    "one block": (STAGES, 'sch.blockize([sch.get_block("B")])', "WrongArgumentCount", "a loop, or several blocks"),
    "root among blocks": (
        STAGES,
        'sch.blockize([sch.get_block("B"), sch.get_block("root")])',
        "RootBlockError",
        "blockize cannot be applied to the root block",
    ),
    "a block twice as deep": (
        VIEW,
        'sch.blockize([sch.get_block("O"), sch.get_block("I")])',
        "BlocksNotTogetherError",
        "one of them is inside another one",
    ),
    "blocks in the wrong order": (
        STAGES,
        'sch.blockize([sch.get_block("C"), sch.get_block("B")])',
        "BlocksNotTogetherError",
        "they are not consecutive, or not alone in their loops",
    ),
    "reductions among blocks": (
        THEN_COPIED,
        "sch.blockize(" + TWO + ")",
        "SubspaceNotDivisibleError",
        "its number of axes differs from that of the blocks before it",
    ),
    "what is outside differs": (
        TOGETHER.replace('"SS", [i, j])\n                C', '"SS", [j, i])\n                C').replace(
            "C[vi, vj] = B[vi, vj]", "C[vi, vj] = B[vj, vi]"
        ),
        "sch.blockize(" + TWO + ")",
        "SubspaceNotDivisibleError",
        "its outer bindings differ from those of the blocks before it",
    ),
    "a view": (
        VIEW,
        'sch.transform_layout("I", ("read", 0), lambda i: (i // 4, i % 4))',
        "BufferIsSubregionError",
        "A0 is a view of A in block O",
    ),
    "a view's separators": (
        VIEW,
        'sch.set_axis_separator("I", ("read", 0), [1])',
        "BufferIsSubregionError",
        "A0 is a view of A in block O",
    ),
    "a buffer with views": (
        VIEW,
        'sch.transform_layout("O", ("read", 0), lambda i, j: (j, i))',
        "OpaqueAccessError",
        "block O accesses A by address or T.match_buffer",
    ),
    "strides": (
        STRIDED,
        'sch.transform_layout("C", "A", lambda i, j: (j, i))',
        "StridedLayoutError",
        "buffer A has explicit strides",
    ),
    "elements at one place": (
        STAGES,
        'sch.transform_layout("C", "C", lambda i, j: (i, j % 2))',
        "NotInvertible",
        "several indices have the same results",
    ),
    "no such buffer": (
        STAGES,
        'sch.transform_layout("C", "D", lambda i, j: (j, i))',
        "BufferIndexOutOfRangeError",
        "block C has 1 read regions",
    ),
    "no such number": (
        STAGES,
        'sch.set_axis_separator("C", ("write", 1), [1])',
        "BufferIndexOutOfRangeError",
        "has 1 write regions",
    ),
    "no buffer at all": (STAGES, 'sch.transform_layout("C", 2.5, lambda i, j: (j, i))', "WrongType", "a buffer takes"),
    "the padding reads something else": (
        SUM,
        'A = sch.get(sch.get_block("B")).reads[0].buffer\n'
        'sch.transform_layout("B", "B", lambda i: (i // 4, i % 4), pad_value=lambda i, j: A[i, 0])',
        "TransformationPaddingExpressionError",
        "pad_value may only read B, but reads A",
    ),
    "root of a block layout": (
        STAGES,
        'sch.transform_block_layout("root", lambda: ())',
        "RootBlockError",
        "transform_block_layout cannot be applied to the root block",
    ),
    "loops shorter than axes": (
        SHORT,
        'sch.transform_block_layout("C", lambda i: (i // 4, i % 4))',
        "NotTrivialBindingError",
        "axis vi has extent 16, loop i has extent 8",
    ),
}


@pytest.mark.parametrize("what", [*REFUSED, *REFUSED_HERE])
def test_refused(what: str) -> None:
    text, script, error, part = {**REFUSED, **REFUSED_HERE}[what]
    sch = Schedule(tvmscript.from_source(text))
    before = sch.mod
    with pytest.raises(TVMScriptError) as caught:
        load_script(script_of(script))(sch)
    assert type(caught.value).__name__ == error
    assert part in str(caught.value)
    if "reorder" not in script:
        assert sch.mod is before


@pytest.mark.oracle
@pytest.mark.parametrize("what", REFUSED)
def test_tvm_refuses(what: str, oracle: Any) -> None:
    text, script, error, _ = REFUSED[what]
    outcome = both(oracle, text, script_of(script))
    assert (outcome.ours, outcome.theirs) == (error, error)


#: what -> program, lines of the script: the result is TVM's, text and all
SAME: dict[str, tuple[str, str]] = {
    "blockize all": (SUM, 'sch.blockize(sch.get_loops("B")[0])'),
    "blockize a sum": (SUM, 'sch.blockize(sch.get_loops("B")[1])'),
    "blockize twice": (SUM, 'sch.blockize(sch.get_loops("B")[1])\nsch.blockize(sch.get_loops("B_o")[0])'),
    "blockize with a predicate": (UNEVEN, 'sch.blockize(sch.get_loops("B")[0])'),
    "a parameter": (STAGES, 'sch.transform_layout("C", ("write", 0), lambda i, j: (j, i // 4, i % 4))'),
    "one dimension": (STAGES, 'sch.transform_layout("C", ("read", 0), lambda i, j: [i * 16 + j])'),
    "by itself": (
        STAGES,
        'sch.transform_layout("C", sch.get(sch.get_block("C")).reads[0].buffer, lambda i, j: (j, i))',
    ),
    "more than enough": (
        STAGES,
        'sch.transform_layout("C", "C", lambda i, j: (i // 2, i % 2, i, j), assume_injective_transform=True)',
    ),
    "floats as padding": (UNEVEN, 'sch.transform_layout("B", "B", lambda i: (i // 64, i % 64), 1.5)'),
    "a padded sum": (SUM, 'sch.transform_layout("B", ("write", 0), lambda i: (i // 4, i % 4), pad_value=1)'),
    "a padded sum, loops exchanged": (
        SUM,
        'sch.reorder(*sch.get_loops("B")[::-1])\n'
        'sch.transform_layout("B", ("write", 0), lambda i: (i // 4, i % 4), pad_value=1)',
    ),
    "padding of what is read": (SUM, 'sch.transform_layout("B", "A", lambda i, k: (i // 4, i % 4, k), pad_value=0)'),
    "no padding where none is needed": (
        SUM,
        'sch.transform_layout("B", ("write", 0), lambda i: (i // 7, i % 7), pad_value=0)',
    ),
    "a parallel loop": (
        SUM,
        'sch.parallel(sch.get_loops("B")[0])\n'
        'sch.transform_layout("B", ("write", 0), lambda i: (i // 4, i % 4), pad_value=0)',
    ),
    "axes exchanged": (STAGES, 'sch.transform_block_layout("C", lambda i, j: (j, i))'),
    "axes joined": (STAGES, 'sch.transform_block_layout("C", lambda i, j: (i * 16 + j,))'),
    "axes cut": (SUM, 'sch.transform_block_layout("B", lambda i, k: (i // 2, k, i % 2))'),
    "separators": (STAGES, 'sch.set_axis_separator("B", "B", [1])'),
    "no separators": (STAGES, 'sch.set_axis_separator("C", ("write", 0), None)'),
    "separators of what has views": (VIEW, 'sch.set_axis_separator("O", ("read", 0), [1])'),
    "separators of a copy": (
        STAGES,
        'sch.set_axis_separator("C", ("write", 0), [1])\nsch.cache_write("C", 0, "shared")',
    ),
}


@pytest.mark.oracle
@pytest.mark.parametrize("what", SAME)
def test_tvm_makes_the_same(what: str, oracle: Any) -> None:
    text, script = SAME[what]
    outcome = both(oracle, text, script_of(script))
    outcome.check()
    assert outcome.has_same_text, outcome.describe()


def scheduled(text: str, *lines: str) -> Schedule:
    """The schedule after a script."""
    sch = Schedule(tvmscript.from_source(text), debug_mask="all")
    load_script(script_of(*lines))(sch)
    return sch


@pytest.mark.parametrize(
    "what", [name for name in SAME if SAME[name][0] != VIEW and "transform_layout" not in SAME[name][1]]
)
def test_values_stay(what: str) -> None:
    text, script = SAME[what]
    same_values(tvmscript.from_source(text), scheduled(text, script).mod, tolerance=1e-6)


def test_a_map_backwards_is_a_layout() -> None:
    sch = scheduled(STAGES, 'sch.transform_layout("B", "B", lambda i, j: (15 - i, j))')
    same_values(tvmscript.from_source(STAGES), sch.mod)
    assert "B[vi, vj] =" not in sch.mod.script()


def test_tiles_may_be_larger_than_the_buffer() -> None:
    sch = scheduled(STAGES, 'sch.transform_layout("B", "B", lambda i, j: (i // 32, j, i % 32), 0.0)')
    same_values(tvmscript.from_source(STAGES), sch.mod)
    assert "B = T.alloc_buffer((1, 16, 32))" in sch.mod.script()


def test_blocks_in_one_block_compute_the_same() -> None:
    sch = scheduled(TOGETHER, f"sch.blockize({TWO})")
    same_values(tvmscript.from_source(TOGETHER), sch.mod)
    assert [region.buffer.name for region in sch.get(sch.get_block("outer_B_C_")).writes] == ["B", "C"]


ELSEWHERE = """@T.prim_func
def main(A: T.Buffer((8, 12), "int32"), B: T.Buffer((8, 12), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(2, 8):
        for j in range(3, 4):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * 2
    for i in range(1, 5):
        with T.block("O"):
            T.reads(A[0:8, 0:12])
            T.writes(C[0:8])
            for k in range(12):
                with T.block("C"):
                    vi, vk = T.axis.remap("SR", [i, k])
                    with T.init():
                        C[vi] = 0
                    C[vi] = C[vi] + A[vi, vk]
"""


@pytest.mark.parametrize("unit", [True, False])
@pytest.mark.parametrize(("block", "place"), [("B", 0), ("B", 1), ("C", 0)])
def test_loops_that_begin_elsewhere(block: str, place: int, unit: bool) -> None:
    """What a loop begins with, and loops around the block around, are added to the axes."""
    sch = scheduled(ELSEWHERE, f'sch.blockize(sch.get_loops("{block}")[{place}], {unit})')
    same_values(tvmscript.from_source(ELSEWHERE), sch.mod)


def test_a_predicate_about_both_sides_is_refused() -> None:
    text = UNEVEN.replace("i_0 * 8 + i_1)", "i_0)").replace("T.axis.spatial(100, i_0)", "T.axis.spatial(13, i_0)")
    sch = Schedule(tvmscript.from_source(text))
    assert not sch.can.blockize(sch.get_loops("B")[1])


def test_the_separators_are_a_step_of_their_own() -> None:
    sch = scheduled(STAGES, 'sch.transform_layout("B", "B", lambda i, j: (j, "axis_separator", i))')
    assert [inst.kind.name for inst in sch.trace.insts] == ["GetBlock", "TransformLayout", "SetAxisSeparator"]
    again = Schedule(tvmscript.from_source(STAGES))
    Trace.from_json(sch.trace.as_json()).apply_to_schedule(again)
    assert again.mod.script() == sch.mod.script()


def test_maps_in_traces_are_those_of_tvm(oracle: Any) -> None:
    steps = (
        'sch.transform_layout("B", "B", lambda i, j: (j // 3, i, j % 3), pad_value=lambda i, j, k: T.float32(0.5))',
        'sch.transform_block_layout("C", lambda i, j: (j, i))',
        'sch.blockize(sch.get_loops("C")[1])',
    )
    sch = scheduled(STAGES, "from tvmscript import T", *steps)
    theirs = tvmscript.from_source(oracle.replay(sch.trace.as_json(), STAGES), check_well_formed=False)
    assert tvmscript.ir.structural_equal(theirs, sch.mod)


def test_an_index_map_is_taken_as_it_is() -> None:
    index_map = IndexMap.from_func(lambda i, j: (j, i), index_dtype="int32")
    sch = Schedule(tvmscript.from_source(STAGES))
    sch.transform_layout("B", ("write", 0), index_map)
    sch.transform_block_layout("C", index_map)
    assert "for ax0, ax1 in T.grid(16, 16):" in sch.mod.script()


def test_wide_indices() -> None:
    text = STAGES.replace("16, 16", "T.int64(16), T.int64(16)")
    sch = scheduled(text, 'sch.transform_layout("B", "B", lambda i, j: (j // 4, i, j % 4))')
    assert "B[vj // T.int64(4), vi, vj % T.int64(4)]" in sch.mod.script()
    same_values(tvmscript.from_source(text), sch.mod)


def test_a_map_of_other_indices_is_converted() -> None:
    sch = Schedule(tvmscript.from_source(STAGES))
    sch.transform_layout("B", "B", IndexMap.from_func(lambda i, j: (j // 4, i, j % 4), index_dtype="int64"))
    assert "B[vj // 4, vi, vj % 4]" in sch.mod.script()


@pytest.mark.parametrize("seed", range(12))
def test_random_steps_keep_values(seed: int) -> None:
    rng = Random(seed)
    text = staged_program(rng.randrange)
    sch = Schedule(tvmscript.from_source(text), seed=seed, debug_mask="all")
    random_steps(sch, rng.randrange, 8, ("blockize", "transform_block_layout", "split", "fuse", "reorder"))
    same_values(tvmscript.from_source(text), sch.mod, tolerance=1e-4)
