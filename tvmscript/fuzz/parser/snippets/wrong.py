"""Snippets with a fault; `«` and `»` enclose the place of the error."""

from __future__ import annotations

from typing import Final

from tvmscript.fuzz.parser.snippets.pieces import pieces

#: statements of the kernel that `same.KERNELS` are for
KERNELS: Final = pieces("""
T.evaluate(«nothing»)

B[n] = n + «nothing» * K1

for u in range(«nothing»):
    T.evaluate(0)

if n < «nothing»:
    T.evaluate(0)

«nothing»[n] = K1

T.evaluate(A[n, «nothing»])

T.evaluate(T.min(n, «nothing»))

T.evaluate(T.call_extern("int32", "é€", «nothing»))

assert n < «nothing», "é"
T.evaluate(0)

## names behind the scope that they belong to

for u in range(K1):
    T.evaluate(u)
T.evaluate(«u»)

for u, w in T.grid(K1, K2):
    T.evaluate(u)
B[n] = «w»

for u in range(K1):
    w = n + u
    T.evaluate(w)
T.evaluate(n + «w»)

for u in [K1, K2]:
    T.evaluate(n + u)
T.evaluate(n + «u»)

while n < K1:
    u = n + K2
    T.evaluate(u)
T.evaluate(«u»)

if n < K1:
    u = n + K2
    T.evaluate(u)
T.evaluate(«u»)

if n < K1:
    u: T.int32 = K2
    T.evaluate(u)
else:
    T.evaluate(«u»)

if n < K1:
    T.evaluate(0)
else:
    u = n + K2
    T.evaluate(u)
B[«u»] = n

if True:
    u = n + K2
    T.evaluate(u)
T.evaluate(«u»)

with T.block("b"):
    u = T.axis.spatial(K1, n)
    B[u] = n
T.evaluate(«u»)

with T.block("b"):
    U = T.alloc_buffer((K1,), "int32")
    U[0] = n
T.evaluate(«U»[0])

with T.block("b"):
    U = T.match_buffer(B[0:4])
    U[0] = n
T.evaluate(«U»[0])

with T.block("b"):
    u = T.axis.reduce(K1, n)
    with T.init():
        w = n + K2
        B[0] = w
    B[0] = B[0] + «w»

with T.allocate([K1], "int32", "global") as u:
    T.evaluate(0)
T.evaluate(«u»)

with T.decl_buffer((K1,), "int32", data=B.data) as U:
    T.evaluate(0)
T.evaluate(«U»[0])

with T.launch_thread("threadIdx.y", K1) as u:
    T.evaluate(u)
T.evaluate(«u»)

with T.LetStmt(n + K1) as u:
    T.evaluate(u)
T.evaluate(«u»)

with T.If(n < K1):
    with T.Then():
        u = n + K1
        T.evaluate(u)
    with T.Else():
        T.evaluate(«u»)

@T.macro
def again(v):
    T.evaluate(v)
again(K1)
T.evaluate(«v»)

## names that are there already

u = n + K1
«u» = n + K2
T.evaluate(u)

u: T.int32 = K1
«u»: T.int32 = K2
T.evaluate(u)

## what is not there

«T.evalute»(0)

T.evaluate(«T.flaot32»(K1))

T.evaluate(«B.no»)

T.evaluate(«n.no»)

for u in «T.seriel»(K1):
    T.evaluate(u)

«T.axis.no»(K1, n)

## accesses

«A[n]» = x

«B[n, K1]» = n

T.evaluate(«A[n]»)

T.evaluate(A[n, «x»])

T.evaluate(A[«x», n])

A[n, «x»] = x

A[«x», n] = x

T.evaluate(B[«x»])

B[n] = «"text"»

B[n] = «p»

## kinds of values

if «x»:
    T.evaluate(0)

while «x + K1»:
    T.evaluate(0)

for u in «n»:
    T.evaluate(0)

for u in «B»:
    T.evaluate(0)

with «n»:
    T.evaluate(0)

T.evaluate(n + «B»)

T.evaluate(«B» + n)

T.evaluate(«n @ n»)

T.evaluate(«n ** n»)

T.evaluate(«n» and n < K1)

T.evaluate(n < K1 and «n»)

T.evaluate(not «n»)

T.evaluate(«n(K1)»)

T.evaluate(«n[0]»)

T.evaluate(«[w for w in (K1, K2)]»)

«n.x» = K1

«u = w = n»

for «u, w» in T.grid(K1, K2, K1):
    T.evaluate(0)

«u, w» = n, n, n

u: «T.serial» = n

T.evaluate(«1j»)

## what belongs elsewhere

«import os»

«del n»

«raise n»

«return»

for u in range(K1):
    «break»

for u in range(K1):
    T.evaluate(u)
else:
    «T.evaluate(1)»
    T.evaluate(0)

while n < K1:
    T.evaluate(n)
else:
    «T.evaluate(1)»
    T.evaluate(0)

with T.block("b"):
    T.where(n < K1)
    «T.where(n < K2)»
    T.evaluate(0)

with T.block("b"):
    T.reads()
    «T.reads(B[0])»
    T.evaluate(0)

with T.block("b"):
    T.block_attr({"k": 1})
    «T.block_attr({"k": 2})»
    T.evaluate(0)

with «T.Then()»:
    T.evaluate(0)

for u in range(K1):
    with T.block("b"):
        v = T.axis.remap(«"SS"», [u])
        T.evaluate(v)

for u in range(K1):
    with T.block("b"):
        v = «T.axis.remap("S", [n])»
        T.evaluate(v)

for u in range(K1):
    with T.block("b"):
        v = T.axis.remap(«"Q"», [u])
        T.evaluate(v)

P = T.match_buffer(«n», (4,))

## arguments

«T.evaluate(0, 1)»

«T.evaluate()»

with T.block("b"):
    T.block_attr(«K1»)
    T.evaluate(0)

for u in «T.serial(K1, no=K2)»:
    T.evaluate(u)

u = T.allocate([K1], «"flaot32"», "global")
T.evaluate(0)

U = T.decl_buffer((K1,), «"flaot32"»)
T.evaluate(0)

## arguments of rarer constructs

T.evaluate(T.reduce(«3», source=[n], init=[], axis=[], condition=True, value_index=0))

T.evaluate(T.reduce(T.comm_reducer(«3», [T.int32(0)]), source=[n], init=[], axis=[], condition=True, value_index=0))

T.evaluate(T.reduce(«T.comm_reducer(lambda u: u, [T.int32(0)])», source=[n], init=[], axis=[], condition=True))

T.evaluate(T.reduce(T.comm_reducer(lambda u, v: u + v, [T.int32(0)]), source=[n], init=[], axis=«[3]»))

T.realize(«n», "global")

T.prefetch(n, «[T.Range(0, K1)]»)

T.evaluate(T.ProducerLoad(«n», [0]))

T.evaluate(T.BufferLoad(«n», [0]))

T.evaluate(«T.Call("int32", "tir.of_no_name", [n])»)

for u in «T.serial(0, 8, step=0)»:
    T.evaluate(u)

with T.block("b"):
    T.block_attr({"m": T.index_map(«3»)})
    T.evaluate(0)

with T.block("b"):
    T.block_attr({"d": T.data("int8", «[-1]», [])})
    T.evaluate(0)

with T.block("b"):
    T.block_attr({"d": T.data("int8", [2], «[1]»)})
    T.evaluate(0)

with T.block("b"):
    T.block_attr({"d": «T.data("int8", [2], "AAAA")»})
    T.evaluate(0)

with T.block("b"):
    T.block_attr({"d": «T.data("int8", [2], "!")»})
    T.evaluate(0)

with T.block("b"):
    T.block_attr({**«n»})
    T.evaluate(0)

with T.block("b"):
    T.block_attr({«[K1]»: K2})
    T.evaluate(0)

print(n, «end=""»)

print(n, «none=K1»)

print(«*[n]»)

«B[0]»: T.int32 = K1

u = «T.allocate_const([1.5], "int32", [1])»
T.evaluate(0)

u = «T.allocate_const([K1], "int32", [n])»
T.evaluate(0)

T.evaluate(T.if_then_else(«n», 1, 2))

T.evaluate(«T.Cast("int32x4", n)»)

T.attr(n, «3», 4)

T.evaluate(«T.bitwise_and(x, x)»)

T.evaluate(T.truncdiv(«x», n))

T.launch_thread(«"threadIdx.q"», 4)

u = T.alloc_buffer(«(x,)», "int32")

u = T.alloc_buffer((4,), "int32", scope=«3»)

with T.block("b"):
    u = T.match_buffer(«B», (4,))
    T.evaluate(0)
""")

#: what should give `u` in the graph that `same.GRAPHS` are for
GRAPHS: Final = pieces("""
u = R.exp(«nothing»)

u = R.add(x, «nothing»)

u = x + «nothing»

u = «R.exq»(x)

z = R.zeros((7, n), "float32")
u = R.add(x, «z»)

z = R.zeros((7, n), "float32")
u = x + «z»

z = R.zeros((4, n), "int8")
u = x * «z»

u = x + «t»

u = «t» + x

u = R.matmul(R.zeros((2, 3), "float32"), «R.zeros((4, 5), "float32")»)

u = R.exp(«t»)

u = R.exp(«R.shape([K1])»)

u = R.sum(x, axis=«7»)

u = R.concat((x, y), axis=«-9»)

u = R.concat(«x»)

u = R.astype(x, «"flaot32"»)

u = R.nn.conv2d(«x», y)

«u»: R.Tensor((9,), "int8") = R.exp(x)

«u»: R.Shape(ndim=2) = R.exp(x)

if c:
    w = R.exp(x)
    u = R.abs(w)
else:
    u = R.abs(«w»)

if c:
    w = R.exp(x)
    v = R.abs(w)
else:
    v = R.abs(y)
u = R.exp(«w»)

with R.dataflow():
    w = R.exp(x)
    v = R.abs(w)
    R.output(v)
u = R.exp(«w»)

«if c:
    u = x
else:
    v = y»

«if c:
    u = x»

u = t[«7»]

u = x
for k in «x»:
    u = R.exp(u)

«while c:
    u = x»

u = R.exp(x)
«v, w» = R.exp(x), R.exp(y), y

«x.y» = R.exp(x)
u = x

«R.exp(x)»
u = x

u = «R.exp(x, y)»

u = «R.exp()»

u = R.exp(x, «no=K1»)

with R.dataflow():
    «with R.dataflow():
        u = x
        R.output(u)»
    R.output(u)

u = R.match_cast(x, «R.Shape(ndim=2)»)

u = R.dist.annotate_sharding(x, device_mesh=«3», placement="R")

u = «R.dist.annotate_sharding(x, device_mesh="mesh[9]", placement="R")»

u = R.dist.annotate_sharding(x, device_mesh=R.device_mesh((2,), [0, 1]), placement=«3»)

u = R.dist.const(3, «R.Tensor((), "int32")»)

u: R.Tensor((4, n), "float32", vdevice=«3») = x

u: R.DTensor((4, n), "float32", «3», "R") = x

u = R.call_packed("f", x, sinfo_args=«3»)

u = R.call_packed("f", x, sinfo_args=«(3,)»)

with R.dataflow():
    u = R.exp(x)
    R.output(u)
    «R.output(u)»

«u = v = x»

u = R.call_tir(«x», (x,), out_sinfo=R.Tensor((4, n), "float32"))

u = R.shape(«[x]»)

u = R.const(«"text"»)

u = R.reshape(x, «(0, -1, -1)»)

u = R.reshape(x, «(-2, n)»)

u = R.permute_dims(x, «[0, 0]»)

u = R.squeeze(x, «[5]»)

u = R.split(x, 3, axis=«9»)

u = R.take(x, «y»)

u = R.concat(«()»)

u = R.where(«x», x, y)

u = R.full((2,), «x»)

u = R.expand_dims(x, «[9]»)

u = R.broadcast_to(x, «(3,)»)

u = R.nn.softmax(x, axis=«4»)

u = R.strided_slice(x, [0], [0], [1], «[0]»)

u = R.nn.batch_norm(x, «y», y, y, y, axis=1)

u = R.cumsum(x, axis=«4»)

u = R.flip(x, axis=«4»)

""")

#: statements of a kernel of TVM 0.27 with `TILE_HEAD`
TILES: Final = pieces("""
S = T.alloc_shared((64, 64), "float16")
V = S.rearrange(«3»)

S = T.alloc_shared((64, 64), "float16")
V = S.rearrange(«"a b c -> c b a"»)

S = T.alloc_shared((64, 64), "float16")
V = «S.rearrange("(a b) c -> a b c", a=7)»

S = T.alloc_local((32, 2), "float16", layout=T.TileLayout(T.S[(32, 2):(1 @ Axis.laneid, 1)]))
V = S.local(«7»)

S = T.alloc_shared((64, 64), "float16")
V = «S.sub[0, 0, 0]»

S = T.alloc_shared((64, 64), "float16")
V = «S.sub[0:8:3]»

S = T.alloc_shared((64, 64), "float16")
V = «S.tile(3)»

S = T.alloc_shared((64, 64), "float16")
V = «S.tile((0, (3, 8)))[0]»

S = T.alloc_shared((64, 64), "float16")
V = «S.chunk(3)»

S = T.alloc_shared((64, 64), "float16", layout=None)
V = «S.permute(1, 0)»

S = T.alloc_shared((64, 64), "float16")
«T.tile.of_no_name»(S[0:64, 0:64])

T.evaluate(«T.masked_load("float16x4", B, 0, T.Ramp(0, 1, 4), T.Broadcast(tx < 3, 4))»)

«T.attr(3)»

p: «T.let[3]» = tx
A[bx, p] = T.float16(1.0)

«T.cuda.of_no_name»()

«T.ptx.of_no_name»()

S = T.alloc_local((4, 4), "float16", layout=«3»)

S = T.alloc_local((4, 4), "float16", layout=T.TileLayout(«T.S[(4, 4):(1, 2, 3)]»))

A[bx, tx] = «T.float16(1.0) & tx»

with T.hint(«3»):
    A[bx, tx] = T.float16(1.0)

if «T.filter(tx)»:
    A[bx, tx] = T.float16(1.0)
""")
TILE_HEAD: Final = """\
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def main(A: T.Buffer((64, 64), "float16"), B: T.Buffer((64, 64), "float32")):
    T.attr({"tirx.device_entry": T.bool(True)})
    bx = T.cta_id([4])
    tx = T.thread_id([128])
"""
