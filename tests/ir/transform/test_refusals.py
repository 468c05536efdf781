"""One program for each reason for which a pass refuses one."""

from __future__ import annotations

from textwrap import indent

import pytest

import tvmscript
from tvmscript.ir.core.errors import IRError
from tvmscript.ir.transform.registry import get_pass

HEAD = '@T.prim_func\ndef main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((64,), "float32"), n: T.int32):\n'
CUDA = 'T.func_attr({"target": T.target("cuda")})\n'
INIT = """\
with T.block("S"):
    with T.init():
        B[0] = T.float32(0)
    B[0] = B[0] + A[0, 0]
"""
AXIS = """\
for i in range(64):
    with T.block("S"):
        v = T.axis.spatial(64, i)
        B[v] = T.float32(0)
"""


def match(buffer: str, region: str = "A[n:n + 4, 0:16]") -> str:
    return f"""\
with T.block("match"):
    T.reads()
    T.writes({region})
    M = T.match_buffer({region}, {buffer}, offset_factor=1)
    T.evaluate(0)
"""


def change_layout(declared: str = "", place: str = "v, w", after: str = "B[0] = W[0, 0]", weight: str = "A") -> str:
    """A block that copies a weight with rows and columns swapped."""
    return f"""\
W = T.alloc_buffer((16, 16))
V = T.alloc_buffer((16, 16))
for i, j in T.grid(16, 16):
    with T.block("copy"):
        v, w = T.axis.remap("SS", [i, j])
        T.reads({weight}[0:16, 0:16])
        T.writes(W[w, v])
        T.block_attr({{"meta_schedule.layout_rewrite_preproc": T.bool(True)}})
        {declared}
        W[w, v] = {weight}[{place}]
{after}
"""


def allreduce(
    launch: str = 'T.launch_thread("threadIdx.x", 32)', count: int = 1, result: str = "r[0]", axis: str = "tx"
) -> str:
    """A sum over the threads of a block."""
    return f"""\
{CUDA}d = T.allocate([1], "float32", "local")
ty = {launch}
tx = T.launch_thread("threadIdx.x", 32)
r = T.Buffer((1,), data=d, scope="local")
with T.attr(T.comm_reducer(lambda x, y: x + y, [T.float32(0)]), "reduce_scope", T.reinterpret("handle", T.uint64(0))):
    T.tvm_thread_allreduce(T.uint32({count}), B[tx], T.bool(True), {result}, {axis})
"""


def warp(*lines: str, shape: str = "64", launch: str = "") -> str:
    """Memory of a warp."""
    return (
        f'{CUDA}d = T.allocate([64], "float32", "warp")\ntx = T.launch_thread("threadIdx.x", 32)\n{launch}'
        f'W = T.Buffer(({shape},), "float32", data=d, scope="warp")\n' + "".join(f"{line}\n" for line in lines)
    )


def reduce_across(loops: str, values: str) -> str:
    body = f"""\
with T.block("C"):
    v, r = T.axis.remap("SR", [{values}])
    with T.init():
        B[v] = T.float32(0)
    B[v] = B[v] + A[v, r]
"""
    return f"for i in range(16):\n    for {loops}:\n{indent(body, ' ' * 8)}"


def fragment(call: str) -> str:
    return f"""\
f = T.allocate([256], "float16", "wmma.matrix_a")
T.{call}
"""


REFUSED = {
    # TS4001, TS4002
    "axis left": ("tir.CompactBufferAllocation", AXIS, "BlockNotOpaque", "block S has axes"),
    "init left": ("tir.CompactBufferAllocation", INIT, "InitNotLowered", "block S has an init"),
    "init of an opaque block": ("tir.LowerOpaqueBlock", INIT, "InitNotLowered", "block S has an init"),
    # TS4004
    "rows of a match": ("tir.LowerMatchBuffer", match("(16,)", "A[0:n, 0:16]"), "CannotMatch", "the first 1 extents"),
    "strides of a match": ("tir.LowerMatchBuffer", match("(4, 16), strides=[1]"), "CannotMatch", "2 dimensions, but 1"),
    # TS4024
    "memory of a layout block": (
        "tir.RemoveWeightLayoutRewriteBlock", change_layout("U = T.alloc_buffer((1,))"), "NoWeightLayout",
        "must not allocate or match buffers",
    ),
    "elements between": (
        "tir.RemoveWeightLayoutRewriteBlock", change_layout(place="v, 3"), "NoWeightLayout", "must read A at its axes",
    ),
    "old layout in use": (
        "tir.RemoveWeightLayoutRewriteBlock", change_layout(after="B[0] = A[0, 0] + W[0, 0]"), "NoWeightLayout",
        "A is also used in the original layout",
    ),
    "local weight": (
        "tir.RemoveWeightLayoutRewriteBlock", change_layout(weight="V"), "NoWeightLayout",
        "V is neither a parameter nor a constant",
    ),
    # TS4065
    "no reducer": (
        "tir.LowerThreadAllreduce",
        f'{CUDA}tx = T.launch_thread("threadIdx.x", 32)\n'
        "T.tvm_thread_allreduce(T.uint32(1), B[tx], T.bool(True), B[0], tx)\n",
        "InvalidAllreduce", "no reduce_scope is around it",
    ),
    "number of values": ("tir.LowerThreadAllreduce", allreduce(count=2), "InvalidAllreduce", "1 results, but"),
    "result": ("tir.LowerThreadAllreduce", allreduce(result="n"), "InvalidAllreduce", "a result is not an element"),
    "axis": ("tir.LowerThreadAllreduce", allreduce(axis="tx + 1"), "InvalidAllreduce", "is not a thread variable"),
    "other axes": (
        "tir.LowerThreadAllreduce", allreduce('T.launch_thread("laneIdx.x", 2)'), "InvalidAllreduce",
        "it is inside of laneIdx.x",
    ),
    "threads": (
        "tir.LowerThreadAllreduce", allreduce('T.launch_thread("threadIdx.y", n)'), "InvalidAllreduce",
        "the extent of threadIdx.y is not constant",
    ),
    # TS4066
    "element of another thread": (
        "tir.LowerWarpMemory",
        f'{CUDA}d = T.allocate([256], "float32", "warp")\ntx = T.launch_thread("threadIdx.x", 128)\n'
        'W = T.Buffer((256,), "float32", data=d, scope="warp")\nW[tx] = B[0]\nB[tx] = W[(tx + 1) % 128]\n',
        "InvalidWarpMemory", "a thread of a group reads the element",
    ),
    "nothing stored": ("tir.LowerWarpMemory", warp("B[tx] = W[tx]"), "InvalidWarpMemory", "nothing is stored to it"),
    "two strides": ("tir.LowerWarpMemory", warp("W[tx] = B[0]", "W[tx * 2] = B[0]"), "InvalidWarpMemory", "1 and 2"),
    "second launch": (
        "tir.LowerWarpMemory", warp("W[tx] = B[0]", launch='ty = T.launch_thread("threadIdx.x", 32)\n'),
        "InvalidWarpMemory", "threadIdx.x is launched twice",
    ),
    "rows": ("tir.LowerWarpMemory", warp("W[0, tx] = B[0]", shape="2, 32"), "InvalidWarpMemory", "several dimensions"),
    "every other element": (
        "tir.LowerWarpMemory", warp("W[T.Ramp(tx * 2, 2, 2)] = T.Broadcast(B[0], 2)"), "InvalidWarpMemory",
        "a stored vector is not contiguous",
    ),
    # TS4022
    "loop between": (
        "tir.LowerCrossThreadReduction",
        reduce_across('k in T.thread_binding(4, thread="threadIdx.x"):\n      for j in range(4)', values="i, k"),
        "CannotReduceAcrossThreads", "a loop inside of the reduction loops is not one of them",
    ),
    # fragments, TS4043, TS4006, TS4007
    "layout of a fragment": (
        "tir.InferFragment", fragment("tvm_load_matrix_sync(f, 16, 16, 16, 0, A.data, 16, n)"), "WrongFragment",
        "the layout must be a string",
    ),
    "no fragment": (
        "tir.InferFragment", fragment("tvm_fill_fragment(n + 1, 16, 16, 16, 0, T.float32(0))"), "WrongFragment",
        "expected the data of a buffer",
    ),
    "ring without a region": (
        "tir.InjectRollingBuffer", 'T.attr(A, "rolling_buffer_scope", T.bool(True))\nT.evaluate(0)\n', "CannotRoll",
        "it is not realized around the attribute",
    ),
    "realized": (
        "tir.FlattenBuffer", 'C = T.Buffer((4,), "float32")\nT.realize(C[0:4], "")\nC[0] = B[0]\n', "TensorLevelLeft",
        "a BufferRealize of a TE schedule is left",
    ),
    "prefetched": ("tir.FlattenBuffer", "T.prefetch(B, [T.Range(0, 4)])\n", "TensorLevelLeft", "a Prefetch of a TE"),
    "aligned dimension": (
        "tir.StorageFlatten", 'T.func_attr({"from_legacy_te_schedule": True})\nC = T.Buffer((4,), "float32")\n'
        'with T.attr(C, "buffer_dim_align", T.tvm_tuple(n, 16, 5)):\n    T.evaluate(0)\n',
        "TensorLevelLeft", "a dimension that is not constant",
    ),
    # TS4071
    "narrow constant": (
        "tir.BF16StorageLegalize", 'C = T.decl_buffer((4,), "bfloat16")\nC[0] = T.bfloat16(1)\n', "NarrowFloatComputed",
        "cannot lower a FloatImm of bfloat16",
    ),
    "narrow conversion": (
        "tir.BF16StorageLegalize", 'C = T.decl_buffer((4,), "bfloat16")\nB[0] = T.Cast("float32", C[0])\n',
        "NarrowFloatComputed", "cannot lower a Cast of",
    ),
    # TS4067, TS4068
    "unknown device": (
        "tir.LowerTVMBuiltin",
        'T.func_attr({"target": T.target("c")})\n'
        'T.attr("default", "device_id", 0)\nT.attr("default", "device_type", n)\n'
        'T.evaluate(T.dma_copy(0, A.data, B.data, 4, 0))\n',
        "UnknownDevice", "device_type",
    ),
    "unknown convention": (
        'tir.LowerTVMBuiltin(convention="c")', 'T.evaluate(T.tvm_call_packed("f", n))\n', "UnknownConvention",
        "unknown convention c",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "body", "error", "words"), REFUSED.values(), ids=REFUSED)
def test_refused(name: str, body: str, error: str, words: str) -> None:
    func = tvmscript.from_source(HEAD + indent(body, "    "), check_well_formed=False)
    with pytest.raises(IRError) as caught:
        get_pass(name)(func)
    assert type(caught.value).__name__ == error
    assert words in str(caught.value)
