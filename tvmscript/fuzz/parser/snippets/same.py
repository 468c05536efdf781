"""Pairs of equivalent snippets.

Each snippet is a paragraph; a line `# is` separates its two spellings. `K1`, `K2` and `K3` are replaced by numbers.
"""

from __future__ import annotations

from typing import Final

from tvmscript.fuzz.parser.snippets.pieces import pairs

#: statements of a kernel that has A (16, 16) of float32, B (16,) of int32, n, x and the handle p
KERNELS: Final = pairs('''
for u in range(K1, K2):
    T.evaluate(u)
# is
for u in T.serial(K1, K2):
    T.evaluate(u)

for u, w in T.grid(K1, n):
    B[u] = w
# is
for u in range(K1):
    for w in range(n):
        B[u] = w

for u in T.parallel(0, K1):
    T.evaluate(u)
# is
for u in T.parallel(K1):
    T.evaluate(u)

for u in T.unroll(n, n + 4):
    T.evaluate(u)
# is
for u in T.unroll(start=n, stop=n + 4):
    T.evaluate(u)

for u in T.thread_binding(K1, thread="threadIdx.x"):
    T.evaluate(u)
# is
for u in T.thread_binding(0, K1, "threadIdx.x"):
    T.evaluate(u)

for u in T.serial(K1, annotations={"k": K2}):
    T.evaluate(u)
# is
for u in T.serial(0, K1, annotations={**{"k": K2}}):
    T.evaluate(u)

## blocks

for u in range(K1, K1 + K2):
    with T.block("b"):
        v = T.axis.remap("R", [u])
        B[v] = v
# is
for u in range(K1, K1 + K2):
    with T.block("b"):
        v = T.axis.reduce((K1, K1 + K2), u)
        B[v] = v

with T.block("b"):
    v, w = T.axis.S(4, n), T.axis.R(4, K1)
    B[v] = B[v] + w
# is
with T.block("b"):
    v = T.axis.spatial(4, n)
    w = T.axis.reduce(4, K1)
    B[v] = B[v] + w

with T.block("b"):
    v = T.axis.spatial(16, n)
    B[v] = B[v] + K1
# is
with T.block("b"):
    v = T.axis.spatial(16, n)
    T.reads(B[v])
    T.writes(B[v])
    B[v] = B[v] + K1

with T.block("b"):
    v = T.axis.spatial(16, n)
    T.reads(B[0:16])
    B[v] = B[v] + K1
# is
with T.block("b"):
    v = T.axis.spatial(16, n)
    T.reads(B[0:16])
    T.writes(B[v])
    B[v] = B[v] + K1

with T.block("b"):
    v = T.axis.spatial(16, n)
    T.writes(B[0:16])
    B[v] = B[v] + K1
# is
with T.block("b"):
    v = T.axis.spatial(16, n)
    T.reads(B[v])
    T.writes(B[0:16])
    B[v] = B[v] + K1

with T.block("b"):
    T.reads(A[n, 0:K1], B[n])
    T.writes([])
    T.evaluate(0)
# is
with T.block("b"):
    T.reads([A[n:n + 1, 0:K1], B[n:n + 1]])
    T.writes()
    T.evaluate(0)

with T.block("b"):
    T.block_attr({"k": K1, "l": [K2, "t"]})
    T.reads()
    T.writes()
    T.evaluate(0)
# is
with T.block("b"):
    T.reads()
    T.writes()
    T.block_attr({**{"k": K1}, "l": [K2] + ["t"]})
    T.evaluate(0)

with T.block("b"):
    v = T.axis.reduce(4, n)
    with T.init():
        B[0] = K1
    B[0] = B[0] + v
# is
with T.block("b"):
    v = T.axis.reduce(4, n)
    B[0] += v
    with T.init():
        B[0] = K1

with T.block("b"):
    W = T.match_buffer(B[0:4])
    T.evaluate(W[0])
# is
with T.block("b"):
    W = T.match_buffer(B[0:4], (4,), "int32")
    T.evaluate(W[0])

with T.block("b"):
    W = T.match_buffer(A[n, 0:4], (1, 4), offset_factor=1)
    T.evaluate(W[0, 0])
# is
with T.block("b"):
    W = T.match_buffer(A[n:n + 1, 0:4], [1, 4], "float32", offset_factor=1)
    T.evaluate(W[0, 0])

## stores, loads, vectors

B[n] = K1
# is
T.buffer_store(B, K1, [n])

A[n, K1] = x
# is
T.buffer_store(A, x, (n, K1))

B[n] += K1
# is
B[n] = B[n] + K1

B[n] -= K1 * n
# is
B[n] = B[n] - K1 * n

B[n] //= n
# is
B[n] = B[n] // n

B[0:4] = T.Broadcast(K1, 4)
# is
B[T.Ramp(0, 1, 4)] = T.Broadcast(K1, 4)

B[0:8:2] = T.Broadcast(K1, 4)
# is
B[T.Ramp(0, 2, 4)] = T.Broadcast(K1, 4)

B[n:n + 4] = B[0:8:2]
# is
B[T.Ramp(n, 1, 4)] = B[T.Ramp(0, 2, 4)]

B[0:12:3] = B[K1:K1 + 4]
# is
B[T.Ramp(0, 3, 4)] = B[T.Ramp(K1, 1, 4)]

B.vstore([T.Ramp(0, 1, 4)], T.Broadcast(K1, 4), predicate=T.Broadcast(n < K2, 4))
# is
T.buffer_store(B, T.Broadcast(K1, 4), [T.Ramp(0, 1, 4)], predicate=T.Broadcast(n < K2, 4))

T.evaluate(T.Select(B[0:4] < n, B[0:4], B[4:8]))
# is
T.evaluate(T.Select(B[0:4] < n, true_value=B[0:4], false_value=B[4:8]))

T.evaluate(A[n, K1])
# is
T.evaluate(A[[n, K1]])

T.evaluate(B[n])
# is
T.evaluate(B[(n,)])

## variables

u: T.int32 = K1
T.evaluate(u)
# is
u = T.int32(K1)
T.evaluate(u)

u: T.int8 = K1
T.evaluate(u)
# is
u = T.int8()
with T.LetStmt(K1, var=u):
    T.evaluate(u)

u: T.float16 = K1
T.evaluate(u)
# is
with T.LetStmt(T.float16(K1)) as u:
    T.evaluate(u)

u: T.int64 = K1
T.evaluate(u)
# is
u = T.int64()
T.let(u, K1)
T.evaluate(u)

u = n + K1
T.evaluate(u)
# is
with T.LetStmt(n + K1) as u:
    T.evaluate(u)

u, w = n + K1, n * K2
T.evaluate(u + w)
# is
u = n + K1
w = n * K2
T.evaluate(u + w)

u, *w = n, n + K1, n + K2
T.evaluate(w[0] - w[1])
# is
u = n
w_0 = n + K1
w_1 = n + K2
T.evaluate(w_0 - w_1)

for u, *w in [(K1, n, K2)]:
    T.evaluate(w[0] + w[1])
# is
T.evaluate(n + K2)

for *u, w in [(n, K1, K2)]:
    T.evaluate(u[0] + u[1])
# is
T.evaluate(n + K1)

for u in [K1, K2]:
    T.evaluate(n + u)
# is
T.evaluate(n + K1)
T.evaluate(n + K2)

u = T.int32()
T.evaluate(T.Let(u + K1, where={u: n}))
# is
u = T.int32()
T.evaluate(T.let(u, n, u + K1))

## memory

u = T.allocate([K1], "int32", "global")
U = T.Buffer((K1,), "int32", data=u)
U[0] = K2
# is
with T.allocate([K1], "int32", "global") as u:
    U = T.Buffer((K1,), "int32", data=u)
    U[0] = K2

U = T.decl_buffer((K1,), "int8", scope="shared")
T.evaluate(U[0])
# is
u = T.allocate([K1], "int8", "shared")
U = T.decl_buffer((K1,), "int8", data=u, scope="shared")
T.evaluate(U[0])

U = T.decl_buffer((K1,), "int32", data=B.data)
T.evaluate(U[0])
# is
with T.decl_buffer((K1,), "int32", data=B.data) as U:
    T.evaluate(U[0])

u = T.allocate_const([K1, K2], "int32", [2])
T.evaluate(0)
# is
with T.allocate_const([K1, K2], "int32", [2]) as u:
    T.evaluate(0)

## choices

if n < K1:
    B[0] = K1
else:
    B[0] = K2
# is
with T.If(n < K1):
    with T.Then():
        B[0] = K1
    with T.Else():
        B[0] = K2

if n < K1:
    B[0] = K1
# is
with T.If(n < K1):
    with T.Then():
        T.buffer_store(B, K1, [0])

if n < K1:
    B[0] = K1
elif n < K2:
    B[0] = K2
# is
if n < K1:
    B[0] = K1
else:
    if n < K2:
        B[0] = K2

while n < K1:
    B[0] = n
# is
with T.While(n < K1):
    B[0] = n

assert n < K1, "m"
B[0] = n
# is
with T.Assert(n < K1, "m"):
    B[0] = n

assert n < K1, f"m{K2}"
B[0] = n
# is
assert n < K1, "mK2"
B[0] = n

if True:
    B[0] = K1
else:
    B[0] = K2
# is
B[0] = K1

if K1 > 100:
    B[0] = K1
else:
    B[0] = K2
# is
B[0] = K2

T.evaluate(n if True else K1)
# is
T.evaluate(n)

T.evaluate(n if 1 > 2 else n + K1)
# is
T.evaluate(n + K1)

T.evaluate(n if n < K1 else K2)
# is
T.evaluate(T.if_then_else(n < K1, n, K2))

## threads and facts

u = T.launch_thread("threadIdx.x", K1)
T.evaluate(u)
# is
with T.launch_thread("threadIdx.x", K1) as u:
    T.evaluate(u)

with T.launch_thread("blockIdx.x", K1) as u:
    T.evaluate(u)
# is
u = T.env_thread("blockIdx.x")
with T.launch_thread(u, K1):
    T.evaluate(u)

T.attr(n, "k", K1)
B[0] = n
# is
with T.attr(n, "k", K1):
    B[0] = n

## expressions

T.evaluate(K1 < n < K2)
# is
T.evaluate(T.And(K1 < n, n < K2))

T.evaluate(n < K1 or n > K2)
# is
T.evaluate(T.Or(n < K1, n > K2))

T.evaluate(not n < K1)
# is
T.evaluate(T.Not(n < K1))

T.evaluate(T.int8(n))
# is
T.evaluate(T.Cast("int8", n))

T.evaluate(n.astype("int8"))
# is
T.evaluate(T.Cast("int8", n))

T.evaluate(T.float32(n) * x)
# is
T.evaluate(T.Cast("float32", n) * x)

T.evaluate(n + K1 * K2)
# is
T.evaluate(n + (K1 * K2))

T.evaluate(n + (K1 + K2))
# is
T.evaluate(n + (K2 + K1))

T.evaluate(n - (n - K1))
# is
T.evaluate(T.Sub(n, T.Sub(n, K1)))

T.evaluate(n // K1 % K2)
# is
T.evaluate(T.floormod(T.floordiv(n, K1), K2))

T.evaluate(n & K1 | n ^ K2)
# is
T.evaluate(T.bitwise_or(T.bitwise_and(n, K1), T.bitwise_xor(n, K2)))

T.evaluate(n << K1 >> K2)
# is
T.evaluate(T.shift_right(T.shift_left(n, K1), K2))

T.evaluate(~n)
# is
T.evaluate(T.bitwise_not(n))

T.evaluate(n + 2 ** 3)
# is
T.evaluate(n + 8)

T.evaluate(n + -7 // 2)
# is
T.evaluate(n + -4)

T.evaluate(n + (17 % 5))
# is
T.evaluate(n + 2)

T.evaluate(n + (1 << 4))
# is
T.evaluate(n + 16)

T.evaluate(n + (5 ^ 3) + ~0)
# is
T.evaluate(n + 6 + -1)

T.evaluate(n + [K1, K2][1])
# is
T.evaluate(n + K2)

T.evaluate(n + {"a": K1}["a"])
# is
T.evaluate(n + K1)

T.evaluate(n + (K1, K2)[-1])
# is
T.evaluate(n + K2)

T.evaluate(n + T.max(*[n, K1]))
# is
T.evaluate(n + T.max(n, K1))

T.evaluate(T.min(n, *(K1,)))
# is
T.evaluate(T.min(n, K1))

T.evaluate(T.Select(n < K1, n, K2))
# is
T.evaluate(T.Select(condition=n < K1, true_value=n, false_value=K2))

T.evaluate(T.Ramp(n, K1, 4))
# is
T.evaluate(T.Ramp(n, stride=K1, lanes=4))

## what says nothing

pass
B[0] = K1
# is
B[0] = K1

"""a text"""
B[0] = K1
# is
pass
B[0] = K1
pass

## macros

@T.macro
def again(v):
    T.evaluate(v + n)
again(K1)
# is
T.evaluate(K1 + n)

@T.macro
def again(v, w=K2):
    T.evaluate(v + w)
again(n)
again(w=K1, v=n)
# is
T.evaluate(n + K2)
T.evaluate(n + K1)

u = n + K1
@T.macro
def again():
    T.evaluate(u)
for u in range(K2):
    again()
# is
u = n + K1
for w in range(K2):
    T.evaluate(u)

u = n + K1
@T.macro(hygienic=False)
def again():
    T.evaluate(u)
for u in range(K2):
    again()
# is
u = n + K1
for w in range(K2):
    T.evaluate(w)
''')

#: the first statements of such a kernel
FIRST: Final = pairs("""
P = T.match_buffer(p, (K1, n))
# is
P = T.match_buffer(p, [K1, n], "float32")

P = T.match_buffer(p, K1, "int8")
# is
P = T.match_buffer(param=p, shape=(K1,), dtype="int8")

P = T.match_buffer(p, (K1,), "int32", offset_factor=4)
# is
o = T.int32()
P = T.match_buffer(p, (K1,), "int32", elem_offset=o, offset_factor=4)

P = T.match_buffer(p, (K1, K2), "int32", strides=("s", 1))
# is
s = T.int32()
P = T.match_buffer(p, (K1, K2), "int32", strides=[s, 1])

P = T.match_buffer(p, (K1,), align=64, scope="global")
# is
P = T.match_buffer(p, (K1,), "float32", align=-1)

P = T.match_buffer(p, (T.int64(K1), T.int64(K2)), strides=("s", 1))
# is
s = T.int64()
P = T.match_buffer(p, (T.int64(K1), T.int64(K2)), strides=[s, 1])

T.func_attr({"k": K1, "l": "t"})
# is
T.func_attr({**{"k": K1}, "l": "t"})
""")

#: what gives `u` in a graph that has x and y of (4, n), the condition c, the tuple t, the shape s
GRAPHS: Final = pairs("""
u = x + y
# is
u = R.add(x, y)

u = x - y * x
# is
gv = R.multiply(y, x)
u = R.subtract(x, gv)

u = x / y
# is
u = R.divide(x, y)

u = x // y
# is
u = R.floor_divide(x, y)

u = x ** y
# is
u = R.power(x, y)

u = x < y
# is
u = R.less(x, y)

u = x >= y
# is
u = R.greater_equal(x, y)

u = -x
# is
u = R.negative(x)

u = R.add(R.exp(x), R.abs(y))
# is
gv = R.exp(x)
gv1 = R.abs(y)
u = R.add(gv, gv1)

u = R.sum(x, 1)
# is
u = R.sum(x, axis=[1], keepdims=False)

u = R.sum(x, axis=-1, keepdims=True)
# is
u = R.sum(x, [-1], True)

u = R.zeros((K1, n), "float32")
# is
u = R.zeros(R.shape([K1, n]), dtype="float32")

v, u = t
# is
v = t[0]
u = t[1]

u: R.Tensor(ndim=2) = x
# is
u = x

u: R.Object = (x, y)
# is
u = (x, y)

u = R.const(K1)
# is
u = R.const(K1, "int32")

u = R.const(1.5)
# is
u = R.const(1.5, "float32")

u = (x, R.exp(y))
# is
gv = R.exp(y)
u = R.tuple(x, gv)

u: R.Tensor((4, n), "float32") = R.exp(x)
# is
u = R.exp(x)

u = x
for k in range(2):
    u = R.exp(u)
# is
u = x
u = R.exp(u)
u = R.exp(u)

v, w = R.exp(x), R.abs(y)
u = v + w
# is
v = R.exp(x)
w = R.abs(y)
u = R.add(v, w)

if True:
    u = x
else:
    u = y
# is
u = x

if c:
    w = R.exp(x)
    u = R.abs(w)
else:
    u = R.abs(y)
# is
if c:
    v = R.exp(x)
    u = R.abs(v)
else:
    u = R.abs(y)

if c:
    u = R.zeros((2, n), "float32")
else:
    u = R.zeros((K1, m), "int8")
# is
if c:
    u = R.zeros(R.shape([2, n]), dtype="float32")
else:
    u = R.zeros((K1, m), "int8")

with R.dataflow():
    v = R.exp(x)
    u = R.abs(v)
    R.output(u)
# is
with R.dataflow():
    u = R.abs(R.exp(x))
    R.output(u)

n1 = n + K1
u = R.zeros((n1,), "float32")
# is
u = R.zeros((n + K1,), "float32")

u = R.match_cast(x, R.Tensor((4, n), "float32"))
# is
u = R.match_cast(x, R.Tensor([4, n], dtype="float32"))

u = R.call_dps_packed("f", x, R.Tensor((4,), "int8"))
# is
u = R.call_dps_packed("f", (x,), out_sinfo=R.Tensor((4,), "int8"))

u = R.call_pure_packed("f", x, sinfo_args=R.Object)
# is
u = R.call_pure_packed("f", x, sinfo_args=(R.Object(),))

@T.macro
def again(v):
    w = R.exp(v)
    return R.abs(w)
u = again(x)
# is
w = R.exp(x)
gv = R.abs(w)
u = gv
""")
