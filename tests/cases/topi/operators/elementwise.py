"""Operators of single elements."""

#: where the text differs from TVM's
DIFFERENT = {
    "math.negative_int32": "TVM leaves x * -1 where this simplifies to 0 - x",
    "math.ceil_log2": "TVM takes no tensor",
    "activations.prelu": "TVM wants to know the number of channels",
    "activations.prelu_of_one_slope": "TVM wants a slope for each channel",
}

from math import erf as _erf

#: operator -> NumPy's function, and the range of the inputs
MATH = {
    "abs": (np.abs, "-3:3"), "acos": (np.arccos, "-0.9:0.9"), "acosh": (np.arccosh, "1.1:4"),
    "asin": (np.arcsin, "-0.9:0.9"), "asinh": (np.arcsinh, "-3:3"), "atan": (np.arctan, "-3:3"),
    "atanh": (np.arctanh, "-0.9:0.9"), "ceil": (np.ceil, "-3:3"), "cos": (np.cos, "-3:3"), "cosh": (np.cosh, "-3:3"),
    "erf": (np.vectorize(_erf, otypes=["float32"]), "-3:3"), "exp": (np.exp, "-3:3"), "floor": (np.floor, "-3:3"),
    "identity": (lambda x: x, "-3:3"), "isfinite": (np.isfinite, "-3:3"), "isinf": (np.isinf, "-3:3"),
    "isnan": (np.isnan, "-3:3"), "log": (np.log, "0.1:4"), "log10": (np.log10, "0.1:4"), "log2": (np.log2, "0.1:4"),
    "negative": (np.negative, "-3:3"), "round": (np.round, "-3:3"), "rsqrt": (lambda x: 1 / np.sqrt(x), "0.1:4"),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), "-3:3"), "sign": (np.sign, "-3:3"), "sin": (np.sin, "-3:3"),
    "sinh": (np.sinh, "-3:3"), "sqrt": (np.sqrt, "0.1:4"), "tan": (np.tan, "-1:1"), "tanh": (np.tanh, "-3:3"),
    "trunc": (np.trunc, "-3:3"), "fast_exp": (np.exp, "-3:3"), "fast_tanh": (np.tanh, "-3:3"),
    "fast_erf": (np.vectorize(_erf, otypes=["float32"]), "-3:3"),
}


def math():
    for name, (reference, values) in MATH.items():
        yield name, f"x:float32[n,4]{{{values}}}", getattr(topi, name), reference
    for name in ("exp", "erf", "sqrt", "tanh", "sigmoid", "fast_exp", "fast_tanh", "fast_erf"):
        yield f"{name}_float16", "x:float16[n,4]{0.1:2}", getattr(topi, name), MATH[name][0], {"rtol": 1e-2}
    for name in ("exp", "tanh", "rsqrt", "abs", "sign"):
        yield f"{name}_float64", "x:float64[n,4]{0.1:2}", getattr(topi, name), MATH[name][0]
    for name in ("abs", "negative", "sign", "identity", "isfinite", "isnan", "floor", "round"):
        yield f"{name}_int32", "x:int32[n,4]{-5:6}", getattr(topi, name), MATH[name][0]
    for name in ("abs", "exp", "sign"):
        yield f"{name}_scalar", "x:float32[]{0.1:2}", getattr(topi, name), MATH[name][0]
    yield "ceil_log2", "x:int32[n]{1:1000}", topi.ceil_log2, lambda x: np.ceil(np.log2(x))


def bits():
    yield "bitwise_not", "x:int32[n]{-5:6}", topi.bitwise_not, np.bitwise_not
    yield "logical_not", "x:bool[n]{0:2}", topi.logical_not, np.logical_not
    yield "reinterpret", "x:float32[n]", lambda x: topi.reinterpret(x, "int32"), lambda x: x.view("int32"), {"dtypes": ()}


def casts():
    yield "cast", "x:float32[n,4]{-9:9}", lambda x: topi.cast(x, "int32"), lambda x: x.astype("int32")
    yield "cast_same", "x:float32[n]", lambda x: topi.cast(x, "float32"), lambda x: x
    yield "cast_bool", "x:int32[n]{-1:2}", lambda x: topi.cast(x, "bool"), lambda x: x.astype("bool")
    yield "cast_half", "x:float32[n]", lambda x: topi.cast(x, "float16"), lambda x: x.astype("float16")


def clips():
    yield "clip", "x:float32[n,4]", lambda x: topi.clip(x, -0.5, 0.5), lambda x: x.clip(-0.5, 0.5)
    yield "clip_int", "x:int32[n]{-9:9}", lambda x: topi.clip(x, -2, 3), lambda x: x.clip(-2, 3)
    yield "clip_expr", "x:float32[n]", lambda x: topi.clip(x, te.const(0.1, "float32"), te.const(0.5, "float32")), lambda x: x.clip(0.1, 0.5)


def activations():
    relu = lambda x: np.maximum(x, 0)
    yield "relu", "x:float32[n,4]", topi.nn.relu, relu
    yield "relu_int", "x:int32[n]{-9:9}", topi.nn.relu, relu
    yield "relu_half", "x:float16[n]", topi.nn.relu, relu
    yield "leaky_relu", "x:float32[n,4]", lambda x: topi.nn.leaky_relu(x, 0.1), lambda x: np.where(x > 0, x, x * 0.1)
    prelu = lambda x, s: np.where(x > 0, x, x * s.reshape(-1, 1))
    yield "prelu", "x:float32[n,m,4] s:float32[m]", lambda x, s: topi.nn.prelu(x, s, 1), prelu
    yield "prelu_of_one_slope", "x:float32[n,3,4] s:float32[1]", lambda x, s: topi.nn.prelu(x, s, 1), prelu
    yield "scale_shift_nchw", "x:float32[n,m,4,4] s:float32[m] b:float32[m]", topi.nn.scale_shift_nchw, lambda x, s, b: x * s[:, None, None] + b[:, None, None]
    yield "scale_shift_nhwc", "x:float32[n,4,4,m] s:float32[m] b:float32[m]", topi.nn.scale_shift_nhwc, lambda x, s, b: x * s + b
    yield "scale_shift_nchwc", "x:float32[n,m,4,5,2] s:float32[m,2] b:float32[m,2]", topi.nn.scale_shift_nchwc, lambda x, s, b: x * s[:, None, None] + b[:, None, None]


def several():
    yield "elemwise_sum", "a:float32[n,4] b:float32[n,4] c:float32[n,4]", lambda *x: topi.elemwise_sum(list(x)), lambda a, b, c: a + b + c
    yield "full", "x:float32[n,4]", lambda x: [topi.full((3, 4), "float32", 2.5), topi.full_like(x, 3)], lambda x: [np.full((3, 4), 2.5, "float32"), np.full_like(x, 3)]
    yield "full_int", "x:float32[n]", lambda x: topi.full((x.shape[0], 2), "int32", 7), lambda x: np.full((len(x), 2), 7, "int32"), {"shaped": True}
    yield "full_expr", "x:float32[n]", lambda x: topi.full((x.shape[0],), "float32", te.const(1.5, "float32")), lambda x: np.full(len(x), 1.5, "float32"), {"shaped": True}
    yield "fixed_point_multiply", "x:int32[n]{-99:99}", lambda x: topi.fixed_point_multiply(x, 1 << 30, 1), lambda x: x
