"""Texts with constructs that random programs rarely have: nodes of TE, views, layouts, tiles, devices, constants."""

from __future__ import annotations

from textwrap import indent
from typing import Final

from tvmscript.fuzz.parser.snippets.pieces import pieces
from tvmscript.fuzz.parser.snippets.wrong_tiles import TILE_HEAD
from tvmscript.ir.core import Node
from tvmscript.parser.entry import from_source

#: statements of a kernel in the dialect of TVM 0.17
_KERNELS: Final = pieces("""
T.prefetch(A, [T.Range(0, 4), T.Range(2, 6)])

T.realize(A[0:16, 0:16], "shared")
T.evaluate(0)

k = T.int32()
T.evaluate(T.reduce(T.comm_reducer(lambda u, v: u + v, [T.float32(0)]), source=[A[n, 0]], init=[], axis=[T.iter_var(k, T.Range(0, 4), "CommReduce", "")], condition=T.bool(True), value_index=0))

k = T.int32()
T.evaluate(T.reduce(T.comm_reducer(lambda u, w, v, z: (u + v, w * z), [T.float32(0), 1]), source=[A[n, 0], n], init=[], axis=[T.iter_var(k, T.Range(0, 4), "CommReduce", "")], condition=n < 3, value_index=1))

with T.block("mapped"):
    T.reads()
    T.writes()
    T.block_attr({"inverse": T.index_map(lambda i: (i // T.int64(4), i % T.int64(4)), inverse_index_map=lambda i, j: (i * T.int64(4) + j,)), "map": T.index_map(lambda i, j: (j, i // T.int64(2), i % T.int64(2)))})
    T.evaluate(0)

with T.block("notes"):
    T.reads()
    T.writes()
    T.block_attr({"dict": {"a": {"b": 1}}, "list": [1, "x", [T.float32(2.5), T.bool(True)]], "none": None, "target": T.target({"keys": ["cpu"], "kind": "llvm", "tag": ""})})
    T.evaluate(0)

C = T.allocate_const([1, 2, 3, 4], "int32", [4])
T.evaluate(n)

C = T.allocate_const([0.5, -1.5], "float16", [2])
T.evaluate(n)

T.attr(T.iter_var(n, None, "DataPar", ""), "pragma_scope", "x")
T.evaluate(n)

T.attr(A, "layout", 2)
T.evaluate(n)

T.attr({"k": 1, "l": [2]}, "facts", T.bool(True))
T.evaluate(n)

# with T.block("root"):
C = T.alloc_buffer((4, 8), "int8", scope="shared.dyn", align=32, offset_factor=8, axis_separators=[1])
C[0, 0] = T.int8(1)

C = T.decl_buffer((64,), data=A.data, strides=(2,), elem_offset=n, align=16, buffer_type="auto")
C[0] = T.float32(1)

C = T.allocate([4], "handle", "global")
T.evaluate(C)

A[0, 0:8:2] = T.Broadcast(T.float32(1), 4)

A.vstore([0, T.Ramp(0, 1, 4)], T.Broadcast(T.float32(1), 4), predicate=T.Broadcast(T.bool(True), 4))

T.evaluate(A.vload([0, T.Ramp(0, 1, 4)], predicate=T.Broadcast(n < 3, 4)))

A[0, 0:T.vscale() * 4] = T.Broadcast(T.float32(1), T.vscale() * 4)

T.evaluate(T.Shuffle([T.Broadcast(n, 2), T.Broadcast(1, 2)], [0, 3]))

T.call_packed("f", n, "text", A.data)

T.call_extern("int32", "f", T.float32(2))

T.likely(n < 3)

T.if_then_else(T.bool(True), n, 1)

T.bitwise_and(3, 5)

T.shift_left(n, 0)

T.floor(T.float32(1.5))

T.reinterpret("float32", n)

T.tvm_access_ptr(T.type_annotation("float32"), A.data, 0, 16, 1)

T.address_of(A[0, n])

u = T.int32()
u_1 = T.int32()  # tvmscript: u_1 is undefined here
T.evaluate(T.Let(u_1 + 1, where={u: n}))

tx = T.launch_thread("threadIdx.x", 32)
T.evaluate(tx)

vx = T.launch_thread("vthread.x", 4)
T.evaluate(vx)

for u in T.thread_binding(4, thread="blockIdx.z", annotations={"k": 1}):
    T.evaluate(u)

for u in T.unroll(2, 6, annotations={"pragma_unroll_explicit": T.bool(False)}):
    T.evaluate(u)

for u in T.vectorized(-3, 5):
    T.evaluate(u)

for u, w in T.grid(T.int64(4), T.int64(8)):
    T.evaluate(u + w)

assert n < 3, "too large"
T.evaluate(n)

with T.block("region"):
    T.where(n < 3)
    T.reads(A[0:4, n], B[n:n + 2])
    T.writes()
    T.evaluate(0)

with T.block("opaque", no_realize=True):
    v = T.axis.opaque(16)
    w = T.axis.scan((2, 8))
    T.reads()
    T.writes()
    T.evaluate(v + w)

T.evaluate(T.float64("nan") + T.Mul(T.float64("inf"), T.float64("-inf")))
""")
#: statements of a kernel of 0.27: for threads
_TILES: Final = pieces("""
S = T.alloc_shared((64, 64), "float16")
T.cta.copy(S[0:64, 0:64], A[0:64, 0:64], dispatch="vec_auto", vec_len=4)

S = T.alloc_buffer((64, 64), "float16", scope="tmem", allocated_addr=[0, 128])
T.evaluate(S.data)

S = T.alloc_local((64, 64), "float16", layout=T.TileLayout(T.S[(8, 4, 2, 64):(4 @ Axis.laneid, 1 @ Axis.laneid, 1, 2)]))
S[0, 0] = T.float16(0.0)

S = T.alloc_local((64, 64), "float16", layout=T.TileLayout(T.S[(64, 64):(64, 1)] + T.R[(2, 2):(8 @ Axis.laneid, 1 @ Axis.warpid)] + 3 @ Axis.warpid))
S[0, 0] = T.float16(0.0)

S = T.alloc_local((64, 64), "float16", layout=T.TileLayout(T.S[(64, 64):(64, 1)] + (5 + 2 @ Axis.tid_in_wg)))
S[0, 0] = T.float16(0.0)

S = T.alloc_shared((64, 64), "float16", layout=T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[(64, 64):(64, 1)])))
S[0, 0] = T.float16(0.0)

S = T.alloc_shared((64, 64), "float16", layout=T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[(64, 64):(64, 1)]), swizzle_inner=False))
S[0, 0] = T.float16(0.0)

S = T.alloc_local((64, 64), "float16", layout=None)
S[0, 0] = T.float16(0.0)

S = T.alloc_shared((64, 64), "float16")
V = S.view(4096)
V[0] = T.float16(0.0)

S = T.alloc_shared((64, 32), "float16")
V = S.permute(1, 0)
V[0, 0] = T.float16(0.0)

S = T.alloc_shared((64, 64), "float16")
V = S.view("int8")
V[0, 0] = T.int8(0)

S = T.alloc_shared((64, 64), "float16")
V = S.view("float32")
V[0, 0] = T.float32(0.0)

S = T.alloc_shared((64, 64), "float16")
V = S.view(32, 2, 64)
V[0, 0, 0] = T.float16(0.0)

S = T.alloc_local((32, 2), "float16", layout=T.TileLayout(T.S[(32, 2):(1 @ Axis.laneid, 1)]))
V = S.local()
V[0] = T.float16(0.0)

S = T.alloc_local((32, 2), "float16", layout=T.TileLayout(T.S[(32, 2):(1 @ Axis.laneid, 1)]))
V = S.local()
V[0] = T.float16(0.0)

with T.hint("x", stage=2):
    A[bx, tx] = T.float16(1.0)

with T.hint(kind="producer"):
    A[bx, tx] = T.float16(1.0)

if T.filter(tx, tx < 32):
    A[bx, tx] = T.float16(0.0)

x: T.float32 = T.float32(1.0)
x = x + T.float32(2.0)
A[bx, tx] = T.Cast("float16", x)

x: T.int32
A[bx, x] = T.float16(1.0)

p: T.let[T.int32] = tx + 1
A[bx, p] = T.float16(1.0)

T.masked_store(A, T.Broadcast(T.float16(1.0), 4), 0, T.Ramp(0, 1, 4), T.Broadcast(T.bool(True), 4))

A[bx, tx:tx + 4] = T.Cast("float16x4", T.masked_load("float32x4", B, 0, T.Ramp(0, 1, 4), T.Broadcast(tx < 3, 4)))

T.evaluate(tx & 3 | bx << 2 ^ ~tx)

T.evaluate(T.BitwiseAnd(3, 5))

T.evaluate(T.LShift(tx, 0))

T.evaluate(T.BitwiseNot(3))

T.evaluate(T.Add(T.uint64(5), T.Cast("uint64", T.int64(-1))))

T.cuda.cta_sync()

T.cuda.ldg(T.address_of(A[bx, tx]), "float16")

assert tx < 3, ("ValueError", ["too ", "large"])
A[bx, tx] = T.float16(1.0)

for i in T.serial(4, unroll=True):
    A[i, tx] = T.float16(1.0)

for i in T.serial(4, unroll=False):
    A[i, tx] = T.float16(1.0)

for i in T.serial(4, unroll=8):
    A[i, tx] = T.float16(1.0)

for i in T.serial(4, annotations={"pragma_unroll": 0}):
    A[i, tx] = T.float16(1.0)

for i in T.unroll(1, 4, annotations={"k": 1, "pragma_unroll": 2}):
    A[i, tx] = T.float16(1.0)

for i in T.vectorized(4, unroll=False):
    A[i, tx] = T.float16(1.0)

for i in T.parallel(4, annotations={"pragma_unroll": False}):
    A[i, tx] = T.float16(1.0)

for i in T.thread_binding(4, thread="threadIdx.y", annotations={"pragma_unroll": 2}):
    A[i, tx] = T.float16(1.0)

w = T.warp_id()
l = T.lane_id()
A[w, l] = T.float16(1.0)

wg = T.warpgroup_id([1])
S = T.alloc_shared((64, 64), "float16")
T.wg.fma(S[0:64, 0:64], S[0:64, 0:64], S[0:64, 0:64], S[0:64, 0:64])

S = T.alloc_shared((64, 64), "float16")
T.tile.exp(S[0:64, 0:64], S[0:64, 0:64])
""")
#: bindings of a graph
_GRAPHS: Final = pieces("""
y: R.Object = R.call_packed("f", x, R.shape([2, n]), R.str("s"), R.prim_value(3), R.dtype("float16"), sinfo_args=(R.Object,))

y = R.call_pure_packed("f", x, sinfo_args=(R.Tensor((4, n), dtype="float32"),))

y = R.call_dps_packed("f", (x,), out_sinfo=R.Tensor((4, n), dtype="float32"))

y = R.call_inplace_packed("f", x, inplace_indices=[0], sinfo_args=(R.Tensor((4, n), dtype="float32"),))

y = R.const([[1, 2], [3, 4]], "int8")

y = R.const(2.5, "float32")

y = R.const(True)

y: R.Prim(value=n) = R.prim_value(n)

y = R.null_value()

y = R.make_closure(f, (x,)) if False else x

y = R.hint_on_device(x, R.device("cuda", 0)) if False else x

y = R.to_vdevice(x, "llvm:0") if False else x

y = R.match_cast(x, R.Tensor((4, 8), "float32"))

y: R.Tuple(R.Tensor((4, n), dtype="float32"), R.Shape([n, 2]), R.Prim("int64")) = (x, R.shape([n, 2]), R.prim_value(n))

y = R.assert_op(R.const(True), x, format="x = {}") if False else x

y = R.print(x, format="{}")

y = R.shape_of(x)

y = R.nn.conv2d(R.zeros((1, 3, 8, 8), "float32"), R.zeros((4, 3, 3, 3), "float32"), strides=[2, 2], out_dtype="float16")

with R.dataflow():
    v = R.exp(x)
    y = R.abs(v)
    R.output(y, v)

if R.const(True):
    y = R.exp(x)
else:
    v = R.abs(x)
    y = R.exp(v)

@R.function(pure=False)
def inner(a: R.Tensor((2,), "float32")) -> R.Object:
    b = R.call_packed("f", a, sinfo_args=(R.Object,))
    return b
y = inner(R.zeros((2,), "float32"))
""")
_HEAD: Final = """\
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "int32"), n: T.int32):
"""
_GRAPH_HEAD: Final = """\
@R.function
def main(x: R.Tensor((4, "n"), dtype="float32")):
    n = T.int64()
"""
#: modules
_MODULES: Final = (
    """\
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2, 2), I.Range(0, 4)), R.device_mesh((2,), [4, 5])]})
    @R.function
    def main(x: R.DTensor((128, 128), "float32", "mesh[0]", "S[0], R"), y: R.DTensor((128, 128), "float32", "mesh[1]", "R")):
        z = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="R, S[1]")
        return z
""",
    """\
@I.ir_module
class Module:
    I.module_attrs({"k": 1, "names": ["a", "b"]})
    I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda", 0, "global")]})
    @R.function
    def main(x: R.Tensor((2,), "float32", vdevice="llvm:0")):
        R.func_attr({"relax.force_pure": True})
        y = R.to_vdevice(x, "cuda:0")
        return y
""",
    """\
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        for i in range(4):
            B[i] = A[i] + T.float32(1)
    @R.function(private=True)
    def part(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        return R.call_tir(cls.kernel, (x,), out_sinfo=R.Tensor((4,), "float32"))
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        y = cls.part(x)
        z = R.call_tir_inplace(cls.kernel, (y, y), inplace_indices=[1], out_sinfo=R.Tensor((4,), "float32"))
        return z
""",
    """\
@I.ir_module
class Module:
    @T.prim_func
    def even(n: T.int32) -> T.int32:
        if n == 0:
            T.ret(1)
        T.ret(Module.odd(n - 1))
    @T.prim_func
    def odd(n: T.int32) -> T.int32:
        if n == 0:
            T.ret(0)
        T.ret(Module.even(n - 1))
""",
)


def _whole(head: str, text: str, end: str = "") -> str:
    return f"{head}{indent(text, '    ')}\n{end}"


#: kernels as `script()` prints them, each with one construct
KERNELS: Final = tuple(_whole(_HEAD, text) for text in _KERNELS)
#: kernels as `script(dialect="0.27")` prints them
TILES: Final = tuple(_whole(TILE_HEAD, text) for text in _TILES)
#: graphs and modules in any spelling
GRAPHS: Final = (*[_whole(_GRAPH_HEAD, text, "    return y\n") for text in _GRAPHS], *_MODULES)


def read_form(text: str) -> Node:
    """Read one of the texts."""
    program: Node = from_source(text, check_well_formed=False)
    return program
