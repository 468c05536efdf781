"""Operators of single elements: each dtype at each shape; floats that are nan, infinite, halves."""

from math import erf as _erf
from math import isnan as _isnan

FLOATS = ("float16", "bfloat16", "float32", "float64")
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
SHAPES = ("", "1", "0", "n", "2,3", "0,3", "n,m", "1,n,4", "2,n,0,3")

erf = np.vectorize(_erf, otypes=["float64"])
sigmoid = lambda x: 1 / (1 + np.exp(-x))
#: operator -> reference, and the range of the inputs
MATH = {
    "abs": (np.abs, "-3:3"), "acos": (np.arccos, "-0.9:0.9"), "acosh": (np.arccosh, "1.1:4"), "asin": (np.arcsin, "-0.9:0.9"),
    "asinh": (np.arcsinh, "-3:3"), "atan": (np.arctan, "-3:3"), "atanh": (np.arctanh, "-0.9:0.9"), "ceil": (np.ceil, "-3:3"),
    "cos": (np.cos, "-3:3"), "cosh": (np.cosh, "-3:3"), "erf": (erf, "-3:3"), "exp": (np.exp, "-3:3"), "floor": (np.floor, "-3:3"),
    "identity": (lambda x: x, "-3:3"), "isfinite": (np.isfinite, "-3:3"), "isinf": (np.isinf, "-3:3"), "isnan": (np.isnan, "-3:3"),
    "log": (np.log, "0.1:4"), "log10": (np.log10, "0.1:4"), "log2": (np.log2, "0.1:4"), "negative": (np.negative, "-3:3"),
    "round": (lambda x: np.where(np.isfinite(x), np.sign(x) * np.floor(np.abs(x) + 0.5), x), "-3:3"), "rsqrt": (lambda x: 1 / np.sqrt(x), "0.1:4"), "sigmoid": (sigmoid, "-3:3"), "sign": (np.sign, "-3:3"),
    "sin": (np.sin, "-3:3"), "sinh": (np.sinh, "-3:3"), "sqrt": (np.sqrt, "0.1:4"), "tan": (np.tan, "-1:1"), "tanh": (np.tanh, "-3:3"),
    "trunc": (np.trunc, "-3:3"), "fast_exp": (np.exp, "-3:3"), "fast_tanh": (np.tanh, "-3:3"), "fast_erf": (erf, "-3:3"),
}
#: without an own answer for values that are no numbers
FAST = ("fast_exp", "fast_tanh", "fast_erf")


def floats():
    for name, (reference, values) in MATH.items():
        for dtype in FLOATS:
            for shape in SHAPES:
                yield f"{name}_{dtype}[{shape}]", f"x:{dtype}[{shape}]{{{values}}}", getattr(topi, name), reference


def specials():
    for name, (reference, _) in MATH.items():
        for dtype in FLOATS:
            if name not in FAST:
                # the sign of what is no number is 0
                value = reference if name != "sign" else lambda x: np.where(np.isnan(x), 0, np.sign(x))
                yield f"{name}_{dtype}", f"x:{dtype}[3,11]{{special}}", getattr(topi, name), value


def integers():
    for name in ("abs", "negative", "sign", "identity", "isfinite", "isinf", "isnan", "floor", "ceil", "round", "trunc", "bitwise_not"):
        reference = MATH[name][0] if name in MATH else getattr(np, name)
        for dtype in (*SIGNED, *UNSIGNED):
            for shape in SHAPES:
                yield f"{name}_{dtype}[{shape}]", f"x:{dtype}[{shape}]", getattr(topi, name), reference
    for shape in SHAPES:
        yield f"logical_not[{shape}]", f"x:bool[{shape}]", topi.logical_not, np.logical_not
        yield f"identity_bool[{shape}]", f"x:bool[{shape}]", topi.identity, lambda x: x


def casts():
    every = (*FLOATS, *SIGNED, *UNSIGNED, "bool")
    for source in every:
        for target in every:
            low = "0" if target[0] in "u" or source[0] in "u" else "-9"
            values = "0:2" if source == "bool" else f"{low}:9"
            yield f"{source}_{target}", f"x:{source}[n,3]{{{values}}}", lambda x, t=target: topi.cast(x, t), lambda x, t=target: np.asarray(x).astype(numpy_dtype(t))


def clips():
    for dtype in (*FLOATS, *SIGNED, *UNSIGNED):
        for shape in SHAPES:
            yield f"clip_{dtype}[{shape}]", f"x:{dtype}[{shape}]", lambda x: topi.clip(x, 1, 2), lambda x: np.clip(x, 1, 2)


def activations():
    for dtype in FLOATS:
        for shape in SHAPES:
            yield f"relu_{dtype}[{shape}]", f"x:{dtype}[{shape}]", topi.nn.relu, lambda x: np.maximum(x, 0)
            yield f"leaky_{dtype}[{shape}]", f"x:{dtype}[{shape}]", lambda x: topi.nn.leaky_relu(x, 0.25), lambda x: np.where(x > 0, x, x * 0.25)
        for shape, axis in (("n,m", 1), ("n,m,3", 1), ("2,0,3", 1), ("m,2", 0), ("2,3,m", 2)):
            size = shape.split(",")[axis]
            yield f"prelu_{dtype}[{shape}]{axis}", f"x:{dtype}[{shape}] s:{dtype}[{size}]", lambda x, s, a=axis: topi.nn.prelu(x, s, a), lambda x, s, a=axis: np.where(x > 0, x, x * s.reshape([-1 if i == a else 1 for i in range(x.ndim)]))


def fills():
    for dtype in (*FLOATS, *SIGNED, *UNSIGNED):
        for shape in SHAPES:
            yield f"full_like_{dtype}[{shape}]", f"x:{dtype}[{shape}]", lambda x: topi.full_like(x, 1), lambda x: np.full_like(x, 1)
            yield f"elemwise_sum_{dtype}[{shape}]", f"a:{dtype}[{shape}] b:{dtype}[{shape}] c:{dtype}[{shape}]", lambda *x: topi.elemwise_sum(list(x)), (lambda a, b, c: a + b + c)
