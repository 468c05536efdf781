"""IR built node by node: constants of all dtypes, calls of every operator, odd names, statements in odd places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy
import tvm
from store import Store
from tvm import tir
from tvm.ir import Op, PointerType, PrimType, Range

DTYPES = [
    "bool",
    "int4",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint1",
    "uint4",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "bfloat16",
    "e4m3_float8",
    "e5m2_float8",
    "int8x4",
    "float32x4",
    "float16x8",
    "uint8x16",
]
NAMES = [
    "for",
    "class",
    "lambda",
    "None",
    "A",
    "A_1",
    "v",
    "T",
    "I",
    "R",
    "tvm",
    "range",
    "x.y",
    "a-b",
    "1st_name",
    "data.ptr",
    "_",
    "__x",
    "é",
    "name",
    "with",
    "spaces",
    "T_add/1",
    "self",
    "print",
    "float32",
    "A_data",
    "len",
    "i_1",
    "buffer_1",
    "name with spaces",
    "",
]


def function(body: Any, *params: Any, **attrs: Any) -> Any:
    """A function of a body."""
    return (
        tir.PrimFunc(list(params), body).with_attr("global_symbol", "main").with_attrs(attrs or {"tir.noalias": True})
    )


def constants() -> Iterator[tuple[str, Any]]:
    for dtype in DTYPES:
        lanes = tvm.DataType(dtype).lanes
        element = dtype.split("x")[0]
        values = [1, 0] if element in ("bool", "uint1") else [0, 1, 7]
        if element.startswith(("int",)):
            values += [-1, -8]
        if "float" in element and "float8" not in element and element != "bfloat16":
            values = [0.0, 1.0, -1.5, 0.1, 1e-5, 1e5, 3.0, 65504.0, float("inf"), float("-inf"), float("nan")]
        buffer = tir.decl_buffer((32,), dtype, name="A")
        handle = tir.Var("a", "handle")
        stores = []
        for position, value in enumerate(values):
            try:
                item = tir.const(value, element) if "float" not in element else tir.FloatImm(element, value)
            except tvm.error.TVMError:
                continue
            stores.append(tir.BufferStore(buffer, tir.Broadcast(item, lanes) if lanes > 1 else item, [position]))
        yield dtype, tir.PrimFunc([handle], tir.SeqStmt(stores), buffer_map={handle: buffer})
        scalar = tir.Var("x", dtype)
        yield f"parameter-{dtype}", function(tir.Evaluate(scalar), scalar)


def operators() -> Iterator[tuple[str, Any]]:
    f, g, h = (tir.Var(name, "float32") for name in "fgh")
    i, j, k = (tir.Var(name, "int32") for name in "ijk")
    p = tir.Var("p", "handle")
    for name in sorted(Op.list_op_names()):
        if not name.startswith("tir.") or name.startswith("tir.call_llvm"):  # TVM dies on those without a number
            continue
        op = Op.get(name)
        for kind, pool in (("float32", (f, g, h)), ("int32", (i, j, k))):
            if op.num_inputs < 0 or (kind == "float32" and ("bitwise" in name or "shift" in name)):
                continue
            try:
                yield (
                    f"{name}-{kind}",
                    function(
                        tir.Evaluate(tir.Call(kind, op, [pool[n % 3] for n in range(op.num_inputs)])),
                        f,
                        g,
                        h,
                        i,
                        j,
                        k,
                        p,
                    ),
                )
            except tvm.error.InternalError:  # operators without an effect
                continue


def expressions() -> Iterator[tuple[str, Any]]:
    i, j = tir.Var("i", "int32"), tir.Var("j", "int32")
    x, y = tir.Var("x", "float32"), tir.Var("y", "float32")
    n = tir.Var("n", "int64")
    b = tir.Var("b", "bool")
    nodes: dict[str, Any] = {
        **{c.__name__: c(i, j) for c in (tir.Add, tir.Sub, tir.Mul, tir.Div, tir.Mod, tir.FloorDiv, tir.FloorMod, tir.Min, tir.Max,
                                         tir.EQ, tir.NE, tir.LT, tir.LE, tir.GT, tir.GE)},
        **{f"{c.__name__}-float": c(x, y) for c in (tir.Add, tir.Sub, tir.Mul, tir.Div, tir.Min, tir.Max, tir.EQ, tir.LT)},
        **{f"{c.__name__}-const": c(tir.IntImm("int32", 3), tir.IntImm("int32", 4)) for c in
           (tir.Add, tir.Sub, tir.Mul, tir.Div, tir.Mod, tir.FloorDiv, tir.FloorMod, tir.Min, tir.Max, tir.EQ, tir.LT)},
        **{f"{c.__name__}-zero": c(i, tir.IntImm("int32", 0)) for c in (tir.Add, tir.Sub, tir.Mul, tir.Max, tir.LT)},
        **{f"{c.__name__}-one": c(i, tir.IntImm("int32", 1)) for c in (tir.Mul, tir.Div, tir.FloorDiv, tir.FloorMod, tir.Mod)},
        "And": tir.And(b, i < j), "Or": tir.Or(b, i < j), "Not": tir.Not(b), "Not-compare": tir.Not(tir.EQ(i, j)),
        "Select": tir.Select(b, x, y), "Cast": tir.Cast("float16", x), "Cast-same": tir.Cast("float32", x),
        "Cast-const": tir.Cast("int64", tir.IntImm("int32", 3)), "Cast-bool": tir.Cast("bool", i),
        "Ramp": tir.Ramp(i, 2, 4), "Broadcast": tir.Broadcast(x, 8),
        "Let": tir.Let(tir.Var("t", "int32"), i, j), "Shuffle": tir.Shuffle([tir.Broadcast(x, 2), tir.Broadcast(y, 2)], [0, 3]),
        "nested": tir.Sub(tir.Sub(i, j), tir.Sub(j, i)), "nested-mul": tir.Mul(tir.Add(i, j), tir.FloorDiv(i, tir.Mul(j, j))),
        "negative": tir.Mul(i, tir.IntImm("int32", -1)), "subtract-negative": tir.Sub(i, tir.IntImm("int32", -3)),
        "chain-compare": tir.EQ(tir.LT(i, j), tir.LT(j, i)), "bool-and-nest": tir.Or(tir.And(b, b), tir.And(tir.Or(b, b), b)),
        "mixed-index": tir.Add(n, tir.IntImm("int64", 3)), "StringImm": tir.StringImm("text \"quoted\""),
        "strings": tir.call_extern("int32", "f", "a", "b\\n", "tab\t"), "min-int": tir.IntImm("int32", -2147483648),
        "max-int64": tir.IntImm("int64", 2**63 - 1), "call-same-name": tir.call_extern("void", "for"),
        "if-then-else": tir.if_then_else(b, i, j), "power": tir.power(x, y), "infinity": tir.infinity("float16"),
        "let-nested": tir.Let(v1 := tir.Var("v", "int32"), i, tir.Let(tir.Var("v", "int32"), v1 + 1, v1)),
    }  # fmt: skip
    for name, node in nodes.items():
        yield name, function(tir.Evaluate(node), i, j, x, y, n, b)


def statements() -> Iterator[tuple[str, Any]]:
    a = tir.decl_buffer((16, 16), "float32", name="A")
    flat = tir.decl_buffer((16,), "float32", name="B")
    handle = tir.Var("a", "handle")
    i, j, n = tir.Var("i", "int32"), tir.Var("j", "int32"), tir.Var("n", "int32")
    store = tir.BufferStore(a, tir.FloatImm("float32", 1.0), [i, 0])
    zero = tir.Evaluate(0)

    def on_a(body: Any) -> Any:
        return tir.PrimFunc([handle, n], body, buffer_map={handle: a}).with_attr("global_symbol", "main")

    for kind in range(4):
        yield f"for-{kind}", on_a(tir.For(i, 0, 16, kind, store))
        yield (
            f"for-min-{kind}",
            on_a(tir.For(i, n, n + 3, kind, store, annotations={"key": 1, "s": "text", "list": [1, 2]})),
        )
    thread = tir.IterVar(None, tir.Var("t", "int32"), tir.IterVar.ThreadIndex, "threadIdx.x")
    yield "thread", on_a(tir.For(i, 0, 16, tir.ForKind.THREAD_BINDING, store, thread_binding=thread))
    yield "for-let-extent", on_a(tir.LetStmt(j, n + 1, tir.For(i, 0, j, 0, store)))
    yield (
        "for-dependent",
        on_a(tir.For(i, 0, 16, 0, tir.For(j, 0, i, 0, tir.BufferStore(a, tir.FloatImm("float32", 0), [i, j])))),
    )
    yield "for-same-name", on_a(tir.For(i, 0, 4, 0, tir.For(tir.Var("i", "int32"), 0, 4, 0, store)))
    yield (
        "for-int64",
        function(
            tir.For(q := tir.Var("q", "int64"), tir.IntImm("int64", 0), tir.IntImm("int64", 4), 0, tir.Evaluate(q))
        ),
    )
    yield "while", on_a(tir.While(tir.LT(n, 4), zero))
    yield "if", on_a(tir.IfThenElse(n < 3, zero, None))
    yield "if-else", on_a(tir.IfThenElse(n < 3, zero, tir.IfThenElse(n < 5, tir.Evaluate(1), tir.Evaluate(2))))
    yield "if-int", on_a(tir.IfThenElse(tir.IntImm("int32", 1), zero, None))
    yield "if-nested", on_a(tir.IfThenElse(n < 3, tir.IfThenElse(n < 2, zero, None), tir.Evaluate(3)))
    yield "assert", on_a(tir.AssertStmt(n < 3, tir.StringImm("message"), zero))
    yield "seq", on_a(tir.SeqStmt([zero, tir.AssertStmt(n < 1, tir.StringImm("m"), zero), zero]))
    yield "let-seq", on_a(tir.SeqStmt([tir.LetStmt(j, n + 1, tir.Evaluate(j)), tir.Evaluate(n)]))
    yield "let-same-name", on_a(tir.LetStmt(tir.Var("n", "int32"), n, zero))
    pointer = tir.Var("data", PointerType(PrimType("float32"), "global"))
    shared = tir.Var("data", PointerType(PrimType("float16"), "shared.dyn"))
    yield "allocate", on_a(tir.Allocate(pointer, "float32", [16, n], tir.const(1, "bool"), zero))
    yield "allocate-condition", on_a(tir.Allocate(pointer, "float32", [16], n > 3, zero))
    yield "allocate-notes", on_a(tir.Allocate(shared, "float16", [16], tir.const(1, "bool"), zero, {"a": 1, "b": "x"}))
    yield "allocate-seq", on_a(tir.SeqStmt([tir.Allocate(pointer, "float32", [16], tir.const(1, "bool"), zero), zero]))
    view = tir.decl_buffer((16,), "float32", name="V", data=pointer)
    yield "declare", on_a(tir.Allocate(pointer, "float32", [16], tir.const(1, "bool"), tir.DeclBuffer(
        view, tir.BufferStore(view, tir.FloatImm("float32", 0), [n]))))  # fmt: skip
    yield (
        "declare-seq",
        on_a(
            tir.SeqStmt(
                [tir.Allocate(pointer, "float32", [16], tir.const(1, "bool"), tir.DeclBuffer(view, zero)), zero]
            )
        ),
    )
    for dtype in ("float32", "int8", "float16", "bool", "uint64"):
        made = tir.Var("c", PointerType(PrimType(dtype), "global"))
        array = tvm.nd.array(numpy.arange(6).reshape(2, 3).astype(dtype))
        yield f"allocate-const-{dtype}", on_a(tir.AllocateConst(made, dtype, [2, 3], array, zero))
    for key, node, value in (
        ("storage_alignment", a.data, 64), ("pragma_x", n, 1), ("text", tir.StringImm("s"), "value"), ("buffer", a, 1),
        ("realize_scope", flat, tir.StringImm("shared")), ("string", "plain", tir.StringImm("v")), ("number", 0, 1),
        ("list", [a, flat], 1), ("none", None, 1), ("axis", tir.IterVar(Range(0, 4), "v", 0, ""), 3),
        ("thread_extent", tir.IterVar(Range(0, 4), "tx", 1, "threadIdx.x"), 4), ("virtual_thread", tir.IterVar(Range(0, 4), "vt", 1, "vthread"), 4),
        ("region", tir.BufferRegion(a, [Range(0, 4), Range(2, 3)]), 1), ("array", [1, 2], 1), ("map", {"k": 1}, 1),
    ):  # fmt: skip
        try:
            yield (
                f"attr-{key}",
                on_a(
                    tir.AttrStmt(
                        node,
                        key,
                        tir.const(value, "int32")
                        if isinstance(value, int)
                        else tir.StringImm(value)
                        if isinstance(value, str)
                        else value,
                        zero,
                    )
                ),
            )
        except Exception:  # noqa: BLE001  # whatever TVM raises is an answer
            continue
    yield "attr-nested", on_a(tir.AttrStmt(a.data, "k", 1, tir.SeqStmt([tir.AttrStmt(a.data, "l", 2, zero), zero])))
    yield (
        "realize",
        on_a(
            tir.BufferRealize(
                flat, [Range(0, 16)], tir.const(True), tir.BufferStore(flat, tir.FloatImm("float32", 0), [n])
            )
        ),
    )
    yield "prefetch", on_a(tir.Prefetch(a, [Range(0, 4), Range.from_min_extent(n, 2)]))
    block = tir.Block([], [], [], "b", zero)
    yield "block-opaque", on_a(tir.BlockRealize([], True, block))
    yield "block-bare", on_a(tir.For(i, 0, 4, 0, block))
    yield "block-predicate", on_a(tir.BlockRealize([], n < 3, block))
    axes = [tir.IterVar(Range(0, 16), f"v{k}", kind, "") for k, kind in enumerate((0, 2, 3, 4))]
    full = tir.Block(axes, [tir.BufferRegion(a, [Range(0, 16), Range.from_min_extent(axes[0].var, 1)])], [], "full", zero,
                     init=tir.Evaluate(1), alloc_buffers=[flat], annotations={"a": 1, "list": [1, "x"], "deep": {"k": [1.5]}})  # fmt: skip
    yield "block-full", on_a(tir.For(i, 0, 16, 0, tir.BlockRealize([i, n, 1, 2], n < 3, full)))
    int64 = [tir.IterVar(Range.from_min_extent(tir.IntImm("int64", 0), tir.IntImm("int64", 16)), "v", 0, "")]
    w = tir.Var("w", "int64")
    yield (
        "block-int64",
        on_a(
            tir.For(
                w,
                tir.IntImm("int64", 0),
                tir.IntImm("int64", 16),
                0,
                tir.BlockRealize([w], True, tir.Block(int64, [], [], "b", zero)),
            )
        ),
    )
    for name in NAMES:
        var, buffer = tir.Var(name, "int32"), tir.decl_buffer((4,), "int32", name=name)
        yield (
            f"name-{name}",
            tir.PrimFunc(
                [handle, var],
                tir.For(tir.Var(name, "int32"), 0, 4, 0, tir.BufferStore(buffer, var, [0])),
                buffer_map={handle: buffer},
            ),
        )
        yield f"block-name-{name}", on_a(tir.BlockRealize([], True, tir.Block([], [], [], name, zero)))
        yield f"symbol-{name}", tir.PrimFunc([n], zero).with_attr("global_symbol", name)


def attributes() -> Iterator[tuple[str, Any]]:
    values: dict[str, Any] = {
        "int": 1, "bool": tir.const(True), "float": tir.FloatImm("float64", 0.5), "string": "x", "list": [1, 2], "map": {"a": [1, {"b": "c"}]},
        "int64": tir.IntImm("int64", 5), "expression": tir.Add(tir.IntImm("int32", 1), tir.IntImm("int32", 2)), "empty": [], "empty-map": {},
        "target": tvm.target.Target("llvm -mcpu=skylake-avx512"), "cuda": tvm.target.Target("nvidia/nvidia-a100", host="llvm"),
        "type": PrimType("float32"), "range": Range(0, 4), "pointer": PointerType(PrimType("int8"), "shared"), "none": None,
        "strings": ["a", "b"], "quoted": 'say "hi"', "newline": "a\nb", "unicode": "é", "float32": tir.FloatImm("float32", 0.1),
    }  # fmt: skip
    for name, value in values.items():
        func = tir.PrimFunc([], tir.Evaluate(0)).with_attr("global_symbol", "main")
        try:
            yield name, func.with_attr("key", value)
            yield f"module-{name}", tvm.IRModule({"main": func}).with_attr("key", value)
        except (TypeError, tvm.error.TVMError):  # no attribute for TVM
            continue


def buffers() -> Iterator[tuple[str, Any]]:
    n, m = tir.Var("n", "int32"), tir.SizeVar("m", "int64")
    s = tir.Var("s", "int32")
    layouts: dict[str, dict[str, Any]] = {
        "plain": {"shape": (4, 4)}, "zero-rank": {"shape": ()}, "dynamic": {"shape": (n, n * 2)}, "size-var": {"shape": (m,)},
        "strides": {"shape": (4, 4), "strides": [8, 1]}, "stride-var": {"shape": (4, 4), "strides": [s, 1]}, "offset": {"shape": (4,), "elem_offset": 3},
        "offset-var": {"shape": (4,), "elem_offset": s}, "factor": {"shape": (4,), "offset_factor": 8}, "align": {"shape": (4,), "data_alignment": 128},
        "auto": {"shape": (n, 4), "buffer_type": "auto_broadcast"}, "separators": {"shape": (4, 4), "axis_separators": [1]},
        "scope": {"shape": (4,), "scope": "shared.dyn"}, "bool": {"shape": (4,), "dtype": "bool"}, "vector": {"shape": (4,), "dtype": "float32x4"},
        "int64": {"shape": (tir.IntImm("int64", 4), n.astype("int64"))}, "half": {"shape": (4,), "dtype": "float16", "data_alignment": 16},
    }  # fmt: skip
    for name, layout in layouts.items():
        buffer = tir.decl_buffer(name="A", **layout)
        handle = tir.Var("a", "handle")
        zeros = [tir.IntImm("int32", 0)] * len(buffer.shape)
        load = tir.Evaluate(tir.BufferLoad(buffer, zeros))
        yield f"parameter-{name}", tir.PrimFunc([handle, n, m, s], load, buffer_map={handle: buffer})
        yield f"parameter-alone-{name}", tir.PrimFunc([handle], load, buffer_map={handle: buffer})
        yield f"free-{name}", tir.PrimFunc([n, m, s], load)
        yield (
            f"allocated-{name}",
            tir.PrimFunc(
                [n, m, s], tir.BlockRealize([], True, tir.Block([], [], [], "root", load, alloc_buffers=[buffer]))
            ),
        )
        yield (
            f"data-used-{name}",
            tir.PrimFunc(
                [handle, n, m, s],
                tir.SeqStmt([load, tir.Evaluate(buffer.data), tir.Evaluate(handle)]),
                buffer_map={handle: buffer},
            ),
        )
    a = tir.decl_buffer((8, 8), name="A")
    match = tir.decl_buffer((4, 4), name="M", strides=[tir.Var("s0", "int32"), tir.Var("s1", "int32")], offset_factor=1)
    handle = tir.Var("a", "handle")
    region = tir.BufferRegion(a, [Range(0, 4), Range.from_min_extent(n, 4)])
    block = tir.Block(
        [], [region], [], "b", tir.Evaluate(match[0, 0]), match_buffers=[tir.MatchBufferRegion(match, region)]
    )
    yield "match", tir.PrimFunc([handle, n], tir.BlockRealize([], True, block), buffer_map={handle: a})


def run(store: Store) -> None:
    """All of it."""
    for family in (constants, operators, expressions, statements, attributes, buffers):
        for name, program in family():
            store.attempt(f"handmade-{family.__name__}", name, lambda p=program: p)
