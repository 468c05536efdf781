"""Ranks, extents, symbolic sizes, indices, names of axes."""

#: where the text differs from TVM's
DIFFERENT = {
    "int64_extents.constants": "TVM's block axes begin at an int32 zero under int64 extents, so that they are no T.axis.remap",
    "int64_extents.mixed": "TVM's block axes begin at an int32 zero under int64 extents, so that they are no T.axis.remap",
    "names.keyword": "TVM's text does not read back: `lambda` is no name",
}


def ranks():
    for rank in range(6):
        shape = tuple(range(2, 2 + rank))
        A = te.placeholder(shape, name="A")
        yield str(rank), [A, te.compute(shape, lambda *i: A(*i) + 1.0, name="B")]


def rank_zero():
    A = te.placeholder((), name="A")
    yield "scalar", [A, te.compute((), lambda: A[()] * 2.0, name="B")]
    yield "call", [A, te.compute((), lambda: A() * 2.0, name="B")]
    yield "into_vector", [A, te.compute((4,), lambda i: A() + te.const(1.0, "float32"), name="B")]


def ones():
    for shape in ((1,), (1, 1), (1, 8), (8, 1), (1, 8, 1, 4)):
        A = te.placeholder(shape, name="A")
        yield "x".join(map(str, shape)), [A, te.compute(shape, lambda *i: A(*i) * 2.0, name="B")]


def symbolic():
    n, m = te.var("n"), te.var("m")
    A = te.placeholder((n,), name="A")
    B = te.placeholder((n, m), name="B")
    yield "vector", [A, te.compute((n,), lambda i: A[i] + 1.0, name="C")]
    yield "matrix", [B, te.compute((n, m), lambda i, j: B[i, j] + 1.0, name="C")]
    yield "transpose", [B, te.compute((m, n), lambda i, j: B[j, i], name="C")]
    yield "sum_of_sizes", [B, te.compute((n + m,), lambda i: te.if_then_else(i < n, B[i, 0], B[0, i - n]), name="C")]
    yield "product", [B, te.compute((n * m,), lambda i: B[i // m, i % m], name="C")]
    yield "size_as_value", [A, te.compute((n,), lambda i: A[i] * n.astype("float32"), name="C")]
    yield "tensor_shape", [A, te.compute(A.shape, lambda i: A[i], name="C")]


def size_vars():
    n = te.size_var("n")
    A = te.placeholder((n,), name="A")
    yield "size_var", [A, te.compute((n,), lambda i: A[n - 1 - i], name="C")]
    k = te.size_var("k", "int64")
    B = te.placeholder((k,), name="B")
    yield "int64", [B, te.compute((k,), lambda i: B[i], name="C")]


def int64_extents():
    A = te.placeholder((te.const(16, "int64"), te.const(4, "int64")), name="A")
    yield "constants", [A, te.compute(A.shape, lambda i, j: A[i, j] + 1.0, name="C")]
    n = te.var("n", "int64")
    B = te.placeholder((n, 4), name="B")
    yield "mixed", [B, te.compute((n, 4), lambda i, j: B[i, j] + 1.0, name="C")]


def scalars_as_parameters():
    n = te.var("n")
    x = te.var("x", "float32")
    A = te.placeholder((n,), name="A")
    yield "value", [A, x, te.compute((n,), lambda i: A[i] * x, name="C")]
    yield "first", [x, A, te.compute((n,), lambda i: A[i] * x, name="C")]
    yield "size", [n, A, te.compute((n,), lambda i: A[i], name="C")]
    yield "offset", [A, n, te.compute((10,), lambda i: A[i + n], name="C")]


def indices():
    A = te.placeholder((64, 64), name="A")
    I = te.placeholder((16,), "int32", name="I")
    forms = {
        "reverse": lambda i, j: A[63 - i, j],
        "stride": lambda i, j: A[i * 2, j * 4 + 1],
        "gather": lambda i, j: A[I[i], j],
        "gather_twice": lambda i, j: A[I[i], I[j]],
        "division": lambda i, j: A[i // 2, j % 4],
        "sum": lambda i, j: A[i + j, i - j + 16],
        "chain": lambda i, j: A[i][j],
        "chain_mixed": lambda i, j: A[i][j + 1] + A[i, j],
        "constant": lambda i, j: A[0, 0],
        "diagonal": lambda i, j: A[i, i],
        "minimum": lambda i, j: A[tvm.tir.min(i, j), tvm.tir.max(i, j)],
        "one_axis": lambda i, j: A[i, 0],
        "axis_values": lambda i, j: (i * 16 + j).astype("float32"),
        "ramp": lambda i, j: te.const(1.0, "float32") + i,
    }
    for name, form in forms.items():
        yield name, [A, I, te.compute((16, 16), form, name="C")]


def names_of_axes():
    A = te.placeholder((4, 4, 4), name="A")
    yield "two", [A, te.compute((4, 4, 4), lambda x, y, z: A[x, y, z], name="B")]
    yield "varargs", [A, te.compute((4, 4, 4), lambda *i: A(*i), name="B")]
    yield "varargs_after_one", [A, te.compute((4, 4, 4), lambda x, *i: A(x, *i), name="B")]
    names = ["yy", "zz"]
    yield "varargs_names", [
        A,
        te.compute((4, 4, 4), lambda x, *i: A(x, *i), name="B", varargs_names=names),
    ]
    yield "underscore", [A, te.compute((4, 4, 4), lambda _, y, z: A[0, y, z], name="B")]
    yield "same_as_tensor", [A, te.compute((4, 4, 4), lambda A_, B, C: A[A_, B, C], name="B")]

    def named(h, w, c):
        return A[h, w, c] + 1.0

    yield "function", [A, te.compute((4, 4, 4), named, name="B")]


def names():
    A = te.placeholder((4,), name="A")
    yield "unnamed", [A, te.compute((4,), lambda i: A[i])]
    yield "unnamed_placeholder", [te.placeholder((4,)), A, te.compute((4,), lambda i: A[i], name="B")]
    B = te.placeholder((4,), name="A")
    yield "same_names", [A, B, te.compute((4,), lambda i: A[i] + B[i], name="A")]
    yield "dots", [A, te.compute((4,), lambda i: A[i], name="conv2d.output")]
    yield "keyword", [A, te.compute((4,), lambda i: A[i], name="lambda")]
    yield "reserved", [A, te.compute((4,), lambda i: A[i], name="T")]
    yield "index_name", [A, te.compute((4,), lambda i: A[i], name="i")]
    C = te.compute((4,), lambda i: A[i], name="C")
    D = te.compute((4,), lambda i: C[i], name="C")
    yield "chain_of_one_name", [A, te.compute((4,), lambda i: D[i], name="C")]


def attributes():
    A = te.placeholder((4,), name="A")
    yield "tag", [A, te.compute((4,), lambda i: A[i], name="B", tag="elemwise")]
    yield "attrs", [A, te.compute((4,), lambda i: A[i], name="B", attrs={"schedule_rule": "none"})]
    yield "attr_int", [A, te.compute((4,), lambda i: A[i], name="B", attrs={"level": 3})]
    yield "attr_list", [A, te.compute((4,), lambda i: A[i], name="B", attrs={"sizes": [1, 2, 3]})]
    yield "layout_free", [
        A,
        te.compute((4,), lambda i: A[i], name="B", attrs={"layout_free_placeholders": [A]}),
    ]


def int_shapes():
    A = te.placeholder((4, 4), name="A")
    yield "int", [A, te.compute((4,), lambda i: A[i, i], name="B")]
    yield "float_extent", [A, te.compute((4.0, 4), lambda i, j: A[i, j], name="B")]
    n = te.var("n")
    V = te.placeholder(n, name="V")
    yield "one_expression", [V, te.compute(n, lambda i: V[i], name="B")]
    yield "floordiv_extent", [V, te.compute((n // 2,), lambda i: V[i * 2], name="B")]
    yield "ceildiv_extent", [V, te.compute((tvm.tir.ceildiv(n, 2),), lambda i: V[i * 2], name="B")]
    yield "max_extent", [V, te.compute((tvm.tir.max(n, 1),), lambda i: V[i], name="B")]
