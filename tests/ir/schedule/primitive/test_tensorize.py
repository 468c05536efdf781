"""tensorize: instructions in the place of loops, what does not match, and that TVM does the same."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tests.ir.schedule.against_tvm import both
from tests.ir.schedule.refusals import Refusal
from tests.ir.schedule.scripts import load_script, script_of
from tests.ir.schedule.values import same_values
from tvmscript.ir.core.errors import UnknownName
from tvmscript.ir.schedule.intrinsics.registry import TensorIntrin
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.schedule import Trace

DOT = """@T.prim_func
def main(A: T.Buffer((8, 64), "uint8"), B: T.Buffer((2, 16, 16, 4), "int8"), C: T.Buffer((8, 32), "int32")):
    for i, j_0, j_1, k_0, k_1 in T.grid(8, 2, 16, 16, 4):
        with T.block("C"):
            vi = T.axis.spatial(8, i)
            vj = T.axis.spatial(32, j_0 * 16 + j_1)
            vk = T.axis.reduce(64, k_0 * 4 + k_1)
            with T.init():
                C[vi, vj] = 0
            C[vi, vj] = C[vi, vj] + T.Cast("int32", A[vi, vk]) * T.Cast("int32", B[vj // 16, vk // 4, vj % 16, vk % 4])
"""
#: what makes the intrinsics known in TVM
IMPORT = """try:
    import tvm.tir.tensor_intrin.x86, tvm.tir.tensor_intrin.cuda
except ImportError:
    pass"""
ORDER = 'i, j_0, j_1, k_0, k_1 = sch.get_loops("C")\nsch.reorder(i, j_0, k_0, j_1, k_1)'
INIT = f'{ORDER}\nsch.decompose_reduction("C", i)'


def matmul(factor: str, total: str, is_transposed: bool) -> str:
    """A product of 32x32 matrices."""
    left, right = "A[vi, vk]", "B[vj, vk]" if is_transposed else "B[vk, vj]"
    if factor != total:
        left, right = f'T.Cast("{total}", {left})', f'T.Cast("{total}", {right})'
    return f"""@T.prim_func
def main(
    A: T.Buffer((32, 32), "{factor}"), B: T.Buffer((32, 32), "{factor}"), C: T.Buffer((32, 32), "{total}")
):
    for i, j, k in T.grid(32, 32, 32):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.{total}(0)
            C[vi, vj] = C[vi, vj] + {left} * {right}
"""


def wmma(factor: str, total: str, is_transposed: bool) -> str:
    """Steps that make a product one of wmma."""
    trans = "_trans" if is_transposed else ""
    return f"""sch.cache_read("C", 0, "shared")
sch.cache_read("C", 1, "shared")
a = sch.cache_read("C", 0, "wmma.matrix_a")
b = sch.cache_read("C", 1, "wmma.matrix_b")
c = sch.cache_write("C", 0, "wmma.accumulator")
i, j, k = sch.get_loops("C")
i_0, i_1 = sch.split(i, [None, 16])
j_0, j_1 = sch.split(j, [None, 16])
k_0, k_1 = sch.split(k, [None, 16])
sch.reorder(i_0, j_0, k_0, i_1, j_1, k_1)
product = sch.blockize(i_1)
def tile(block):
    x, y = sch.get_loops(block)
    x_0, x_1 = sch.split(x, [None, 16])
    y_0, y_1 = sch.split(y, [None, 16])
    sch.reorder(x_0, y_0, x_1, y_1)
    return x_1
sch.tensorize(tile(a), "wmma_load_16x16x16_{factor}_a_shared")
sch.tensorize(tile(b), "wmma_load_16x16x16_{factor}_b{trans}_shared")
sch.tensorize(tile(c), "wmma_store_16x16x16_{total}_global")
init = sch.decompose_reduction(product, sch.get_loops(product)[0])
sch.tensorize(init, "wmma_fill_16x16x16_{total}")
sch.tensorize(product, "wmma_sync_16x16x16_{factor}{factor}{total}{trans}")"""


#: what -> program, steps: the result is TVM's
SAME: dict[str, tuple[str, str]] = {
    "vnni": (DOT, f'{INIT}\nsch.tensorize(j_1, "dot_16x4_vnni")'),
    "a block": (DOT, f'{INIT}\nsch.tensorize(sch.blockize(j_1), "dot_16x4_avx512")'),
    "wide indices": (
        DOT.replace("T.grid(8, 2, 16, 16, 4)", "T.grid(*map(T.int64, (8, 2, 16, 16, 4)))"),
        f'{INIT}\nsch.tensorize(j_1, "dot_16x4_vnni")',
    ),
    "wmma": (matmul("float16", "float32", False), wmma("f16", "f32", False)),
    "wmma, transposed": (matmul("float16", "float16", True), wmma("f16", "f16", True)),
    "wmma of bytes": (matmul("int8", "int32", True), wmma("s8", "s32", True)),
}
SAME["wide indices"] = (
    DOT.replace("T.grid(8, 2, 16, 16, 4)", "T.grid(T.int64(8), T.int64(2), T.int64(16), T.int64(16), T.int64(4))")
    .replace("(8, i)", "(T.int64(8), i)")
    .replace("(32, j", "(T.int64(32), j")
    .replace("(64, k", "(T.int64(64), k")
    .replace("j_0 * 16", "j_0 * T.int64(16)")
    .replace("k_0 * 4", "k_0 * T.int64(4)")
    .replace(
        "vj // 16, vk // 4, vj % 16, vk % 4", "vj // T.int64(16), vk // T.int64(4), vj % T.int64(16), vk % T.int64(4)"
    )
    .replace("(8, 64)", "(T.int64(8), T.int64(64))")
    .replace("(2, 16, 16, 4)", "(T.int64(2), T.int64(16), T.int64(16), T.int64(4))")
    .replace("(8, 32)", "(T.int64(8), T.int64(32))"),
    f'{INIT}\nsch.tensorize(j_1, "dot_16x4_vnni")',
)


@pytest.mark.fuzz
@pytest.mark.oracle
@pytest.mark.parametrize("what", SAME)
def test_tvm_makes_the_same(what: str, oracle: Any) -> None:
    text, steps = SAME[what]
    both(oracle, text, script_of(IMPORT, steps)).check()


@pytest.mark.parametrize("what", SAME)
def test_text(what: str) -> None:
    text, steps = SAME[what]
    program = tvmscript.from_source(text)
    sch = Schedule(program, debug_mask="all")
    load_script(script_of(steps))(sch)
    assert tvmscript.ir.structural_equal(tvmscript.from_source(sch.mod.script()), sch.mod)
    again = Schedule(program)
    Trace.from_json(sch.trace.as_json()).apply_to_schedule(again)
    assert tvmscript.ir.structural_equal(again.mod, sch.mod)


# an intrinsic whose implementation runs in the interpreter

DESC = """@T.prim_func
def desc(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    with T.block("root"):
        T.reads(A[0:4])
        T.writes(B[0:4])
        for i in range(4):
            with T.block("B"):
                vi = T.axis.spatial(4, i)
                B[vi] = A[vi] * T.float32(2)
"""
IMPL = """@T.prim_func
def impl(a: T.handle, b: T.handle):
    s = T.int32()
    A = T.match_buffer(a, (4,), strides=("s_a",), offset_factor=1)
    B = T.match_buffer(b, (4,), strides=("s_b",), offset_factor=1)
    with T.block("root"):
        T.reads(A[0:4])
        T.writes(B[0:4])
        T.block_attr({"note": 1})
        for i in T.unroll(4):
            B[i] = A[i] + A[i]
"""
DOUBLE = """@T.prim_func
def main(A: T.Buffer((2, 4, 8), "float32"), B: T.Buffer((2, 4, 8), "float32")):
    for i, j, k in T.grid(2, 4, 8):
        with T.block("B"):
            vi, vj, vk = T.axis.remap("SSS", [i, j, k])
            B[vi, vj, vk] = A[vi, vj, vk] * T.float32(2)
"""
TILES = "_, j, k = sch.get_loops('B')\nk_0, k_1 = sch.split(k, [2, 4])"


@pytest.fixture(autouse=True)
def intrinsics(monkeypatch: pytest.MonkeyPatch) -> None:
    """`double4`, and others that are registered."""
    monkeypatch.setattr(TensorIntrin, "registry", {})
    register("double4", DESC, IMPL)


def register(name: str, *parts: str) -> None:
    made = [tvmscript.from_source(part) for part in parts]
    assert isinstance(made[0], PrimFunc)
    assert isinstance(made[1], PrimFunc)
    TensorIntrin.register(name, made[0], made[1])


def doubled(*lines: str) -> Schedule:
    sch = Schedule(tvmscript.from_source(DOUBLE), debug_mask="all")
    load_script(script_of(TILES, *lines))(sch)
    return sch


@pytest.mark.parametrize("step", ["sch.tensorize(k_1, 'double4')", "sch.tensorize(sch.blockize(k_1), 'double4')"])
def test_values_stay(step: str) -> None:
    sch = doubled(step)
    same_values(tvmscript.from_source(DOUBLE), sch.mod)
    block = sch.get(sch.get_block("B_o"))
    assert str(block.annotations["note"]) == "1"
    assert [str(match.source) for match in block.match_buffers] == [
        "A[vi_o, vj_o, vk_o * 4:vk_o * 4 + 4]",
        "B[vi_o, vj_o, vk_o * 4:vk_o * 4 + 4]",
    ]


def test_the_same_intrinsic_twice() -> None:
    text = DOUBLE + DOUBLE.split("\n", 2)[2].replace('block("B")', 'block("C")').replace(
        "B[vi, vj, vk] =", "C[vi, vj, vk] ="
    ).replace("= A[", "= B[")
    text = text.replace(
        'B: T.Buffer((2, 4, 8), "float32"))', 'B: T.Buffer((2, 4, 8), "float32"), C: T.Buffer((2, 4, 8), "float32"))'
    )
    sch = Schedule(tvmscript.from_source(text), debug_mask="all")
    for name in "BC":
        _, inner = sch.split(sch.get_loops(name)[-1], [2, 4])
        sch.tensorize(inner, "double4")
    same_values(tvmscript.from_source(text), sch.mod)
    assert tvmscript.ir.structural_equal(tvmscript.from_source(sch.mod.script()), sch.mod)


def _double(*changes: tuple[str, str]) -> str:
    text = DOUBLE.replace("(2, 4, 8)", "(2, 8, 4)").replace("T.grid(2, 4, 8)", "T.grid(2, 8, 4)")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


LAST = 'sch.tensorize(sch.get_loops("B")[-1], "double4")'
REFUSED: dict[str, Refusal] = {
    "root": Refusal(_double(), 'sch.tensorize(sch.get_block("root"), "double4")', "RootBlockError", "the root block"),
    "extent": Refusal(DOUBLE, LAST, "TensorIntrinMismatchError", "the region of B has extent 8, in the description 4"),
    "dtype": Refusal(
        _double(("float32", "float16")),
        LAST,
        "TensorIntrinMismatchError",
        "B has dtype float16, in the description B has dtype float32",
    ),
    "value": Refusal(
        _double(("T.float32(2)", "T.float32(3)")),
        LAST,
        "TensorIntrinMismatchError",
        "it has 3.0 where the description has 2.0",
    ),
    "operation": Refusal(
        _double((" * T", " + T")), LAST, "TensorIntrinMismatchError", "is a Add where the description has a Mul"
    ),
    "order": Refusal(
        _double(("A[vi, vj, vk] * T.float32(2)", "T.float32(2) * A[vi, vj, vk]")),
        LAST,
        "TensorIntrinMismatchError",
        "is a FloatImm where the description has a BufferLoad",
    ),
    "memory": Refusal(
        _double(
            ('B: T.Buffer((2, 8, 4), "float32")', "b: T.handle"),
            ("    for i,", '    B = T.match_buffer(b, (2, 8, 4), scope="shared")\n    for i,'),
        ),
        LAST,
        "TensorIntrinMismatchError",
        "B has storage scope shared, in the description global",
    ),
    "index": Refusal(
        _double(("B[vi, vj, vk] =", "B[vi, vj, 3 - vk] =")),
        LAST,
        "TensorIntrinMismatchError",
        "the region of B starts at 3 - vk_i, not at 0 plus vi",
    ),
    "another region": Refusal(
        _double((" * T.float32(2)", " * B[vi, vj, vk]")),
        LAST,
        "TensorIntrinMismatchError",
        "it reads 2 regions, the description 1 region",
    ),
    "loops": Refusal(
        _double(),
        'sch.tensorize(sch.get_loops("B")[-2], "double4")',
        "TensorIntrinMismatchError",
        "the region of B has extent 8, not 1, in a leading dimension",
    ),
    "memory of the block": Refusal(
        _double(("            B[", '            P = T.alloc_buffer((1,), "float32")\n            B[')),
        LAST,
        "TensorIntrinMismatchError",
        "block B allocates or matches other buffers than the description",
    ),
    "kind of loop": Refusal(
        _double(),
        f'sch.vectorize(sch.get_loops("B")[-1])\n{LAST}',
        "TensorIntrinMismatchError",
        "it has 2 where the description has 0",
    ),
}


def test_annotations_of_a_block_inside_may_be_others() -> None:
    """As in TVM 0.17: those of meta-schedule stand there when blocks are tensorized."""
    noted = _double(("            B[", '            T.block_attr({"x": 1})\n            B['))
    sch = Schedule(tvmscript.from_source(noted))
    load_script(script_of(LAST))(sch)
    assert "T.unroll(4)" in sch.mod.script()


@pytest.mark.parametrize("what", REFUSED)
def test_refused(what: str) -> None:
    refusal = REFUSED[what]
    if "vectorize" not in refusal.step:
        refusal.check()
    else:
        with pytest.raises(tvmscript.TVMScriptError, match=refusal.message):
            load_script(script_of(refusal.step))(Schedule(tvmscript.from_source(refusal.program)))


def test_an_unknown_intrinsic() -> None:
    with pytest.raises(UnknownName, match="did you mean double4"):
        doubled("sch.tensorize(k_1, 'double5')")


def test_an_implementation_that_leaves_out_a_buffer() -> None:
    register("silent", DESC, IMPL.replace("        T.reads(A[0:4])\n", "        T.reads()\n"))
    with pytest.raises(tvmscript.TVMScriptError, match="neither reads nor writes A"):
        doubled("sch.tensorize(k_1, 'silent')")
