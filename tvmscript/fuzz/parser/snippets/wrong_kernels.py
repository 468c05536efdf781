"""Statements of kernels with a fault; `«` and `»` enclose the place of the error."""

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
