"""Operators that are kernels: running sums, scatter."""

#: where the text differs from TVM's
DIFFERENT = {
    "scans.cumsum_1": "TVM writes an element of each row, also where there is none",
    "scans.cumsum_empty": "TVM writes an element of each row, though there is none",
    "scans.cumsum_flat": "TVM's function has no block that reshapes: the kernel reads the input under another shape",
    "scatter.elements_last": "TVM converts to the dtype of the indices before it multiplies",
}


def _exclusive(f, x, axis, unit):
    y = np.roll(f(x, axis), 1, axis)
    y[(slice(None),) * axis + (0,)] = unit
    return y


def scans():
    for axis in (0, 1, 2):
        yield f"cumsum_{axis}", "x:float32[2,m,4]", lambda x, a=axis: topi.cumsum(x, a), lambda x, a=axis: np.cumsum(x, a)
    yield "cumsum_flat", "x:float32[m,4]", topi.cumsum, lambda x: np.cumsum(x)
    yield "cumsum_int", "x:int32[m,4]{0:9}", lambda x: topi.cumsum(x, 1, "int64"), lambda x: np.cumsum(x, 1, "int64")
    yield "cumsum_exclusive", "x:float32[3,4]", lambda x: topi.cumsum(x, 1, exclusive=True), lambda x: _exclusive(np.cumsum, x, 1, 0)
    yield "cumsum_empty", "x:float32[3,0]", lambda x: topi.cumsum(x, 1), lambda x: x
    yield "cumprod", "x:float32[3,4]", lambda x: topi.cumprod(x, 1), lambda x: np.cumprod(x, 1)
    yield "cumprod_exclusive", "x:float32[3,4]", lambda x: topi.cumprod(x, 0, exclusive=True), lambda x: _exclusive(np.cumprod, x, 0, 1)


def _scatter(x, i, u, axis, f):
    x = x.copy()
    for spot in np.ndindex(*i.shape):
        goal = spot[:axis] + (i[spot],) + spot[axis + 1 :]
        x[goal] = f(x[goal], u[spot])
    return x


def _scatter_nd(x, i, u, f):
    x = x.copy()
    for spot in np.ndindex(*i.shape[1:]):
        goal = tuple(i[(slice(None), *spot)])
        x[goal] = f(x[goal], u[spot])
    return x


REDUCTIONS = {"update": lambda a, b: b, "add": np.add, "mul": np.multiply, "mean": lambda a, b: (a + b) / 2, "min": np.minimum, "max": np.maximum}


def scatter():
    for name, f in REDUCTIONS.items():
        yield f"elements_{name}", "x:float32[5,4] i:int32[2,4]{-5:5} u:float32[2,4]", lambda x, i, u, name=name: topi.scatter_elements(x, i, u, 0, name), lambda x, i, u, f=f: _scatter(x, i, u, 0, f), {"dtypes": ("float16", "float64")} if name == "mean" else {}
    yield "elements_last", "x:float32[m,4] i:int64[m,3]{0:4} u:float32[m,3]", lambda x, i, u: topi.scatter_elements(x, i, u, 1), lambda x, i, u: _scatter(x, i, u, 1, lambda a, b: b)
    for name in ("update", "add"):
        yield f"nd_{name}", "x:float32[5,4] i:int32[1,3]{0:5} u:float32[3,4]", lambda x, i, u, name=name: topi.scatter_nd(x, i, u, name), lambda x, i, u, f=REDUCTIONS[name]: _scatter_nd(x, i, u, f)
    yield "nd_points", "x:float32[5,4] i:int64[2,3]{0:4} u:float32[3]", lambda x, i, u: topi.scatter_nd(x, i, u, "add"), lambda x, i, u: _scatter_nd(x, i, u, np.add)
