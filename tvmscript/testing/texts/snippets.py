"""Pieces of programs in two spellings that mean the same, and pieces with a fault at a known place.

    pair = same_texts(random.Random(0))       # two texts that are read as one program
    fault = wrong_text(random.Random(0))      # a text that is refused: where, and with which code

The pieces stand at any place of a function: in loops, branches and blocks, behind statements and in front of others.
`K1`, `K2`, ... are numbers; `«` and `»` stand around what an error is about.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

#: two spellings of statements of a kernel that has A (16, 16) of float32, B (16,) of int32, n, x and the handle p
SAME: Final[tuple[tuple[str, str], ...]] = (
    ("for u in range(K1, K2):\n    T.evaluate(u)", "for u in T.serial(K1, K2):\n    T.evaluate(u)"),
    ("for u, w in T.grid(K1, n):\n    B[u] = w", "for u in range(K1):\n    for w in range(n):\n        B[u] = w"),
    ("for u in T.parallel(0, K1):\n    T.evaluate(u)", "for u in T.parallel(K1):\n    T.evaluate(u)"),
    ("for u in T.unroll(n, n + 4):\n    T.evaluate(u)", "for u in T.unroll(start=n, stop=n + 4):\n    T.evaluate(u)"),
    (
        'for u in T.thread_binding(K1, thread="threadIdx.x"):\n    T.evaluate(u)',
        'for u in T.thread_binding(0, K1, "threadIdx.x"):\n    T.evaluate(u)',
    ),
    (
        'for u in T.serial(K1, annotations={"k": K2}):\n    T.evaluate(u)',
        'for u in T.serial(0, K1, annotations={**{"k": K2}}):\n    T.evaluate(u)',
    ),
    # blocks
    (
        'for u in range(K1, K1 + K2):\n    with T.block("b"):\n        v = T.axis.remap("R", [u])\n        B[v] = v',
        "for u in range(K1, K1 + K2):\n"
        '    with T.block("b"):\n        v = T.axis.reduce((K1, K1 + K2), u)\n        B[v] = v',
    ),
    (
        'with T.block("b"):\n    v, w = T.axis.S(4, n), T.axis.R(4, K1)\n    B[v] = B[v] + w',
        'with T.block("b"):\n    v = T.axis.spatial(4, n)\n    w = T.axis.reduce(4, K1)\n    B[v] = B[v] + w',
    ),
    (
        'with T.block("b"):\n    v = T.axis.spatial(16, n)\n    B[v] = B[v] + K1',
        'with T.block("b"):\n    v = T.axis.spatial(16, n)\n    T.reads(B[v])\n    T.writes(B[v])\n'
        "    B[v] = B[v] + K1",
    ),
    (
        'with T.block("b"):\n    v = T.axis.spatial(16, n)\n    T.reads(B[0:16])\n    B[v] = B[v] + K1',
        'with T.block("b"):\n    v = T.axis.spatial(16, n)\n    T.reads(B[0:16])\n    T.writes(B[v])\n'
        "    B[v] = B[v] + K1",
    ),
    (
        'with T.block("b"):\n    v = T.axis.spatial(16, n)\n    T.writes(B[0:16])\n    B[v] = B[v] + K1',
        'with T.block("b"):\n    v = T.axis.spatial(16, n)\n    T.reads(B[v])\n    T.writes(B[0:16])\n'
        "    B[v] = B[v] + K1",
    ),
    (
        'with T.block("b"):\n    T.reads(A[n, 0:K1], B[n])\n    T.writes([])\n    T.evaluate(0)',
        'with T.block("b"):\n    T.reads([A[n:n + 1, 0:K1], B[n:n + 1]])\n    T.writes()\n    T.evaluate(0)',
    ),
    (
        'with T.block("b"):\n    T.block_attr({"k": K1, "l": [K2, "t"]})\n    T.reads()\n    T.writes()\n'
        "    T.evaluate(0)",
        'with T.block("b"):\n    T.reads()\n    T.writes()\n    T.block_attr({**{"k": K1}, "l": [K2] + ["t"]})\n'
        "    T.evaluate(0)",
    ),
    (
        'with T.block("b"):\n    v = T.axis.reduce(4, n)\n    with T.init():\n        B[0] = K1\n    B[0] = B[0] + v',
        'with T.block("b"):\n    v = T.axis.reduce(4, n)\n    B[0] += v\n    with T.init():\n        B[0] = K1',
    ),
    (
        'with T.block("b"):\n    W = T.match_buffer(B[0:4])\n    T.evaluate(W[0])',
        'with T.block("b"):\n    W = T.match_buffer(B[0:4], (4,), "int32")\n    T.evaluate(W[0])',
    ),
    (
        'with T.block("b"):\n    W = T.match_buffer(A[n, 0:4], (1, 4), offset_factor=1)\n    T.evaluate(W[0, 0])',
        'with T.block("b"):\n    W = T.match_buffer(A[n:n + 1, 0:4], [1, 4], "float32", offset_factor=1)\n'
        "    T.evaluate(W[0, 0])",
    ),
    # stores, loads, vectors
    ("B[n] = K1", "T.buffer_store(B, K1, [n])"),
    ("A[n, K1] = x", "T.buffer_store(A, x, (n, K1))"),
    ("B[n] += K1", "B[n] = B[n] + K1"),
    ("B[n] -= K1 * n", "B[n] = B[n] - K1 * n"),
    ("B[n] //= n", "B[n] = B[n] // n"),
    ("B[0:4] = T.Broadcast(K1, 4)", "B[T.Ramp(0, 1, 4)] = T.Broadcast(K1, 4)"),
    ("B[0:8:2] = T.Broadcast(K1, 4)", "B[T.Ramp(0, 2, 4)] = T.Broadcast(K1, 4)"),
    ("B[n:n + 4] = B[0:8:2]", "B[T.Ramp(n, 1, 4)] = B[T.Ramp(0, 2, 4)]"),
    ("B[0:12:3] = B[K1:K1 + 4]", "B[T.Ramp(0, 3, 4)] = B[T.Ramp(K1, 1, 4)]"),
    (
        "B.vstore([T.Ramp(0, 1, 4)], T.Broadcast(K1, 4), predicate=T.Broadcast(n < K2, 4))",
        "T.buffer_store(B, T.Broadcast(K1, 4), [T.Ramp(0, 1, 4)], predicate=T.Broadcast(n < K2, 4))",
    ),
    ("T.evaluate(A[n, K1])", "T.evaluate(A[[n, K1]])"),
    ("T.evaluate(B[n])", "T.evaluate(B[(n,)])"),
    # variables
    ("u: T.int32 = K1\nT.evaluate(u)", "u = T.int32(K1)\nT.evaluate(u)"),
    ("u: T.int8 = K1\nT.evaluate(u)", "u = T.int8()\nwith T.LetStmt(K1, var=u):\n    T.evaluate(u)"),
    ("u: T.float16 = K1\nT.evaluate(u)", "with T.LetStmt(T.float16(K1)) as u:\n    T.evaluate(u)"),
    ("u: T.int64 = K1\nT.evaluate(u)", "u = T.int64()\nT.let(u, K1)\nT.evaluate(u)"),
    ("u = n + K1\nT.evaluate(u)", "with T.LetStmt(n + K1) as u:\n    T.evaluate(u)"),
    ("u, w = n + K1, n * K2\nT.evaluate(u + w)", "u = n + K1\nw = n * K2\nT.evaluate(u + w)"),
    ("u, *w = n, n + K1, n + K2\nT.evaluate(w[0] - w[1])", "u = n\nw_0 = n + K1\nw_1 = n + K2\nT.evaluate(w_0 - w_1)"),
    ("for u, *w in [(K1, n, K2)]:\n    T.evaluate(w[0] + w[1])", "T.evaluate(n + K2)"),
    ("for *u, w in [(n, K1, K2)]:\n    T.evaluate(u[0] + u[1])", "T.evaluate(n + K1)"),
    ("for u in [K1, K2]:\n    T.evaluate(n + u)", "T.evaluate(n + K1)\nT.evaluate(n + K2)"),
    ("u = T.int32()\nT.evaluate(T.Let(u + K1, where={u: n}))", "u = T.int32()\nT.evaluate(T.let(u, n, u + K1))"),
    # memory
    (
        'u = T.allocate([K1], "int32", "global")\nU = T.Buffer((K1,), "int32", data=u)\nU[0] = K2',
        'with T.allocate([K1], "int32", "global") as u:\n    U = T.Buffer((K1,), "int32", data=u)\n    U[0] = K2',
    ),
    (
        'U = T.decl_buffer((K1,), "int8", scope="shared")\nT.evaluate(U[0])',
        'u = T.allocate([K1], "int8", "shared")\n'
        'U = T.decl_buffer((K1,), "int8", data=u, scope="shared")\nT.evaluate(U[0])',
    ),
    (
        'U = T.decl_buffer((K1,), "int32", data=B.data)\nT.evaluate(U[0])',
        'with T.decl_buffer((K1,), "int32", data=B.data) as U:\n    T.evaluate(U[0])',
    ),
    (
        'u = T.allocate_const([K1, K2], "int32", [2])\nT.evaluate(0)',
        'with T.allocate_const([K1, K2], "int32", [2]) as u:\n    T.evaluate(0)',
    ),
    # choices
    (
        "if n < K1:\n    B[0] = K1\nelse:\n    B[0] = K2",
        "with T.If(n < K1):\n    with T.Then():\n        B[0] = K1\n    with T.Else():\n        B[0] = K2",
    ),
    ("if n < K1:\n    B[0] = K1", "with T.If(n < K1):\n    with T.Then():\n        T.buffer_store(B, K1, [0])"),
    (
        "if n < K1:\n    B[0] = K1\nelif n < K2:\n    B[0] = K2",
        "if n < K1:\n    B[0] = K1\nelse:\n    if n < K2:\n        B[0] = K2",
    ),
    ("while n < K1:\n    B[0] = n", "with T.While(n < K1):\n    B[0] = n"),
    ("assert n < K1, \"m\"\nB[0] = n", 'with T.Assert(n < K1, "m"):\n    B[0] = n'),
    ('assert n < K1, f"m{K2}"\nB[0] = n', 'assert n < K1, "mK2"\nB[0] = n'),
    ("if True:\n    B[0] = K1\nelse:\n    B[0] = K2", "B[0] = K1"),
    ("if K1 > 100:\n    B[0] = K1\nelse:\n    B[0] = K2", "B[0] = K2"),
    ("T.evaluate(n if True else K1)", "T.evaluate(n)"),
    ("T.evaluate(n if 1 > 2 else n + K1)", "T.evaluate(n + K1)"),
    ("T.evaluate(n if n < K1 else K2)", "T.evaluate(T.if_then_else(n < K1, n, K2))"),
    # threads and facts
    (
        'u = T.launch_thread("threadIdx.x", K1)\nT.evaluate(u)',
        'with T.launch_thread("threadIdx.x", K1) as u:\n    T.evaluate(u)',
    ),
    (
        'with T.launch_thread("blockIdx.x", K1) as u:\n    T.evaluate(u)',
        'u = T.env_thread("blockIdx.x")\nwith T.launch_thread(u, K1):\n    T.evaluate(u)',
    ),
    ('T.attr(n, "k", K1)\nB[0] = n', 'with T.attr(n, "k", K1):\n    B[0] = n'),
    # expressions
    ("T.evaluate(K1 < n < K2)", "T.evaluate(T.And(K1 < n, n < K2))"),
    ("T.evaluate(n < K1 or n > K2)", "T.evaluate(T.Or(n < K1, n > K2))"),
    ("T.evaluate(not n < K1)", "T.evaluate(T.Not(n < K1))"),
    ("T.evaluate(T.int8(n))", 'T.evaluate(T.Cast("int8", n))'),
    ("T.evaluate(n.astype(\"int8\"))", 'T.evaluate(T.Cast("int8", n))'),
    ("T.evaluate(T.float32(n) * x)", 'T.evaluate(T.Cast("float32", n) * x)'),
    ("T.evaluate(n + K1 * K2)", "T.evaluate(n + (K1 * K2))"),
    ("T.evaluate(n + (K1 + K2))", "T.evaluate(n + (K2 + K1))"),
    ("T.evaluate(n - (n - K1))", "T.evaluate(T.Sub(n, T.Sub(n, K1)))"),
    ("T.evaluate(n // K1 % K2)", "T.evaluate(T.floormod(T.floordiv(n, K1), K2))"),
    ("T.evaluate(n & K1 | n ^ K2)", "T.evaluate(T.bitwise_or(T.bitwise_and(n, K1), T.bitwise_xor(n, K2)))"),
    ("T.evaluate(n << K1 >> K2)", "T.evaluate(T.shift_right(T.shift_left(n, K1), K2))"),
    ("T.evaluate(~n)", "T.evaluate(T.bitwise_not(n))"),
    ("T.evaluate(n + 2 ** 3)", "T.evaluate(n + 8)"),
    ("T.evaluate(n + -7 // 2)", "T.evaluate(n + -4)"),
    ("T.evaluate(n + (17 % 5))", "T.evaluate(n + 2)"),
    ("T.evaluate(n + (1 << 4))", "T.evaluate(n + 16)"),
    ("T.evaluate(n + (5 ^ 3) + ~0)", "T.evaluate(n + 6 + -1)"),
    ("T.evaluate(n + [K1, K2][1])", "T.evaluate(n + K2)"),
    ('T.evaluate(n + {"a": K1}["a"])', "T.evaluate(n + K1)"),
    ("T.evaluate(n + (K1, K2)[-1])", "T.evaluate(n + K2)"),
    ("T.evaluate(n + T.max(*[n, K1]))", "T.evaluate(n + T.max(n, K1))"),
    ("T.evaluate(T.min(n, *(K1,)))", "T.evaluate(T.min(n, K1))"),
    ('T.evaluate(T.Select(n < K1, n, K2))', "T.evaluate(T.Select(condition=n < K1, true_value=n, false_value=K2))"),
    ("T.evaluate(T.Ramp(n, K1, 4))", "T.evaluate(T.Ramp(n, stride=K1, lanes=4))"),
    # what says nothing
    ("pass\nB[0] = K1", "B[0] = K1"),
    ('"""a text"""\nB[0] = K1', "pass\nB[0] = K1\npass"),
    # macros
    ("@T.macro\ndef again(v):\n    T.evaluate(v + n)\n\nagain(K1)", "T.evaluate(K1 + n)"),
    (
        "@T.macro\ndef again(v, w=K2):\n    T.evaluate(v + w)\n\nagain(n)\nagain(w=K1, v=n)",
        "T.evaluate(n + K2)\nT.evaluate(n + K1)",
    ),
    (
        "u = n + K1\n\n@T.macro\ndef again():\n    T.evaluate(u)\n\nfor u in range(K2):\n    again()",
        "u = n + K1\nfor w in range(K2):\n    T.evaluate(u)",
    ),
    (
        "u = n + K1\n\n@T.macro(hygienic=False)\ndef again():\n    T.evaluate(u)\n\nfor u in range(K2):\n    again()",
        "u = n + K1\nfor w in range(K2):\n    T.evaluate(w)",
    ),
)  # fmt: skip
#: the same at the beginning of a function
SAME_FIRST: Final[tuple[tuple[str, str], ...]] = (
    ("P = T.match_buffer(p, (K1, n))", 'P = T.match_buffer(p, [K1, n], "float32")'),
    ('P = T.match_buffer(p, K1, "int8")', 'P = T.match_buffer(param=p, shape=(K1,), dtype="int8")'),
    (
        'P = T.match_buffer(p, (K1,), "int32", offset_factor=4)',
        'o = T.int32()\nP = T.match_buffer(p, (K1,), "int32", elem_offset=o, offset_factor=4)',
    ),
    (
        'P = T.match_buffer(p, (K1, K2), "int32", strides=("s", 1))',
        's = T.int32()\nP = T.match_buffer(p, (K1, K2), "int32", strides=[s, 1])',
    ),
    ('P = T.match_buffer(p, (K1,), align=64, scope="global")', 'P = T.match_buffer(p, (K1,), "float32", align=-1)'),
    (
        'P = T.match_buffer(p, (T.int64(K1), T.int64(K2)), strides=("s", 1))',
        "s = T.int64()\nP = T.match_buffer(p, (T.int64(K1), T.int64(K2)), strides=[s, 1])",
    ),
    ('T.func_attr({"k": K1, "l": "t"})', 'T.func_attr({**{"k": K1}, "l": "t"})'),
)

#: statements with something wrong where the marks are
WRONG: Final[tuple[str, ...]] = (
    "T.evaluate(«nothing»)",
    "B[n] = n + «nothing» * K1",
    "for u in range(«nothing»):\n    T.evaluate(0)",
    "if n < «nothing»:\n    T.evaluate(0)",
    "«nothing»[n] = K1",
    "T.evaluate(A[n, «nothing»])",
    "T.evaluate(T.min(n, «nothing»))",
    'T.evaluate(T.call_extern("int32", "\u00e9\u20ac", «nothing»))',
    'assert n < «nothing», "\u00e9"\nT.evaluate(0)',
    # names behind the scope that they belong to
    "for u in range(K1):\n    T.evaluate(u)\nT.evaluate(«u»)",
    "for u, w in T.grid(K1, K2):\n    T.evaluate(u)\nB[n] = «w»",
    "for u in range(K1):\n    w = n + u\n    T.evaluate(w)\nT.evaluate(n + «w»)",
    "for u in [K1, K2]:\n    T.evaluate(n + u)\nT.evaluate(n + «u»)",
    "while n < K1:\n    u = n + K2\n    T.evaluate(u)\nT.evaluate(«u»)",
    "if n < K1:\n    u = n + K2\n    T.evaluate(u)\nT.evaluate(«u»)",
    "if n < K1:\n    u: T.int32 = K2\n    T.evaluate(u)\nelse:\n    T.evaluate(«u»)",
    "if n < K1:\n    T.evaluate(0)\nelse:\n    u = n + K2\n    T.evaluate(u)\nB[«u»] = n",
    "if True:\n    u = n + K2\n    T.evaluate(u)\nT.evaluate(«u»)",
    'with T.block("b"):\n    u = T.axis.spatial(K1, n)\n    B[u] = n\nT.evaluate(«u»)',
    'with T.block("b"):\n    U = T.alloc_buffer((K1,), "int32")\n    U[0] = n\nT.evaluate(«U»[0])',
    'with T.block("b"):\n    U = T.match_buffer(B[0:4])\n    U[0] = n\nT.evaluate(«U»[0])',
    'with T.block("b"):\n    u = T.axis.reduce(K1, n)\n    with T.init():\n        w = n + K2\n        B[0] = w\n'
    "    B[0] = B[0] + «w»",
    'with T.allocate([K1], "int32", "global") as u:\n    T.evaluate(0)\nT.evaluate(«u»)',
    'with T.decl_buffer((K1,), "int32", data=B.data) as U:\n    T.evaluate(0)\nT.evaluate(«U»[0])',
    'with T.launch_thread("threadIdx.y", K1) as u:\n    T.evaluate(u)\nT.evaluate(«u»)',
    "with T.LetStmt(n + K1) as u:\n    T.evaluate(u)\nT.evaluate(«u»)",
    "with T.If(n < K1):\n    with T.Then():\n        u = n + K1\n        T.evaluate(u)\n    with T.Else():\n"
    "        T.evaluate(«u»)",
    "@T.macro\ndef again(v):\n    T.evaluate(v)\n\nagain(K1)\nT.evaluate(«v»)",
    # names that are there already
    "u = n + K1\n«u» = n + K2\nT.evaluate(u)",
    "u: T.int32 = K1\n«u»: T.int32 = K2\nT.evaluate(u)",
    # what is not there
    "«T.evalute»(0)",
    "T.evaluate(«T.flaot32»(K1))",
    "T.evaluate(«B.no»)",
    "T.evaluate(«n.no»)",
    "for u in «T.seriel»(K1):\n    T.evaluate(u)",
    "«T.axis.no»(K1, n)",
    # accesses
    "«A[n]» = x",
    "«B[n, K1]» = n",
    "T.evaluate(«A[n]»)",
    "T.evaluate(A[n, «x»])",
    "T.evaluate(A[«x», n])",
    "A[n, «x»] = x",
    "A[«x», n] = x",
    "T.evaluate(B[«x»])",
    'B[n] = «"text"»',
    "B[n] = «p»",
    # kinds of values
    "if «n»:\n    T.evaluate(0)",
    "while «n + K1»:\n    T.evaluate(0)",
    "for u in «n»:\n    T.evaluate(0)",
    "for u in «B»:\n    T.evaluate(0)",
    "with «n»:\n    T.evaluate(0)",
    "T.evaluate(n + «B»)",
    "T.evaluate(«B» + n)",
    "T.evaluate(«n @ n»)",
    "T.evaluate(«n ** n»)",
    "T.evaluate(«n» and n < K1)",
    "T.evaluate(n < K1 and «n»)",
    "T.evaluate(not «n»)",
    "T.evaluate(«n(K1)»)",
    "T.evaluate(«n[0]»)",
    "T.evaluate(«[w for w in (K1, K2)]»)",
    "«n.x» = K1",
    "«u = w = n»",
    "for «u, w» in T.grid(K1, K2, K1):\n    T.evaluate(0)",
    "«u, w» = n, n, n",
    "u: «T.serial» = n",
    "T.evaluate(«1j»)",
    # what belongs elsewhere
    "«import os»",
    "«del n»",
    "«raise n»",
    "«return»",
    "for u in range(K1):\n    «break»",
    "for u in range(K1):\n    T.evaluate(u)\nelse:\n    «T.evaluate(0)»",
    "while n < K1:\n    T.evaluate(n)\nelse:\n    «T.evaluate(0)»",
    'with T.block("b"):\n    T.where(n < K1)\n    «T.where(n < K2)»\n    T.evaluate(0)',
    'with T.block("b"):\n    T.reads()\n    «T.reads(B[0])»\n    T.evaluate(0)',
    'with T.block("b"):\n    T.block_attr({"k": 1})\n    «T.block_attr({"k": 2})»\n    T.evaluate(0)',
    "with «T.Then()»:\n    T.evaluate(0)",
    'for u in range(K1):\n    with T.block("b"):\n        v = T.axis.remap(«"SS"», [u])\n        T.evaluate(v)',
    'for u in range(K1):\n    with T.block("b"):\n        v = «T.axis.remap("S", [n])»\n        T.evaluate(v)',
    'for u in range(K1):\n    with T.block("b"):\n        v = T.axis.remap(«"Q"», [u])\n        T.evaluate(v)',
    "P = T.match_buffer(«n», (4,))",
    # arguments
    "«T.evaluate(0, 1)»",
    "«T.evaluate()»",
    'with T.block("b"):\n    T.block_attr(«K1»)\n    T.evaluate(0)',
    "for u in «T.serial(K1, no=K2)»:\n    T.evaluate(u)",
    'u = T.allocate([K1], «"flaot32"», "global")\nT.evaluate(0)',
    'U = T.decl_buffer((K1,), «"flaot32"»)\nT.evaluate(0)',
)  # fmt: skip

#: statements around others, whose place is `...`
_AROUND: Final = (
    "for a{0} in range(4):\n    ...",
    "for a{0}, b{0} in T.grid(4, n):\n    ...",
    "if n < 3:\n    ...",
    "if n < 3:\n    T.evaluate(3)\nelse:\n    ...",
    "while n < 3:\n    ...",
    'with T.attr(n, "k", 1):\n    ...',
    "T.evaluate(n)\n...",
    "...\nT.evaluate(n)",
    "for a{0} in range(4):\n    T.evaluate(a{0})\n...",
    "if n < 3:\n    c{0} = n + 1\n    T.evaluate(c{0})\n...",
    "c{0} = n + 1\n...",
)
_HEAD: Final = (
    '@T.prim_func\ndef main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "int32"), p: T.handle, n: T.int32, '
    "x: T.float32):\n"
)


@dataclass(frozen=True)
class Pair:
    """Two texts that mean the same."""

    first: str
    second: str


@dataclass(frozen=True)
class Wrong:
    """A text with one fault: where the error about it has to begin."""

    text: str
    line: int
    column: int


def _indented(text: str, by: str) -> str:
    return "\n".join(by + line if line else line for line in text.split("\n"))


def _put(outer: str, inner: str) -> str:
    """The outer statements with the inner ones in the place of `...`."""
    found = re.search(r"^( *)\.\.\.$", outer, re.MULTILINE)
    assert found is not None
    return outer[: found.start()] + _indented(inner, found[1]) + outer[found.end() :]


def _numbers(r: random.Random, texts: Sequence[str]) -> list[str]:
    values = {f"K{place}": str(r.randint(1, 9)) for place in range(1, 4)}
    return [re.sub(r"K[123]", lambda found: values[found[0]], text) for text in texts]


def _somewhere(r: random.Random, texts: Sequence[str], *, are_last: bool) -> list[str]:
    """Functions with the statements at one place, the last ones there if need be."""
    made = _numbers(r, texts)
    around = [outer for outer in _AROUND if outer.endswith("...") or not are_last]
    for depth in range(r.choice((0, 0, 1, 1, 2, 3))):
        outer = r.choice(around).format(depth)
        made = [_put(outer, text) for text in made]
    return [f"{_HEAD}{_indented(text, '    ')}\n" for text in made]


def same_texts(r: random.Random) -> Pair:
    """Two spellings of one kernel, or of one graph."""
    kind = r.random()
    if kind < 0.3:
        first, second = _numbers(r, r.choice(SAME_GRAPHS))
        return Pair(_graph(first), _graph(second))
    if kind < 0.4:
        first, second = _numbers(r, r.choice(SAME_FIRST))
        return Pair(*[f"{_HEAD}{_indented(text, '    ')}\n    T.evaluate(0)\n" for text in (first, second)])
    # what is opened without `with` runs to the end of the body
    first, second = _somewhere(r, r.choice(SAME), are_last=True)
    return Pair(first, second)


def wrong_text(r: random.Random) -> Wrong:
    """A text with a fault."""
    if r.random() < 0.3:
        return _marked(_graph(_numbers(r, [r.choice(WRONG_GRAPHS)])[0]))
    return _marked(_somewhere(r, [r.choice(WRONG)], are_last=False)[0])


def _marked(text: str) -> Wrong:
    before, _, rest = text.partition("«")
    line = before.count("\n") + 1
    return Wrong(before + rest.replace("»", ""), line, len(before) - before.rfind("\n"))


# Graphs

_GRAPH: Final = (
    "@R.function\n"
    'def main(x: R.Tensor((4, "n"), "float32"), y: R.Tensor((4, "n"), "float32"), c: R.Tensor((), "bool"), '
    't: R.Tuple(R.Tensor((2,), "int8"), R.Tensor((3,), "int8")), s: R.Shape((2, "m"))):\n'
    "    n = T.int64()\n"
    "    m = T.int64()\n"
)


def _graph(text: str) -> str:
    return f"{_GRAPH}{_indented(text, '    ')}\n    return u\n"


#: two spellings of what gives `u`
SAME_GRAPHS: Final[tuple[tuple[str, str], ...]] = (
    ("u = x + y", "u = R.add(x, y)"),
    ("u = x - y * x", "gv = R.multiply(y, x)\nu = R.subtract(x, gv)"),
    ("u = x / y", "u = R.divide(x, y)"),
    ("u = x // y", "u = R.floor_divide(x, y)"),
    ("u = x ** y", "u = R.power(x, y)"),
    ("u = x < y", "u = R.less(x, y)"),
    ("u = x >= y", "u = R.greater_equal(x, y)"),
    ("u = -x", "u = R.negative(x)"),
    ("u = R.add(R.exp(x), R.abs(y))", "gv = R.exp(x)\ngv1 = R.abs(y)\nu = R.add(gv, gv1)"),
    ("u = R.sum(x, 1)", "u = R.sum(x, axis=[1], keepdims=False)"),
    ("u = R.sum(x, axis=-1, keepdims=True)", "u = R.sum(x, [-1], True)"),
    ("u = R.zeros((K1, n), \"float32\")", 'u = R.zeros(R.shape([K1, n]), dtype="float32")'),
    ("v, u = t", "v = t[0]\nu = t[1]"),
    ("u: R.Tensor(ndim=2) = x", "u = x"),
    ("u: R.Object = (x, y)", "u = (x, y)"),
    ("u = R.const(K1)", 'u = R.const(K1, "int32")'),
    ("u = R.const(1.5)", 'u = R.const(1.5, "float32")'),
    ("u = (x, R.exp(y))", "gv = R.exp(y)\nu = R.tuple(x, gv)"),
    ("u: R.Tensor((4, n), \"float32\") = R.exp(x)", "u = R.exp(x)"),
    ("u = x\nfor k in range(2):\n    u = R.exp(u)", "u = x\nu = R.exp(u)\nu = R.exp(u)"),
    ("v, w = R.exp(x), R.abs(y)\nu = v + w", "v = R.exp(x)\nw = R.abs(y)\nu = R.add(v, w)"),
    ("if True:\n    u = x\nelse:\n    u = y", "u = x"),
    (
        "if c:\n    w = R.exp(x)\n    u = R.abs(w)\nelse:\n    u = R.abs(y)",
        "if c:\n    v = R.exp(x)\n    u = R.abs(v)\nelse:\n    u = R.abs(y)",
    ),
    (
        'if c:\n    u = R.zeros((2, n), "float32")\nelse:\n    u = R.zeros((K1, m), "int8")',
        'if c:\n    u = R.zeros(R.shape([2, n]), dtype="float32")\nelse:\n    u = R.zeros((K1, m), "int8")',
    ),
    (
        "with R.dataflow():\n    v = R.exp(x)\n    u = R.abs(v)\n    R.output(u)",
        "with R.dataflow():\n    u = R.abs(R.exp(x))\n    R.output(u)",
    ),
    ("n1 = n + K1\nu = R.zeros((n1,), \"float32\")", 'u = R.zeros((n + K1,), "float32")'),
    ("u = R.match_cast(x, R.Tensor((4, n), \"float32\"))", 'u = R.match_cast(x, R.Tensor([4, n], dtype="float32"))'),
    (
        'u = R.call_dps_packed("f", x, R.Tensor((4,), "int8"))',
        'u = R.call_dps_packed("f", (x,), out_sinfo=R.Tensor((4,), "int8"))',
    ),
    ('u = R.call_pure_packed("f", x, sinfo_args=R.Object)', 'u = R.call_pure_packed("f", x, sinfo_args=(R.Object(),))'),
    (
        "@T.macro\ndef again(v):\n    w = R.exp(v)\n    return R.abs(w)\n\nu = again(x)",
        "w = R.exp(x)\ngv = R.abs(w)\nu = gv",
    ),
)  # fmt: skip

#: graphs with something wrong where the marks are
WRONG_GRAPHS: Final[tuple[str, ...]] = (
    "u = R.exp(«nothing»)",
    "u = R.add(x, «nothing»)",
    "u = x + «nothing»",
    "u = «R.exq»(x)",
    'z = R.zeros((7, n), "float32")\nu = R.add(x, «z»)',
    'z = R.zeros((7, n), "float32")\nu = x + «z»',
    'z = R.zeros((4, n), "int8")\nu = x * «z»',
    "u = x + «t»",
    "u = «t» + x",
    'u = R.matmul(R.zeros((2, 3), "float32"), «R.zeros((4, 5), "float32")»)',
    "u = R.exp(«t»)",
    "u = R.exp(«R.shape([K1])»)",
    "u = R.sum(x, axis=«7»)",
    "u = R.concat((x, y), axis=«-9»)",
    "u = R.concat(«x»)",
    'u = R.astype(x, «"flaot32"»)',
    "u = R.nn.conv2d(«x», y)",
    "«u»: R.Tensor((9,), \"int8\") = R.exp(x)",
    "«u»: R.Shape(ndim=2) = R.exp(x)",
    "if c:\n    w = R.exp(x)\n    u = R.abs(w)\nelse:\n    u = R.abs(«w»)",
    "if c:\n    w = R.exp(x)\n    v = R.abs(w)\nelse:\n    v = R.abs(y)\nu = R.exp(«w»)",
    "with R.dataflow():\n    w = R.exp(x)\n    v = R.abs(w)\n    R.output(v)\nu = R.exp(«w»)",
    "«if c:\n    u = x\nelse:\n    v = y»",
    "«if c:\n    u = x»",
    "u = t[«7»]",
    "u = x\nfor k in «x»:\n    u = R.exp(u)",
    "«while c:\n    u = x»",
    "u = R.exp(x)\n«v, w» = R.exp(x), R.exp(y), y",
    "«x.y» = R.exp(x)\nu = x",
    "«R.exp(x)»\nu = x",
    "u = «R.exp(x, y)»",
    "u = «R.exp()»",
    "u = R.exp(x, «no=K1»)",
    "with R.dataflow():\n    «with R.dataflow():\n        u = x\n        R.output(u)»\n    R.output(u)",
    "u = R.match_cast(x, «R.Shape(ndim=2)»)",
)  # fmt: skip


__all__ = ["SAME", "SAME_FIRST", "SAME_GRAPHS", "WRONG", "WRONG_GRAPHS", "Pair", "Wrong", "same_texts", "wrong_text"]
