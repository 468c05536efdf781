"""Operators that move elements: shapes that are empty, of extent 1 and symbolic; each shape with other dtypes, the first with all."""

DTYPES = ("float32", "int8", "float16", "bool", "int64", "bfloat16", "uint8", "float64", "int32", "int16", "uint32", "uint16", "uint64")
_turn = [0]


def _dtypes(is_first):
    if is_first:
        return DTYPES
    _turn[0] += 2
    return DTYPES[_turn[0] % 13], DTYPES[(_turn[0] + 1) % 13]


def _each(name, items, spec, build, reference, **options):
    """Yield a case for each item and dtype: `spec`, `build` and `reference` take the item."""
    for number, item in enumerate(items):
        for dtype in _dtypes(number == 0):
            yield f"{name}_{dtype}{item}".replace(" ", ""), spec(*item).replace("T[", f"{dtype}["), build(*item), reference(*item), options


def shapes():
    x = lambda shape, *_: f"x:T[{shape}]"
    yield from _each("expand_dims", [(s, a) for s in ("n,4", "", "0,3", "1", "n,m,2") for a in (0, -1, *([1] if s else []))], x, lambda s, a: lambda x: topi.expand_dims(x, a), lambda s, a: lambda x: np.expand_dims(x, a))
    yield from _each("squeeze", [("n,1,4", 1), ("1", 0), ("1,0,1", (0, 2)), ("1,1", None), ("n,m,1", -1), ("3,1", None)], x, lambda s, a: lambda x: topi.squeeze(x, a), lambda s, a: lambda x: np.squeeze(x, a))
    yield from _each("transpose", [("n,4,m", None), ("", None), ("0,3", None), ("1,n", (1, 0)), ("2,n,3", (2, 0, 1)), ("2,n,3", (-1, 0, 1)), ("n,m", (0, 1)), ("2,1,0,3", (3, 2, 0, 1))], x, lambda s, a: lambda x: topi.transpose(x, a), lambda s, a: lambda x: np.transpose(x, a))
    yield from _each("reshape", [("6,4", (3, 8)), ("0,4", (2, 0)), ("1", ()), ("", (1, 1)), ("2,3", (6,)), ("4,0", (0,)), ("2,3,4", (4, 3, 2))], x, lambda s, a: lambda x: topi.reshape(x, a), lambda s, a: lambda x: np.reshape(x, a))
    yield from _each("reshape_symbol", [("n,4",), ("n,m",), ("2,n,3",), ("n,0",)], x, lambda s: lambda x: topi.reshape(x, (np.prod(list(x.shape)),)), lambda s: lambda x: x.reshape(-1))
    yield from _each("shape", [("n,4",), ("0,1",), ("n,m,2",), ("5",)], x, lambda s: lambda x: [topi.shape(x), topi.ndarray_size(x)], lambda s: lambda x: [np.array(x.shape, "int32"), np.int32(x.size)])


def joins():
    several = lambda *shapes: " ".join(f"x{i}:T[{shape}]" for i, shape in enumerate(shapes[0]))
    yield from _each("concatenate", [(("n,4", "m,4"), 0), (("n,4", "n,0", "n,2"), 1), (("3", "0", "1"), 0), (("0,2", "0,3"), -1), (("2,n", "2,n"), 0), (("1,n,2", "1,m,2"), 1)], several, lambda s, a: lambda *x: topi.concatenate(x, a), lambda s, a: lambda *x: np.concatenate(x, a))
    yield from _each("stack", [(("n,4", "n,4"), 0), (("", ""), 0), (("", "", ""), -1), (("0,3", "0,3"), 1), (("n", "n"), 1), (("n,m", "n,m"), 2)], several, lambda s, a: lambda *x: topi.stack(x, a), lambda s, a: lambda *x: np.stack(x, a))
    x = lambda shape, *_: f"x:T[{shape}]"
    yield from _each("split", [("n,6", 3, 1), ("6,n", 2, 0), ("4", 4, 0), ("0", 3, 0), ("n,5", (1, 1, 4), 1), ("n,5", (0, 5), -1), ("3,0", 1, 0), ("2,4,n", (3,), 1)], x, lambda s, p, a: lambda x: topi.split(x, p, a), lambda s, p, a: lambda x: np.split(x, p, a))
    yield from _each("meshgrid", [(("n", "4"), "ij"), (("n", "4"), "xy"), (("0", "3"), "ij"), (("2", "n", "3"), "xy"), (("2", "n", "0"), "ij"), (("n",), "ij")], several, lambda s, i: lambda *x: list(topi.meshgrid(x, i)), lambda s, i: lambda *x: list(np.meshgrid(*x, indexing=i)))


def repeats():
    x = lambda shape, *_: f"x:T[{shape}]"
    yield from _each("tile", [("n,4", (2, 3)), ("n", (2, 2)), ("3,n", (2,)), ("0", (3,)), ("2", (0,)), ("1,1", (3, 2)), ("n,m", (1, 2, 1))], x, lambda s, r: lambda x: topi.tile(x, r), lambda s, r: lambda x: np.tile(x, r))
    yield from _each("repeat", [("n,4", 2, 0), ("n,4", 3, 1), ("0,2", 2, 0), ("0,2", 2, 1), ("1", 3, 0), ("3,n", 1, -1), ("2,n,m", 2, 1)], x, lambda s, r, a: lambda x: topi.repeat(x, r, a), lambda s, r, a: lambda x: np.repeat(x, r, a))
    yield from _each("flip", [("n,4", 0), ("n,4", 1), ("0", 0), ("1,n", -1), ("2,0", 1), ("2,n,m", 1)], x, lambda s, a: lambda x: topi.flip(x, a), lambda s, a: lambda x: np.flip(x, a))
    yield from _each("roll", [("n,4", 1, 1), ("5", -2, 0), ("n", 1, 0), ("3,4", (1, -1), (0, 1)), ("3,4", 5, None), ("0,3", 1, 1), ("1", 3, 0)], x, lambda s, k, a: lambda x: topi.roll(x, k, a), lambda s, k, a: lambda x: np.roll(x, k, a))
    yield from _each("broadcast_like", [("n,1",), ("1,1",), ("0,1",)], x, lambda s: lambda x: topi.broadcast_to(x, (x.shape[0], 3)), lambda s: lambda x: np.broadcast_to(x, (len(x), 3)))


def slices():
    x = lambda shape, *_: f"x:T[{shape}]"
    part = lambda b, e, s: tuple(slice(*item) for item in zip(b, e, s))
    yield from _each("strided_slice", [("8,6", [1, 0], [7, 6], [2, 1]), ("8", [-1], [-9], [-1]), ("8", [-1], [-9], [-3]), ("8", [6], [1], [-2]), ("8", [5], [5], [1]), ("8", [9], [12], [1]), ("8", [0], [100], [3]), ("0", [0], [5], [1]), ("1", [0], [1], [1]), ("3,n", [1], [3], [1]), ("8", [-5], [-2], [1])], x, lambda sh, b, e, s: lambda x: topi.strided_slice(x, b, e, s), lambda sh, b, e, s: lambda x: x[part(b, e, s)])
    yield from _each("strided_slice_axes", [("n,6", [1], [5], [2], [1]), ("6,n,4", [0, 4], [6, 1], [3, -1], [0, 2]), ("n,0", [0], [2], [1], [1])], x, lambda sh, b, e, s, a: lambda x: topi.strided_slice(x, b, e, s, a), lambda sh, b, e, s, a: lambda x: x[tuple(slice(b[a.index(i)], e[a.index(i)], s[a.index(i)]) if i in a else slice(None) for i in range(x.ndim))])
    yield from _each("sliding_window", [("2,8", 1, [3], [2]), ("n,5", 1, [5], [1]), ("6,7", 0, [2, 3], [2, 2]), ("1,4", 1, [1], [3])], x, lambda sh, a, w, s: lambda x: topi.sliding_window(x, a, w, s), lambda sh, a, w, s: lambda x: np.lib.stride_tricks.sliding_window_view(x, w, tuple(range(a, a + len(w))))[(slice(None),) * a + tuple(slice(None, None, k) for k in s)])
    yield from _each("trilu", [("n,4", 0, True), ("4,n", 1, False), ("2,3,n", -1, True), ("0,3", 0, True), ("1,1", 0, False), ("n,m", 2, False), ("3,0", 0, False), ("n,m", -2, True)], x, lambda sh, k, u: lambda x: topi.trilu(x, te.const(k, "int32"), u), lambda sh, k, u: lambda x: (np.triu if u else np.tril)(x, k))


def picks():
    yield from _each("take", [(s, i, a, m) for s, i, a in (("5,4", "n", 0), ("5,4", "", 0), ("5,n", "2,0", 0), ("5,4", "n,2", 1), ("n,5", "1", -1), ("5", "n,m", None), ("2,3", "n", None)) for m in ("clip", "wrap")], lambda s, i, a, m: f"x:T[{s}] i:int32[{i}]{{-9:9}}", lambda s, i, a, m: lambda x, i: topi.take(x, i, a, mode=m), lambda s, i, a, m: lambda x, i: np.take(x, i, a, mode=m))
    yield from _each("gather", [("5,4", "5,2", 1, 4), ("5,4", "3,4", 0, 5), ("5", "n", 0, 5), ("5,n", "1,n", 0, 5), ("2,3,4", "2,3,0", 2, 4), ("3,n,2", "3,n,5", -1, 2)], lambda s, i, a, m: f"x:T[{s}] i:int64[{i}]{{0:{m}}}", lambda s, i, a, m: lambda x, i: topi.gather(x, a, i), lambda s, i, a, m: lambda x, i: np.take_along_axis(x, i, a))
    yield from _each("gather_nd", [("5,4,3", "2,n"), ("5,4", "2,n"), ("4,n", "1,2"), ("5,4,3", "3,2,0"), ("4,4", "1,n,3")], lambda s, i: f"x:T[{s}] i:int32[{i}]{{0:3}}", lambda s, i: topi.gather_nd, lambda s, i: lambda x, i: x[tuple(i)])
    yield from _each("where", [("n,4", "n,4", "n,4"), ("", "n", ""), ("n,1", "3", "n,3"), ("0,3", "3", ""), ("n", "1", "n"), ("2,1,1", "n,1", "3"), ("", "", "")], lambda c, a, b: f"c:bool[{c}] x:T[{a}] y:T[{b}]", lambda c, a, b: topi.where, lambda c, a, b: np.where)
    yield from _each("one_hot", [("n", a, d) for a in (-1, 0, 1) for d in (5, 1, 0)] + [("", 0, 4), ("", -1, 3), ("2,n", 1, 3), ("2,0", 2, 3)], lambda i, a, d: f"x:T[1] i:int32[{i}]{{-2:6}}", lambda i, a, d: lambda x, i: topi.one_hot(i, te.const(1, x.dtype), te.const(0, x.dtype), d, a, str(x.dtype)), lambda i, a, d: lambda x, i: np.moveaxis((i[..., None] == np.arange(d)).astype(x.dtype), -1, a))
    yield from _each("sequence_mask", [("4,m,2", "m", 0), ("m,4", "m", 1), ("0,3", "3", 0), ("1,n", "n", 0), ("n,0,2", "n", 1)], lambda s, i, a: f"x:T[{s}] i:int32[{i}]{{0:5}}", lambda s, i, a: lambda x, i: topi.sequence_mask(x, i, 1, a), lambda s, i, a: lambda x, i: topi.testing.sequence_mask(x, i, 1, a))
    yield from _each("matrix_set_diag", [("4,4", "4"), ("n,4,4", "n,4"), ("3,5", "3"), ("5,3", "3"), ("0,2,2", "0,2"), ("2,1,1", "2,1")], lambda s, i: f"x:T[{s}] d:T[{i}]", lambda s, i: topi.matrix_set_diag, lambda s, i: lambda x, d: topi.testing.matrix_set_diag(x, d))
    yield from _each("adv_index", [("5,4,3", "n", "n"), ("5,4", "n,1", "3"), ("5,4,n", "2", "2")], lambda s, i, j: f"x:T[{s}] i:int32[{i}]{{0:5}} j:int32[{j}]{{0:4}}", lambda s, i, j: lambda x, i, j: topi.adv_index(x, [i, j]), lambda s, i, j: lambda x, i, j: x[i, j])
    yield from _each("reverse_sequence", [("4,m", "m", 0, 1), ("m,5", "m", 1, 0), ("n,4,2", "n", 1, 0), ("3,0", "3", 1, 0), ("4,0", "0", 0, 1)], lambda s, i, a, b: f"x:T[{s}] i:int32[{i}]{{1:4}}", lambda s, i, a, b: lambda x, i: topi.reverse_sequence(x, i, a, b), lambda s, i, a, b: lambda x, i: _reversed(x, i, a, b))


def _reversed(x, lengths, axis, batch):
    y = np.moveaxis(x, (batch, axis), (0, 1)).copy()
    for row, k in zip(y, lengths):
        row[:k] = row[:k][::-1].copy()
    return np.moveaxis(y, (0, 1), (batch, axis))


def pads():
    x = lambda shape, *_: f"x:T[{shape}]"
    yield from _each("pad", [("n,4", (1, 2), (0, 3)), ("0,2", (1, 0), (1, 1)), ("1", (0,), (0,)), ("n,m", (0, 1), (2, 0)), ("3,0", (0, 2), (0, 1)), ("2,n,3", (0, 0, 1), (0, 1, 1))], x, lambda s, b, a: lambda x: topi.nn.pad(x, b, a, 1), lambda s, b, a: lambda x: np.pad(x, list(zip(b, a)), constant_values=1))
    for mode in ("SYMMETRIC", "REFLECT"):
        yield from _each(f"mirror_{mode}", [("5,4", (0, 2), (1, 3)), ("4", (0,), (0,)), ("4", (3,), (3,)), ("n,5", (0, 1), (0, 2)), ("2,0", (1, 0), (1, 0))], x, lambda s, b, a, mode=mode: lambda x: topi.nn.mirror_pad(x, b, a, mode), lambda s, b, a, mode=mode: lambda x: np.pad(x, list(zip(b, a)), mode.lower()))


def blocks():
    x = lambda shape, *_: f"x:T[{shape}]"
    yield from _each("space_to_depth", [("n,2,4,6", 2), ("0,2,4,6", 2), ("1,1,3,3", 3), ("1,3,2,n", 1)], x, lambda s, b: lambda x: topi.nn.space_to_depth(x, b), lambda s, b: lambda x: topi.testing.space_to_depth_python(x, b))
    yield from _each("depth_to_space", [("n,8,2,3", 2, "DCR"), ("n,8,2,3", 2, "CRD"), ("0,4,1,1", 2, "DCR"), ("1,9,1,2", 3, "CRD")], x, lambda s, b, m: lambda x: topi.nn.depth_to_space(x, b, mode=m), lambda s, b, m: lambda x: topi.testing.depth_to_space_python(x, b, m))
    yield from _each("space_to_batch", [("2,4,6,2", [2, 3], [0, 1], [2, 2]), ("1,4,4,1", [1, 1], [0, 0], [0, 0]), ("1,0,2,1", [2, 2], [1, 0], [1, 0]), ("3,4,2", [2], [0], [0])], x, lambda s, b, p, q: lambda x: topi.nn.space_to_batch_nd(x, b, p, q, 1.0), lambda s, b, p, q: lambda x: topi.testing.space_to_batch_nd_python(x, b, p, q, 1))
    yield from _each("batch_to_space", [("12,2,3,2", [2, 3], [0, 0], [0, 0]), ("12,2,3,2", [2, 3], [0, 1], [1, 2]), ("4,0,2,1", [2, 2], [0, 0], [0, 0]), ("2,3,2", [2], [1], [1])], x, lambda s, b, p, q: lambda x: topi.nn.batch_to_space_nd(x, b, p, q), lambda s, b, p, q: lambda x: topi.testing.batch_to_space_nd_python(x, b, p, q))
    yield from _each("flatten", [("n,m,4",), ("n,0",), ("1,2,n",), ("3,n,m,1",)], x, lambda s: topi.nn.flatten, lambda s: lambda x: x.reshape(len(x), int(np.prod(x.shape[1:]))))
    yield from _each("layout", [("n,8,3,5", "NCHW", "NHWC"), ("0,8,2,2", "NCHW", "NHWC"), ("n,3,2,8", "NHWC", "NCHW")], x, lambda s, a, b: lambda x: topi.layout_transform(x, a, b), lambda s, a, b: lambda x: x.transpose([a.index(c) for c in b]))
    yield from _each("dilate", [("n,4", [2, 3]), ("3,n", [1, 2]), ("1,1", [4, 4]), ("2,3", [1, 1])], x, lambda s, k: lambda x: topi.nn.dilate(x, k), lambda s, k: lambda x: topi.testing.dilate_python(x, k), positive=True)


def ranges():
    for dtype in ("float32", "float64", "int32", "int64", "float16", "int8"):
        for begin, end, step in ((0, 10, 3), (5, 0, -2), (0, 0, 1), (3, 3, 1), (-4, 4, 2), (0, 1, 5), (5, 0, 1), (0, 6, -2), (9, -1, -5)):
            yield f"arange_{dtype}{begin}:{end}:{step}", "x:float32[1]", lambda x, a=(begin, end, step), d=dtype: topi.arange(*[te.const(v, d) for v in a], d), lambda x, a=(begin, end, step), d=dtype: np.arange(*a, dtype=d)
