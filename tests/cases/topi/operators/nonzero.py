"""Where conditions hold, permutations, sparse tensors, numbers of fixed point."""

#: where the text differs from TVM's
DIFFERENT = {
    **{f"places.{name}": "TVM's is a hybrid function, which has no function of blocks" for name in ("vector", "matrix", "cube", "permutation")},
    "coordinates.reshape": "TVM copies the indices where the shapes are equal",
    "coordinates.reshape_rest": "TVM copies the indices where the shapes are equal",
    "coordinates.fill": "TVM's is a hybrid function, which has no function of blocks",
}


def places():
    fill = lambda o, c: np.concatenate([np.argwhere(c), np.full((len(o), c.ndim), -1)])[: len(o)].astype("int32")
    yield "vector", "o:int32[n,1] c:bool[n]{0:2}", topi.argwhere, fill
    yield "matrix", "o:int32[20,2] c:bool[4,5]{0:2}", topi.argwhere, fill
    yield "cube", "o:int32[24,3] c:int32[2,3,4]{0:2}", topi.argwhere, fill
    yield "permutation", "x:int32[n]", lambda x: topi.invert_permutation(topi.argsort(x, dtype="int32")), lambda x: np.argsort(np.argsort(x, kind="stable")).astype("int32")


def _reshape(i, old, new):
    new = np.array(new)
    if -1 in new:
        new[new == -1] = np.prod(old) // -np.prod(new)
    return [np.stack(np.unravel_index(np.ravel_multi_index(i.T, old), new), 1), new]


def _fill(i, v, rows):
    indices, values, empty = [], [], []
    for row in range(rows):
        mine = i[:, 0] == row
        empty.append(not mine.any())
        indices += [[row, 0]] if empty[-1] else i[mine].tolist()
        values += [9.0] if empty[-1] else v[mine].tolist()
    rest = 9 - len(values)
    return [np.array(indices + [[-1, -1]] * rest), np.array(values + [0.0] * rest, "float32"), np.array(empty)]


def coordinates():
    sizes = lambda *values: topi.stack([topi.full((), "int64", x) for x in values], 0)
    yield "reshape", "i:int64[5,2]{0:3}", lambda i: topi.sparse_reshape(i, sizes(4, 6), sizes(2, 3, 4), [5, 3], [3]), lambda i: _reshape(i, (4, 6), (2, 3, 4))
    yield "reshape_rest", "i:int64[n,2]{0:3}", lambda i: topi.sparse_reshape(i, sizes(4, 6), sizes(-1, 8), [i.shape[0], 2], [2]), lambda i: _reshape(i, (4, 6), (-1, 8))
    rows = lambda i: topi.sort(i, 0)
    yield "fill", "i:int64[5,2]{0:4} v:float32[5]", lambda i, v: topi.sparse_fill_empty_rows(rows(i), v, sizes(4, 5), topi.full((1,), "float32", 9.0), [9, 2], [9], [4]), lambda i, v: _fill(np.sort(i, 0), v, 4), {"dtypes": ()}


def _fixed(x, y, left, right):
    product = (x.astype("int64") << left) * y
    shift = 31 + right.astype("int64")
    return ((product + (1 << (shift - 1))) >> shift).astype("int32")


def fixed_point():
    yield "per_axis", "x:int32[n,4]{-99:99} y:int32[4]{1000000000:2000000000} l:int32[4]{0:3} r:int32[4]{0:3}", lambda x, y, l, r: topi.fixed_point_multiply_per_axis(x, y, l, r, 1, 1, [1]), _fixed
