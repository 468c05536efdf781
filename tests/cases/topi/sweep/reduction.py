"""Reductions: each dtype at each shape over each choice of axes; a reduction over nothing is its identity element."""

FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
#: shape -> axes
PLACES = {
    "": (None, ()), "1": (None, 0), "0": (None, 0), "n": (None, 0, -1), "3,n": (0, 1, None), "n,0": (0, 1, (0, 1)),
    "2,n,m": (None, 1, (0, 2), -1, ()), "n,1,4": ((1,), (0, 1), (-1, -3)),
}


def _lowest(dtype):
    return -_highest(dtype) if dtype.kind not in "iu" else np.iinfo(dtype).min


def _highest(dtype):
    return np.iinfo(dtype).max if dtype.kind in "iu" else float(numpy_finfo(dtype).max)


def _same(f):
    return lambda x, axis, keepdims: f(x, axis=axis, keepdims=keepdims, dtype=x.dtype if x.dtype.kind in "iu" else None)


def _extreme(f, beginning):
    return lambda dtype: lambda x, axis, keepdims: f(x, axis=axis, keepdims=keepdims, initial=beginning(numpy_dtype(dtype)))


REDUCTIONS = {"sum": lambda _: _same(np.sum), "prod": lambda _: _same(np.prod), "max": _extreme(np.max, _lowest), "min": _extreme(np.min, _highest)}


def numbers():
    for name, reference in REDUCTIONS.items():
        for dtype in (*FLOATS, *INTEGERS):
            for shape, choices in PLACES.items():
                for axis in choices:
                    for keepdims in (False, True):
                        yield (
                            f"{name}_{dtype}[{shape}]{axis}{keepdims:d}", f"x:{dtype}[{shape}]",
                            lambda x, f=getattr(topi, name), a=axis, k=keepdims: f(x, a, k),
                            lambda x, f=reference(dtype), a=axis, k=keepdims: f(x, a, k),
                        )


def truth():
    for name in ("all", "any"):
        for shape, choices in PLACES.items():
            for axis in choices:
                for keepdims in (False, True):
                    yield f"{name}[{shape}]{axis}{keepdims:d}", f"x:bool[{shape}]", lambda x, f=getattr(topi, name), a=axis, k=keepdims: f(x, a, k), lambda x, f=getattr(np, name), a=axis, k=keepdims: f(x, axis=a, keepdims=k)


def _position(f, x, axis, keepdims, last):
    axes = tuple(range(x.ndim)) if axis is None else tuple(sorted(a % x.ndim for a in np.atleast_1d(axis)))
    kept = [a for a in range(x.ndim) if a not in axes]
    flat = x.transpose(*kept, *axes).reshape(*[x.shape[a] for a in kept], int(np.prod([x.shape[a] for a in axes])))
    count = flat.shape[-1]
    if count == 0:
        result = np.full(flat.shape[:-1], np.iinfo("int32").max if x.dtype.kind in "iu" and not last else -1)
    else:
        result = count - 1 - f(flat[..., ::-1], -1) if last else f(flat, -1)
    shape = [1 if a in axes else x.shape[a] for a in range(x.ndim)] if keepdims else [x.shape[a] for a in kept]
    return np.asarray(result).reshape(shape).astype("int32")


def positions():
    for name, reference in {"argmax": np.argmax, "argmin": np.argmin}.items():
        for dtype in (*FLOATS, *INTEGERS):
            for shape, choices in PLACES.items():
                for axis in choices:
                    if axis != () and shape:
                        for last in (False, True):
                            yield f"{name}_{dtype}[{shape}]{axis}{last:d}", f"x:{dtype}[{shape}]{{0:3}}", lambda x, f=getattr(topi, name), a=axis, n=last: f(x, a, n, n), lambda x, f=reference, a=axis, n=last: _position(f, x, a, n, n)


def softmax():
    for dtype in FLOATS:
        for shape, axes in {"n": (0,), "n,m": (0, 1, -1), "0,3": (0, 1), "3,0": (0, 1), "2,n,3": (0, 1, 2), "1,1": (0,)}.items():
            for axis in axes:
                for name in ("softmax", "log_softmax", "fast_softmax"):
                    value = lambda x, a, log: (lambda e: np.log(e / e.sum(a, keepdims=True)) if log else e / e.sum(a, keepdims=True))(np.exp(x - x.max(a, keepdims=True, initial=-1e4)))
                    yield f"{name}_{dtype}[{shape}]{axis}", f"x:{dtype}[{shape}]", lambda x, f=getattr(topi.nn, name), a=axis: f(x, a), lambda x, a=axis, n=name, v=value: v(x, a, n == "log_softmax"), {"rtol": 1e-3}


def collapses():
    for dtype in (*FLOATS, "int32", "int8"):
        for shape, target in (("2,n,4", (1, 4)), ("n,4", (4,)), ("n,0", (1, 1)), ("0,3", (3,)), ("2,3", ()), ("n,4", (1,))):
            yield f"collapse_sum_{dtype}[{shape}]{target}", f"x:{dtype}[{shape}]", lambda x, t=target: topi.collapse_sum(x, t), lambda x, t=target: x.sum(tuple(range(x.ndim - len(t))), dtype=x.dtype).sum(tuple(i for i, e in enumerate(t) if e == 1), keepdims=True, dtype=x.dtype)
