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
""")
