"""One value for each element: functions, operators, dtypes, conditions."""

#: where the text differs from TVM's
DIFFERENT = {
    "limits.max_int64": "nothing is larger than the largest int64; TVM's simplifier does not know its bound",
}


def unary():
    names = "exp erf tanh sigmoid log log2 log10 cos cosh sin sinh tan atan acos acosh asin asinh atanh sqrt rsqrt"
    for name in names.split():
        A = te.placeholder((8, 16), name="A")
        yield name, [A, te.compute((8, 16), lambda i, j: getattr(te, name)(A[i, j]), name="B")]


def rounding():
    for name in ("floor", "ceil", "trunc", "round", "nearbyint", "abs", "isnan", "isinf", "isfinite"):
        A = te.placeholder((128,), dtype="float64", name="A")
        yield name, [A, te.compute((128,), lambda i: getattr(te, name)(A[i]), name="B")]


def integer_functions():
    for name in ("abs", "popcount", "isnan", "isfinite", "floor", "ceil", "trunc", "round"):
        A = te.placeholder((128,), dtype="int32", name="A")
        yield name, [A, te.compute((128,), lambda i: getattr(te, name)(A[i]), name="B")]


def binary_functions():
    for name in ("power", "fmod", "div", "add", "subtract", "multiply", "max", "min"):
        A = te.placeholder((4, 5), name="A")
        B = te.placeholder((4, 5), name="B")
        function = getattr(tvm.tir, name) if name in ("max", "min") else getattr(te, name)
        yield name, [A, B, te.compute((4, 5), lambda i, j: function(A[i, j], B[i, j]), name="C")]


def divisions():
    for name in ("truncdiv", "truncmod", "floordiv", "floormod", "indexdiv", "indexmod", "div"):
        A = te.placeholder((16,), "int32", name="A")
        B = te.placeholder((16,), "int32", name="B")
        yield name, [A, B, te.compute((16,), lambda i: getattr(te, name)(A[i], B[i]), name="C")]


def divisions_by_constants():
    for name in ("truncdiv", "truncmod", "floordiv", "floormod", "indexdiv", "indexmod"):
        A = te.placeholder((16,), "int32", name="A")
        yield name, [A, te.compute((64,), lambda i: getattr(te, name)(A[getattr(te, name)(i, 4)], 3), name="C")]


def operators():
    A = te.placeholder((16,), name="A")
    B = te.placeholder((16,), name="B")
    forms = {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "div": lambda a, b: a / b,
        "neg": lambda a, b: -a,
        "lt": lambda a, b: a < b,
        "le": lambda a, b: a <= b,
        "gt": lambda a, b: a > b,
        "ge": lambda a, b: a >= b,
        "eq": lambda a, b: a.equal(b) if hasattr(a, "equal") else a == b,
        "eq_operator": lambda a, b: a == b,
        "ne_operator": lambda a, b: a != b,
        "add_constant": lambda a, b: a + 1,
        "constant_sub": lambda a, b: 2.5 - a,
        "mul_zero": lambda a, b: a * 0,
        "add_zero": lambda a, b: a + 0,
        "nested": lambda a, b: (a + b) * (a - b) / (a * 2 + 1),
        "astype": lambda a, b: a.astype("int32"),
        "astype_same": lambda a, b: a.astype("float32") + b,
        "astype_half": lambda a, b: a.astype("float16") * b.astype("float16"),
    }
    for name, form in forms.items():
        yield name, [A, B, te.compute((16,), lambda i: form(A[i], B[i]), name="C")]


def bits():
    A = te.placeholder((16,), "int32", name="A")
    forms = {
        "and": lambda a: a & 7,
        "or": lambda a: a | 8,
        "xor": lambda a: a ^ a,
        "not": lambda a: ~a,
        "left": lambda a: a << 2,
        "right": lambda a: a >> 1,
        "both": lambda a: (a << 2) | (a >> 30),
    }
    for name, form in forms.items():
        yield name, [A, te.compute((16,), lambda i: form(A[i]), name="C")]


def dtypes():
    for dtype in "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool bfloat16".split():
        A = te.placeholder((10, 3), dtype, name="A")
        yield dtype, [A, te.compute((10, 3), lambda i, j: A[i, j], name="B")]


def dtypes_plus_one():
    for dtype in "float16 float64 int8 int16 int64 uint8 uint32".split():
        A = te.placeholder((10,), dtype, name="A")
        yield dtype, [A, te.compute((10,), lambda i: A[i] + te.const(1, dtype), name="B")]


def mixed_dtypes():
    for a, b in (("int32", "float32"), ("int8", "int32"), ("uint8", "int8"), ("float16", "float32"), ("int64", "int32")):
        A = te.placeholder((10,), a, name="A")
        B = te.placeholder((10,), b, name="B")
        yield f"{a}_{b}", [A, B, te.compute((10,), lambda i: A[i] + B[i], name="C")]


def vector_dtypes():
    for dtype in ("float32x4", "int8x4", "float16x2"):
        A = te.placeholder((10,), dtype, name="A")
        yield dtype, [A, te.compute((10,), lambda i: A[i] + A[i], name="B")]


def conditions():
    A = te.placeholder((16, 16), name="A")
    B = te.placeholder((16, 16), name="B")
    forms = {
        "if_then_else": lambda i, j: te.if_then_else(i < j, A[i, j], B[i, j]),
        "select": lambda i, j: tvm.tir.Select(A[i, j] > 0, A[i, j], tvm.tir.const(0, "float32")),
        "all": lambda i, j: te.if_then_else(te.all(i >= 1, j >= 1, i < 15), A[i - 1, j - 1], 0.0),
        "any": lambda i, j: te.if_then_else(te.any(i < 1, j < 1), 0.0, A[i - 1, j - 1]),
        "not": lambda i, j: te.if_then_else(tvm.tir.Not(i < j), A[i, j], 1.0),
        "and_operator": lambda i, j: te.if_then_else(tvm.tir.And(i < j, j < 10), A[i, j], 1.0),
        "diagonal": lambda i, j: te.if_then_else(i.equal(j), 1.0, 0.0),
        "equal_operator": lambda i, j: te.if_then_else(i == j, A[i, j], 0.0),
        "constant_true": lambda i, j: te.if_then_else(True, A[i, j], B[i, j]),
        "likely": lambda i, j: te.if_then_else(tvm.tir.likely(i < 10), A[i, j], 0.0),
        "nested": lambda i, j: te.if_then_else(i < 4, te.if_then_else(j < 4, A[i, j], 1.0), B[i, j]),
        "max_zero": lambda i, j: tvm.tir.max(A[i, j], tvm.tir.const(0, "float32")),
        "clip": lambda i, j: tvm.tir.min(tvm.tir.max(A[i, j], 0.0), 6.0),
    }
    for name, form in forms.items():
        yield name, [A, B, te.compute((16, 16), form, name="C")]


def limits():
    for dtype in ("float16", "float32", "float64", "int8", "int32", "uint8", "int64"):
        A = te.placeholder((16,), dtype, name="A")
        yield f"max_{dtype}", [A, te.compute((16,), lambda i: tvm.tir.max(A[i], te.max_value(dtype)), name="C")]
        yield f"min_{dtype}", [A, te.compute((16,), lambda i: tvm.tir.max(A[i], te.min_value(dtype)), name="C")]


def calls():
    A = te.placeholder((16,), name="A")
    forms = {
        "pure_extern": lambda i: tvm.tir.call_pure_extern("float32", "sinf", A[i]),
        "extern": lambda i: tvm.tir.call_extern("float32", "foo", A[i], i),
        "intrin": lambda i: tvm.tir.call_intrin("float32", "tir.exp2", A[i]),
        "reinterpret": lambda i: tvm.tir.reinterpret("int32", A[i]),
        "let": lambda i: let(i, A),
        "copysign": lambda i: tvm.tir.copysign(A[i], A[i]),
        "ldexp": lambda i: tvm.tir.ldexp(A[i], tvm.tir.const(2, "float32")),
        "exp10": lambda i: tvm.tir.exp10(A[i]),
        "trace": lambda i: te.trace([A[i]]),
        "fma": lambda i: tvm.tir.call_intrin("float32", "tir.fma", A[i], A[i], A[i]),
    }

    def let(i, A):
        x = te.var("x", "float32")
        return tvm.tir.Let(x, A[i] * 2.0, x * x)

    for name, form in forms.items():
        yield name, [A, te.compute((16,), form, name="C")]
