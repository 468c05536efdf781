"""Reductions."""

#: where the text differs from TVM's
DIFFERENT = {f"positions.{name}_ties": "TVM returns -1 for a row of the extreme integer" for name in ("argmax", "argmin")}

REDUCTIONS = {"sum": np.sum, "max": np.max, "min": np.min, "prod": np.prod}
AXES = {"last": -1, "first": 0, "several": (0, 2), "all": None, "middle_list": [1]}


def axes():
    for name, reference in REDUCTIONS.items():
        for label, axis in AXES.items():
            yield f"{name}_{label}", "x:float32[m,3,4]", lambda x, f=getattr(topi, name), axis=axis: f(x, axis), lambda x, f=reference, axis=axis: f(x, tuple(axis) if isinstance(axis, list) else axis)
    yield "sum_empty", "x:float32[n,0]", lambda x: topi.sum(x, 1), lambda x: x.sum(1)
    yield "sum_none", "x:float32[n,3]", lambda x: topi.sum(x, ()), lambda x: x


def keepdims():
    for name, reference in REDUCTIONS.items():
        for axis in (1, (0, 1), None):
            yield f"{name}_{axis}", "x:float32[m,3]", lambda x, f=getattr(topi, name), axis=axis: f(x, axis, True), lambda x, f=reference, axis=axis: f(x, axis, keepdims=True)


def dtypes():
    for name, reference in REDUCTIONS.items():
        for dtype in ("int32", "float64", "float16", "int8", "uint8"):
            yield f"{name}_{dtype}", f"x:{dtype}[m,3]{{0:3}}", lambda x, f=getattr(topi, name): f(x, 1), lambda x, f=reference, dtype=dtype: f(x, 1).astype(dtype), {"rtol": 1e-2 if dtype == "float16" else 1e-5}


def truth():
    for name in ("all", "any"):
        f, reference = getattr(topi, name), getattr(np, name)
        yield name, "x:bool[m,3]{0:2}", lambda x, f=f: f(x, 1), lambda x, f=reference: f(x, 1)
        yield f"{name}_of_all", "x:bool[m,3]{0:2}", lambda x, f=f: f(x), lambda x, f=reference: f(x)
        yield f"{name}_keepdims", "x:bool[m,3]{0:2}", lambda x, f=f: f(x, 0, True), lambda x, f=reference: f(x, 0, keepdims=True)


def positions():
    for name, reference in {"argmax": np.argmax, "argmin": np.argmin}.items():
        f = getattr(topi, name)
        yield name, "x:float32[m,5]", lambda x, f=f: f(x, 1), lambda x, f=reference: f(x, 1).astype("int32")
        yield f"{name}_first", "x:float32[m,5]", lambda x, f=f: f(x, 0), lambda x, f=reference: f(x, 0).astype("int32")
        yield f"{name}_keepdims", "x:float32[m,5]", lambda x, f=f: f(x, 1, True), lambda x, f=reference: f(x, 1, keepdims=True).astype("int32")
        yield f"{name}_of_all", "x:float32[m,5]", lambda x, f=f: f(x), lambda x, f=reference: np.int32(f(x))
        yield f"{name}_last", "x:int32[m,5]{0:2}", lambda x, f=f: f(x, 1, False, True), lambda x, f=reference: (4 - f(x[:, ::-1], 1)).astype("int32")
        yield f"{name}_ties", "x:int32[m,5]{0:2}", lambda x, f=f: f(x, 1), lambda x, f=reference: f(x, 1).astype("int32")


def shapes():
    yield "collapse_sum", "x:float32[m,3,4]", lambda x: topi.collapse_sum(x, (3, 1)), lambda x: x.sum(0).sum(1, keepdims=True)
    yield "collapse_sum_same", "x:float32[3,4]", lambda x: topi.collapse_sum(x, (3, 4)), lambda x: x
