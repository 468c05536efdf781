"""The CUDA text of kernels, which needs no compiler."""

from __future__ import annotations

import re

import pytest

import tvmscript
from tests.backends.cuda.kernels import (
    ARCHITECTURES,
    HOPPER,
    INTEGERS,
    KERNELS,
    MERGED,
    NARROW,
    PADDED,
    SYMBOLIC,
    TILED,
    VECTOR,
    source,
)
from tvmscript.backends.cuda.errors import NotSupportedByCuda
from tvmscript.backends.cuda.program import HEADERS, headers, self_contained
from tvmscript.ir.transform.context import PassContext

SYMBOLIC_IN_CUDA = """\
#include "tvmscript/base.cuh"
#include "tvmscript/float16.cuh"

extern "C" __global__ void __launch_bounds__(128) add_kernel(const float *__restrict__ A, \
const float16 *__restrict__ B, float *__restrict__ C, int32_t n) {
    const int32_t blockIdx_x = blockIdx.x;
    const int32_t threadIdx_x = threadIdx.x;
    if (blockIdx_x * 128 + threadIdx_x < n) {
        C[blockIdx_x * 128 + threadIdx_x] = __expf(A[blockIdx_x * 128 + threadIdx_x]) \
+ (float)(float16)__expf((float)B[blockIdx_x * 128 + threadIdx_x]);
    }
}
"""
LANES = """\
@T.prim_func
def lanes(A: T.Buffer((64,), "float32"), B: T.Buffer((32,), "float32"), C: T.Buffer((16,), "float32")):
    t = T.launch_thread("threadIdx.x", 8)
    B[t * 4 : t * 4 + 4] = A[t * 8 + 1 : t * 8 + 5] + A[t * 8 : t * 8 + 8 : 2]
    C[t * 2 : t * 2 + 2] = (
        T.vectorhigh("float32x2", A[t * 4 : t * 4 + 4]) - T.vectorlow("float32x2", A[t * 4 : t * 4 + 4])
    )
"""
VECTOR_IN_CUDA = """\
    {
        const Vec<float16, 8> A_1 = *(const Vec<float16, 8> *)&A[blockIdx_x * 512 + threadIdx_x * 8];
        const Vec<float, 8> B_1 = *(const Vec<float, 8> *)&B[blockIdx_x * 512 + threadIdx_x * 8];
        Vec<float16, 8> values;
#pragma unroll
        for (int32_t lane = 0; lane < 8; ++lane) {
            values[lane] = A_1[lane] * A_1[lane] + (float16)max_float32(B_1[lane], 0.0f);
        }
        *(Vec<float16, 8> *)&C[blockIdx_x * 512 + threadIdx_x * 8] = values;
    }
"""


def test_names_and_conditions_are_those_of_the_script() -> None:
    assert source(SYMBOLIC).text == SYMBOLIC_IN_CUDA


def test_vectors_are_loaded_once_and_computed_in_registers() -> None:
    assert VECTOR_IN_CUDA in source(VECTOR).text


def test_a_guarded_vector_is_loaded_under_its_condition() -> None:
    text = source(PADDED).text
    assert "threadIdx_x < 15 ? *(const Vec<float, 4> *)&A[threadIdx_x * 4] : Vec<float, 4>::filled(0.0f);" in text


def test_launch_bounds_are_the_threads_of_all_axes() -> None:
    assert "__launch_bounds__(256)" in source(TILED).text


def test_vectors_that_are_unaligned_strided_or_halves_are_computed_lane_by_lane() -> None:
    text = source(LANES).text
    assert "values[lane] = A[threadIdx_x * 8 + 1 + lane] + A[threadIdx_x * 8 + 2 * lane];" in text
    assert "values[0] = value[2];\n        values[1] = value[3];" in text
    assert "values_1[0] = value_1[0];\n        values_1[1] = value_1[1];" in text


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_every_kernel_has_a_text(name: str, arch: str) -> None:
    text = source(KERNELS[name], arch).text
    assert 'extern "C" __global__ void' in text
    assert text.count("{") == text.count("}")


@pytest.mark.parametrize(("dtype", "arch", "kind"), [
    ("bfloat16", "sm_80", "bfloat16"), ("bfloat16", "sm_75", "uint16_t"),
    ("e4m3_float8", "sm_89", "e4m3_float8"), ("e4m3_float8", "sm_80", "uint8_t"),
])  # fmt: skip
def test_narrow_floats_are_bits_where_the_device_has_none(dtype: str, arch: str, kind: str) -> None:
    assert re.search(rf"const {kind} \*__restrict__ A", source(NARROW.format(dtype=dtype), arch).text)


def test_integers_wrap_and_convert_as_the_interpreter_says() -> None:
    text = source(INTEGERS).text
    assert "saturate<int8_t>(C[threadIdx_x])" in text
    assert "reinterpret<float>(B[threadIdx_x])" in text
    assert "__popc(" in text


def test_instructions_of_hopper_are_inline_assembly() -> None:
    text = source(HOPPER, "sm_90a").text
    assert "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p0, 1, 1, 0, 0;" in text
    assert '"mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(shared_address(&bars[0])), "r"(1u) : "memory"' in text
    assert '"setmaxnreg.inc.sync.aligned.u32 40;"' in text


def test_numbers_of_instructions_that_are_not_known_yet_are_constants_of_the_compiler() -> None:
    text = source(
        '# from tvm.script import tirx as T\n@T.prim_func\ndef main(A: T.Buffer((128,), "uint32")):\n'
        '    t = T.launch_thread("threadIdx.x", 128)\n'
        "    for i in range(2):\n        T.ptx.lop3.b32(A[t], A[t], A[t], A[t], i)\n"
    ).text
    assert '"n"(i) : "memory");' in text


@pytest.mark.parametrize(("place", "is_aligned"), [("P[t] * 4", True), ("P[t] * 4 + 2", False), ("P[t]", False)])
def test_a_variable_for_a_place_is_as_aligned_as_its_value(place: str, is_aligned: bool) -> None:
    text = source(
        '@T.prim_func\ndef main(A: T.Buffer((64,), "float32"), P: T.Buffer((8,), "int32")):\n'
        '    t = T.launch_thread("threadIdx.x", 8)\n'
        f"    with T.LetStmt({place}) as place:\n        A[place : place + 4] = T.broadcast(T.float32(1), 4)\n"
    ).text
    assert ("*(Vec<float, 4> *)&A[place] =" in text) is is_aligned


def test_lines_of_the_script_on_demand() -> None:
    with PassContext(config={"tir.enable_debug": True}):
        text = tvmscript.build(tvmscript.from_source(SYMBOLIC), target="cuda").get_source("cu")
    assert "#line 13 " in text
    assert "#line" not in tvmscript.build(tvmscript.from_source(SYMBOLIC), target="cuda").get_source("cu")


def test_a_text_with_all_that_it_includes() -> None:
    text = self_contained(source(VECTOR).text)
    assert '#include "tvmscript' not in text
    assert text.count("struct float16 {") == 1


def test_headers_define_what_the_table_says() -> None:
    assert HEADERS.keys() == headers().keys()
    for header, names in HEADERS.items():
        for name in names.split():
            assert re.search(rf"\b{name}\b", headers()[header]), f"{header} has no {name}"


def test_vectors_of_4_bits_are_those_of_integers() -> None:
    """`int4` is a vector of CUDA."""
    text = """
@T.prim_func
def main(A: T.Buffer((64,), "int4"), B: T.Buffer((64,), "int4")):
    for tx in T.thread_binding(16, thread="threadIdx.x"):
        for v in T.vectorized(4):
            B[tx * 4 + v] = A[tx * 4 + v] + A[tx * 4 + v]
"""
    assert "Vec<int32_t, 4> values;" in source(text).text


def test_integers_of_4_bits_wrap_when_they_are_stored() -> None:
    """`int4` is a vector of CUDA: it is no name of the type."""
    assert "C[threadIdx_x] = nibble<true>((int32_t)((int32_t)A[threadIdx_x]" in source(KERNELS["nibbles"]).text


REFUSED = {
    "a barrier of the scope 'global'": 'T.tvm_storage_sync("global")',
    "the operator tir.simdgroup_load": "T.simdgroup_load(A.data, 0, A.data, 8)",
    "an array of int4 in a kernel": 'S = T.decl_buffer((4,), "int4", scope="local")\n    S[0] = T.Cast("int4", tx)',
    "a conversion from float32 to int4": 'A[tx] = T.Cast("float32", T.Cast("int4", A[tx]))',
    "call_extern of a name that is no constant": 'A[tx] = T.call_extern("float32", "no name", A[tx])',
    "memory of the scope 'warp_pool'": 'S = T.decl_buffer((4,), "float32", scope="warp_pool")\n    S[0] = A[0]',
    "the thread axis warpIdx.x": 'w = T.launch_thread("warpIdx.x", 2)\n    A[w] = A[tx]',
    "the array S, whose size is no constant": (
        'S = T.decl_buffer((n,), scope="local")\n    for k in range(n): S[k] = A[k]\n'
        "    for k in range(n): A[k] = S[n - 1 - k]"
    ),
    "a vector of float32x4 that has no form lane by lane": (
        "A[T.Ramp(tx, 1, 4)] = A.vload([T.Ramp(0, 1, 4)], predicate=T.Broadcast(n > 0, 4))"
    ),
    "a store to places that have no form lane by lane": (
        'A[T.Cast("int32x4", A.vload([T.Ramp(0, 1, 4)], predicate=T.Broadcast(n > 0, 4)))] = T.Broadcast(A[tx], 4)'
    ),
    "func_call without a name and a text": 'A[tx] = T.cuda.func_call("f", A[tx], source_code=n, return_type="float32")',
    "mov_sreg of a name that is no constant": "A[tx] = T.Cast('float32', T.cuda.mov_sreg(32, n))",
    "a reduction that is none of sum, max, min": 'A[tx] = T.cuda.warp_reduce(A[tx], "xor", 32)',
    "mma.sync without a shape, layouts and dtypes": (
        'T.ptx_mma("float32", "m16", "row", "col", "fp16", "fp16", "fp32", A.data, 0, A.data, 0, A.data, 0, False)'
    ),
    "mma_store of another shape than 16 x 16": 'T.mma_store("float32", 32, 8, A.data, A.data, 0, 8)',
    "ldmatrix of a number that is no constant": (
        'T.ptx_ldmatrix("float16", T.bool(False), n, ".b16", A.data, 0, A.data, 0)'
    ),
    "cp_async of a number of bytes that is no constant": 'T.ptx_cp_async("float32", A.data, 0, A.data, 0, n)',
    "a wait for a number of groups that is no constant": "T.ptx_wait_group(n)",
    "a number of barriers that is no constant": "T.create_barriers(n)",
    "the fragments S, whose number is no constant": (
        'S = T.allocate([n], "float16", "wmma.accumulator")\n    T.tvm_fill_fragment(S, 16, 16, 16, 0, T.float32(0))'
    ),
    "the wmma fragment S, of which no dtype and shape": (
        'S = T.decl_buffer((256,), "float16", scope="wmma.matrix_a")\n    A[tx] = T.Cast("float32", S[0])'
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_has_no_text_is_refused_with_its_place(what: str) -> None:
    dialect = "# from tvm.script import tirx as T\n" if "T.cuda" in REFUSED[what] else ""
    program = f"""{dialect}
@T.prim_func
def main(A: T.Buffer((64,), "float32"), n: T.int32):
    tx = T.launch_thread("threadIdx.x", 64)
    {REFUSED[what]}
"""
    with pytest.raises(NotSupportedByCuda, match=what) as raised:
        source(program)
    assert raised.value.span is not None


def test_kernels_call_no_functions() -> None:
    with pytest.raises(NotSupportedByCuda, match="a call of scale in a kernel"):
        source("""
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def scale(x: T.float32) -> T.float32:
        T.ret(x)

    @T.prim_func
    def main(A: T.Buffer((64,), "float32")):
        cls = Module
        tx = T.launch_thread("threadIdx.x", 64)
        A[tx] = cls.scale(A[tx])
""")


def test_offsets_into_merged_memory_count_bytes() -> None:
    """Copies to memory that was merged have offsets in bytes, ldmatrix in elements: the text has the same units."""
    text = source(MERGED).text
    assert "cp_async<16>((float16 *)&buf_dyn_shmem[threadIdx_x * 16], " in text
    assert "ldmatrix<1>(R, &((float16 *)&buf_dyn_shmem[0])[(threadIdx_x & 7) * 8]" in text


def test_products_of_the_same_sums_are_one_statement() -> None:
    call = "T.ptx.wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16({sums}, desc[{place}], desc[2], True, 1, 1, 0, 0)"
    sums = {name: ", ".join(f"{name}[{place}]" for place in range(4)) for name in "cd"}
    calls = [call.format(sums=sums[name], place=place) for name, place in (("c", 0), ("c", 1), ("d", 0))]
    text = source(
        "\n    ".join(
            [
                "# from tvm.script import tirx as T\n@T.prim_func\ndef main():",
                'bx = T.launch_thread("blockIdx.x", 1)',
                'tx = T.launch_thread("threadIdx.x", 128)',
                'desc = T.decl_buffer((3,), "uint64", scope="local")',
                *(f'{name} = T.decl_buffer((4,), "float32", scope="local")' for name in sums),
                *calls,
            ]
        ),
        "sm_90a",
    ).text
    assert text.count("asm volatile") == 2
    first, second = text.split("asm volatile")[1:]
    assert "setp.ne.b32 p0, %6, 0;" in first
    assert "{%0, %1, %2, %3}, %4, %5, p0, 1, 1, 0, 0;" in first
    assert "setp.ne.b32 p0, %9, 0;" in first
    assert "{%0, %1, %2, %3}, %7, %8, p0, 1, 1, 0, 0;" in first
    assert '"l"(desc[0]), "l"(desc[2]), "r"(1u), "l"(desc[1]), "l"(desc[2]), "r"(1u) : "memory"' in first
    assert '"+f"(d[0])' in second
    assert "%7" not in second


ARGUMENTS = """@T.prim_func
def f(
    A: T.Buffer((64,), "float32"), N: T.Buffer((64,), "int32"), W: T.Buffer((64,), "uint32"),
    H: T.Buffer((64,), "float16"), S: T.Buffer((64,), "int8x4"), U: T.Buffer((64,), "uint8x4")
):
    t = T.launch_thread("threadIdx.x", 32)
    """


@pytest.mark.parametrize(
    ("statement", "lines"),
    [
        (
            'T.print("a {} 100% {:.3f} {}", N[t], A[t], W[t])',
            [r'printf("a %lld 100%% %.3f %llu\012", (int64_t)N[t], (double)A[t], (uint64_t)W[t]);'],
        ),
        (r'T.cuda.printf("%d\n", N[t])', [r'printf("%d\012", N[t]);']),
        ('A[t] = T.cuda.ldg(A.ptr_to([t]), "float32")', ["A[t] = *(const float *)&A[t];"]),
        ('A[t] = T.cuda.warp_reduce(A[t], "sum", 32)', ["A[t] = warp_reduce<Sum, 32>(A[t]);"]),
        ('A[t] = T.cuda.warp_reduce(A[t], "max", 8)', ["A[t] = warp_reduce<Max, 8>(A[t]);"]),
        (
            'W[t] = T.cuda.mov_sreg("uint32", "laneid")',
            ["uint32_t laneid;", 'asm volatile("mov.u32 %0, %%laneid;" : "=r"(laneid));', "W[t] = laneid;"],
        ),
        (
            'W[t] = T.cuda.mov_sreg("uint32", "%tid.x")',
            ["uint32_t tid_x;", 'asm volatile("mov.u32 %0, %%tid.x;" : "=r"(tid_x));', "W[t] = tid_x;"],
        ),
        ('A[t] = T.call_extern("float32", "fabsf", A[t] + A[t + 1])', ["A[t] = fabsf((A[t] + A[t + 1]));"]),
        ('H[t] = T.call_pure_extern("float16", "hexp", H[t])', ["H[t] = (float16)__expf((float)H[t]);"]),
        (
            "N[t] = T.dp4a(S[t], U[t], N[t])",
            [
                "N[t] = __dp4a(reinterpret<int32_t>(*(const Vec<int8_t, 4> *)&S[t * 4]), "
                "reinterpret<int32_t>(*(const Vec<uint8_t, 4> *)&U[t * 4]), (int32_t)N[t]);"
            ],
        ),
        (
            "N[t] = T.dp4a(U[t], U[t], N[t])",
            [
                "N[t] = (int32_t)__dp4a(reinterpret<uint32_t>(*(const Vec<uint8_t, 4> *)&U[t * 4]), "
                "reinterpret<uint32_t>(*(const Vec<uint8_t, 4> *)&U[t * 4]), (uint32_t)N[t]);"
            ],
        ),
        (
            'T.call_extern("void", "touch", T.tvm_access_ptr(T.type_annotation("float32"), A.data, t, 4, 1))',
            ["touch(&A[t]);"],
        ),
        (
            'T.call_extern("void", "touch", T.tvm_access_ptr(T.type_annotation("float32x4"), A.data, t, 4, 1))',
            ["touch(&A[t * 4]);"],
        ),
        ("if t < 3:\n        T.ret(0)\n    A[t] = 1.0", ["if (t < 3) {", "return;", "}", "A[t] = 1.0f;"]),
    ],
)
def test_instructions_are_written(statement: str, lines: list[str]) -> None:
    header = "# from tvm.script import tirx as T\n" if "T.cuda." in statement else ""
    text = source(f"{header}{ARGUMENTS}{statement}\n").text
    kernel = text.split("const int32_t threadIdx_x = threadIdx.x;")[1].replace("threadIdx_x", "t")
    assert [line.strip() for line in kernel.strip().splitlines()][:-1] == lines


@pytest.mark.parametrize(
    ("dtype", "lanes", "offset", "is_whole"),
    [
        ("float32", 2, 0, True),  # 8 bytes, and aligned so
        ("float32", 2, 1, False),
        ("float32", 4, 4, True),
        ("float32", 4, 2, False),
        ("float32", 8, 4, True),  # no access is wider than 16 bytes
        ("float32", 8, 2, False),
        ("float16", 2, 2, True),
        ("float16", 2, 1, False),
        ("float16", 8, 8, True),
        ("float16", 8, 4, False),
        ("int8", 4, 4, True),
        ("int8", 4, 2, False),
        ("float64", 2, 2, True),
        ("float64", 2, 1, False),
    ],
)
def test_vectors_are_accessed_whole_where_they_are_aligned(dtype: str, lanes: int, offset: int, is_whole: bool) -> None:
    text = source(f"""@T.prim_func
def f(A: T.Buffer((1024,), "{dtype}"), B: T.Buffer((1024,), "{dtype}")):
    t = T.launch_thread("threadIdx.x", 64)
    for v in T.vectorized({lanes}):
        B[t * {lanes} + {offset} + v] = A[t * {lanes} + {offset} + v]
""").text
    assert ("*)&B[" in text) is is_whole
    assert ("*)&A[" in text) is is_whole


@pytest.mark.parametrize(
    ("call", "instruction"),
    [
        ('ptx_mma("int32", "m8n8k128", "row", "col", "int1", "int1", "int32", {}, False, "xor")',
         "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0, %1}, {%2}, {%3}, {%0, %1};"),
        ('ptx_mma("int32", "m8n8k128", "row", "col", "int1", "int1", "int32", {}, False, "and")',
         "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%0, %1}, {%2}, {%3}, {%0, %1};"),
        ('ptx_mma("int32", "m8n8k16", "row", "col", "int8", "int8", "int32", {}, True)',
         "mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"),
        ('ptx_mma("int32", "m8n8k16", "row", "col", "int8", "int8", "int32", {}, False)',
         "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"),
        ('ptx_mma("float32", "m16n8k8", "row", "col", "fp16", "fp16", "fp32", {}, True)',
         "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"),
        ('ptx_mma_sp("int32", "m16n8k32", "row", "col", "int8", "int8", "int32", {}, A.data, 0, 0, True)',
         "mma.sp.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, "
         "{%0, %1, %2, %3}, %8, %9;"),
        ('ptx_mma_sp("int32", "m16n8k32", "row", "col", "int8", "int8", "int32", {}, A.data, 0, 0, False)',
         "mma.sp.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, "
         "{%0, %1, %2, %3}, %8, %9;"),
    ],
)  # fmt: skip
def test_modifiers_of_products(call: str, instruction: str) -> None:
    text = source(
        '@T.prim_func\ndef main(A: T.Buffer((64,), "uint32"), C: T.Buffer((64,), "int32")):\n'
        '    tx = T.launch_thread("threadIdx.x", 32)\n'
        f"    T.{call.format('A.data, 0, A.data, 0, C.data, 0')}\n"
    ).text
    assert f'asm volatile("{instruction}"' in text
