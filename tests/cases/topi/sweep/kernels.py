"""Operators of loops: running sums, scatter, sorting, searching."""

NUMBERS = ("float32", "float16", "bfloat16", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


def _exclusive(y, axis, unit):
    y = np.roll(y, 1, axis)
    if y.shape[axis]:
        y[(slice(None),) * (axis % y.ndim) + (0,)] = unit
    return y


def scans():
    for name, reference, unit in (("cumsum", np.cumsum, 0), ("cumprod", np.cumprod, 1)):
        for dtype in NUMBERS:
            for shape, axis in (("n", 0), ("0", 0), ("1", 0), ("n,m", 0), ("n,m", 1), ("2,n,3", 1), ("3,0", 0), ("0,3", -1), ("n,4", None), ("2,n,0", 1)):
                for exclusive in (False, True):
                    if not (exclusive and axis is None):
                        value = lambda x, a=axis, e=exclusive, f=reference, u=unit: (lambda y: _exclusive(y, a, u) if e else y)(f(x, a, dtype=x.dtype if x.dtype.kind in "iu" else None))
                        yield f"{name}_{dtype}[{shape}]{axis}{exclusive:d}", f"x:{dtype}[{shape}]", lambda x, a=axis, e=exclusive, f=getattr(topi, name): f(x, a, exclusive=e), value


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


REDUCTIONS = {"update": lambda a, b: b, "add": lambda a, b: (a + b).astype(a.dtype), "mul": lambda a, b: (a * b).astype(a.dtype), "min": np.minimum, "max": np.maximum}


def scatter():
    for name, f in REDUCTIONS.items():
        for dtype in NUMBERS:
            for x, i, axis, most in (("5,4", "2,4", 0, 5), ("n,4", "n,3", 1, 4), ("5", "n", 0, 5), ("5,4", "0,4", 0, 5), ("2,3,4", "2,3,4", 2, 4), ("1", "3", 0, 1), ("3,n", "2,n", 0, 3)):
                yield f"elements_{name}_{dtype}[{x}][{i}]", f"x:{dtype}[{x}] i:int32[{i}]{{{-most}:{most}}} u:{dtype}[{i}]", lambda x, i, u, a=axis, n=name: topi.scatter_elements(x, i, u, a, n), lambda x, i, u, a=axis, f=f: _scatter(x, i, u, a, f)
            for x, i, u in (("5,4", "1,3", "3,4"), ("5,4", "2,n", "n"), ("5,n", "1,2", "2,n"), ("4", "1,0", "0"), ("5,5,2", "2,2,3", "2,3,2")):
                yield f"nd_{name}_{dtype}[{x}][{i}]", f"x:{dtype}[{x}] i:int64[{i}]{{0:4}} u:{dtype}[{u}]", lambda x, i, u, n=name: topi.scatter_nd(x, i, u, n), lambda x, i, u, f=f: _scatter_nd(x, i, u, f)


def sorting():
    for dtype in NUMBERS:
        for shape, axis in (("n", 0), ("n,m", 1), ("n,m", 0), ("2,n,3", 1), ("3,0", 1), ("0,3", 0), ("1,1", 0), ("17", -1)):
            for up in (True, False):
                order = lambda x, a=axis, u=up: np.argsort(x if u else (-x.astype("float64")), a, kind="stable")
                values = "{0:200}" if dtype[0] == "u" else ""
                yield f"sort_{dtype}[{shape}]{axis}{up:d}", f"x:{dtype}[{shape}]{values}", lambda x, a=axis, u=up: topi.sort(x, a, u), lambda x, a=axis, o=order: np.take_along_axis(x, o(x), a)
                yield f"argsort_{dtype}[{shape}]{axis}{up:d}", f"x:{dtype}[{shape}]{{0:4}}", lambda x, a=axis, u=up: topi.argsort(x, axis=a, is_ascend=u, dtype="int32"), lambda x, o=order: o(x).astype("int32")
                if "n" not in shape.split(",")[axis] and "m" not in shape.split(",")[axis]:
                    continue
        for shape, axis, k in (("n,7", 1, 3), ("7,n", 0, 1), ("5", 0, 5), ("n,4", -1, 0), ("2,6,n", 1, 2)):
            for up in (True, False):
                pick = lambda x, a=axis, k=k, u=up: (lambda o: [np.take_along_axis(x, o, a), o])(np.take(np.argsort(x if u else -x.astype("float64"), a, kind="stable"), range(k or x.shape[a]), a))
                yield f"topk_{dtype}[{shape}]{axis}{k}{up:d}", f"x:{dtype}[{shape}]", lambda x, a=axis, k=k, u=up: topi.topk(x, k, a, "both", u), pick


def searches():
    for dtype in NUMBERS:
        for x, v in (("n", "m"), ("5", "2,3"), ("2,5", "2,m"), ("0", "3"), ("1", "n"), ("n,4", "n,0"), ("3", "")):
            for right in (False, True):
                def rows(x, v, r=right):
                    x, side = np.cumsum(x, -1, dtype=x.dtype if x.dtype.kind in "iu" else None), "right" if r else "left"
                    if x.ndim == 1:
                        return np.asarray(np.searchsorted(x, v, side)).astype("int32")
                    return np.array([np.searchsorted(a, b, side) for a, b in zip(x, v)]).astype("int32").reshape(v.shape)

                yield f"searchsorted_{dtype}[{x}][{v}]{right:d}", f"x:{dtype}[{x}]{{0:2}} v:{dtype}[{v}]{{0:5}}", lambda x, v, r=right: topi.searchsorted(topi.cumsum(x, x.ndim - 1), v, r, "int32"), rows


def _unique(x, is_sorted):
    elements, firsts, inverse, times = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    order = np.arange(len(elements)) if is_sorted else np.argsort(firsts)
    fill = lambda a, value: np.concatenate([a[order], np.full(len(x) - len(a), value, a.dtype)])
    places = np.argsort(order)[inverse].astype("int32") if len(x) else firsts.astype("int32")
    return [fill(elements, 0), fill(firsts, len(x)).astype("int32"), places, np.array([len(elements)], "int32"), fill(times, 0).astype("int32")]


def distinct():
    for dtype in NUMBERS:
        for shape in ("n", "9", "0", "1"):
            for is_sorted in (True, False):
                yield f"unique_{dtype}[{shape}]{is_sorted:d}", f"x:{dtype}[{shape}]{{0:4}}", lambda x, s=is_sorted: topi.unique(x, s, True), lambda x, s=is_sorted: _unique(x, s)
