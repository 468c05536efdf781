"""Operators that move elements."""

#: where the text differs from TVM's
DIFFERENT = {
    "slices.strided_slice_rest": "TVM refuses to go without steps where a size is symbolic",
    "slices.strided_set": "TVM refuses sizes of 64 bits",
    "picks.take_wrap": "TVM leaves the outer remainder where this simplifies to truncmod(i, 5) % 5",
}


def shapes():
    yield "expand_dims", "x:float32[n,4]", lambda x: topi.expand_dims(x, 1), lambda x: x[:, None]
    yield "expand_dims_last", "x:float32[n,4]", lambda x: topi.expand_dims(x, -1, 2), lambda x: x[..., None, None]
    yield "expand_dims_scalar", "x:float32[]", lambda x: topi.expand_dims(x, 0), lambda x: x[None]
    yield "squeeze", "x:float32[n,1,4,1]", lambda x: topi.squeeze(x, 1), lambda x: x[:, 0]
    yield "squeeze_all", "x:float32[n,1,4,1]", topi.squeeze, lambda x: x.reshape(len(x), 4), {"least": 2}
    yield "squeeze_axes", "x:float32[1,n,1]", lambda x: topi.squeeze(x, (0, 2)), lambda x: x[0, :, 0]
    yield "squeeze_to_scalar", "x:float32[1,1]", topi.squeeze, lambda x: x[0, 0]
    yield "transpose", "x:float32[n,4,m]", topi.transpose, np.transpose
    yield "transpose_axes", "x:float32[n,4,m]", lambda x: topi.transpose(x, (1, 0, 2)), lambda x: x.transpose(1, 0, 2)
    yield "transpose_negative", "x:float32[n,4,m]", lambda x: topi.transpose(x, (0, -1, 1)), lambda x: x.transpose(0, 2, 1)
    yield "reshape", "x:float32[6,4]", lambda x: topi.reshape(x, (3, 8)), lambda x: x.reshape(3, 8)
    yield "reshape_symbol", "x:float32[n,4]", lambda x: topi.reshape(x, (x.shape[0] * 4,)), lambda x: x.reshape(-1)
    yield "reshape_scalar", "x:float32[1]", lambda x: topi.reshape(x, ()), lambda x: x.reshape(())
    yield "reshape_empty", "x:float32[0,4]", lambda x: topi.reshape(x, (2, 0)), lambda x: x.reshape(2, 0)
    yield "reshape_ones", "x:float32[n,1,4]", lambda x: topi.reshape(x, (1, x.shape[0], 4)), lambda x: x.reshape(1, -1, 4), {"least": 1}
    yield "unravel_index", "x:int32[n]{0:9} s:int32[2]{3:4}", topi.unravel_index, lambda x, s: np.stack(np.unravel_index(x, s)).astype("int32")
    yield "shape", "x:float32[n,4]", topi.shape, lambda x: np.array(x.shape, "int32")
    yield "shape_int64", "x:float32[n,4]", lambda x: topi.shape(x, "int64"), lambda x: np.array(x.shape)
    yield "ndarray_size", "x:float32[n,4]", topi.ndarray_size, lambda x: np.int32(x.size)
    yield "expand_like", "x:float32[4] y:float32[3,4]", lambda x, y: topi.expand_like(x, y, [0]), lambda x, y: np.broadcast_to(x, (3, 4))


def joins():
    yield "concatenate", "a:float32[n,4] b:float32[m,4]", lambda a, b: topi.concatenate((a, b), 0), lambda a, b: np.concatenate((a, b))
    yield "concatenate_last", "a:float32[n,4] b:float32[n,2] c:float32[n,3]", lambda *x: topi.concatenate(x, -1), lambda *x: np.concatenate(x, -1)
    yield "concatenate_one", "a:float32[n,4]", lambda a: topi.concatenate((a,), 1), lambda a: a
    yield "stack", "a:float32[n,4] b:float32[n,4] c:float32[n,4]", lambda *x: topi.stack(x, 1), lambda *x: np.stack(x, 1)
    yield "stack_last", "a:float32[n,4] b:float32[n,4]", lambda *x: topi.stack(x, -1), lambda *x: np.stack(x, -1)
    yield "split", "x:float32[n,6]", lambda x: topi.split(x, 3, 1), lambda x: np.split(x, 3, 1)
    yield "split_indices", "x:float32[n,6]", lambda x: topi.split(x, (1, 4), 1), lambda x: np.split(x, (1, 4), 1)
    yield "split_rows", "x:float32[6,n]", lambda x: topi.split(x, [2, 3]), lambda x: np.split(x, [2, 3])
    yield "meshgrid", "a:float32[n] b:float32[4]", lambda *x: list(topi.meshgrid(x, "ij")), lambda *x: list(np.meshgrid(*x, indexing="ij"))
    yield "meshgrid_xy", "a:float32[n] b:float32[4]", lambda *x: list(topi.meshgrid(x, "xy")), lambda *x: list(np.meshgrid(*x, indexing="xy"))


def repeats():
    yield "tile", "x:float32[n,4]", lambda x: topi.tile(x, (2, 3)), lambda x: np.tile(x, (2, 3))
    yield "tile_more", "x:float32[n,4]", lambda x: topi.tile(x, (2, 1, 3)), lambda x: np.tile(x, (2, 1, 3))
    yield "tile_less", "x:float32[n,4]", lambda x: topi.tile(x, (2,)), lambda x: np.tile(x, (2,))
    yield "repeat", "x:float32[n,4]", lambda x: topi.repeat(x, 3, 1), lambda x: np.repeat(x, 3, 1)
    yield "repeat_rows", "x:float32[n,4]", lambda x: topi.repeat(x, 2, -2), lambda x: np.repeat(x, 2, 0)
    yield "flip", "x:float32[n,4]", lambda x: topi.flip(x, 1), lambda x: x[:, ::-1]
    yield "flip_rows", "x:float32[n,4]", topi.flip, lambda x: x[::-1]
    yield "reverse_sequence", "x:float32[4,m] l:int32[m]{1:4}", lambda x, l: topi.reverse_sequence(x, l, 0, 1), lambda x, l: np.stack([np.concatenate((x[: k, j][::-1], x[k:, j])) for j, k in enumerate(l)], 1)


def slices():
    yield "strided_slice", "x:float32[8,6]", lambda x: topi.strided_slice(x, [1, 0], [7, 6], [2, 1]), lambda x: x[1:7:2]
    yield "strided_slice_negative", "x:float32[8,6]", lambda x: topi.strided_slice(x, [-2, 0], [0, 3], [-1, 1]), lambda x: x[-2:0:-1, 0:3]
    yield "strided_slice_axes", "x:float32[n,6]", lambda x: topi.strided_slice(x, [1], [5], [3], [1]), lambda x: x[:, 1:5:3]
    yield "strided_slice_rest", "x:float32[n,6]", lambda x: topi.strided_slice(x, [0, 2], [x.shape[0], 6]), lambda x: x[:, 2:6]
    yield "strided_slice_size", "x:float32[8,6]", lambda x: topi.strided_slice(x, [1, 2], [3, -1], slice_mode="size"), lambda x: x[1:4, 2:]
    yield "strided_slice_beyond", "x:float32[8]", lambda x: topi.strided_slice(x, [2], [100]), lambda x: x[2:100]
    yield "strided_slice_empty", "x:float32[8]", lambda x: topi.strided_slice(x, [5], [5]), lambda x: x[5:5]
    yield "strided_set", "x:float32[8] v:float32[3] b:int32[1]{1:2} e:int32[1]{7:8} s:int32[1]{2:3}", topi.strided_set, lambda x, v, *_: put(x, v)
    yield "dynamic_strided_slice", "x:float32[8] b:int64[1]{1:3} e:int64[1]{5:8} s:int64[1]{1:2}", lambda x, b, e, s: topi.dynamic_strided_slice(x, b, e, s, (te.var("k", "int64"),)), lambda x, b, e, s: x[b[0] : b[0] + 4 * s[0] : s[0]], {"sizes": [{"k": 4}]}
    yield "sliding_window", "x:float32[2,8]", lambda x: topi.sliding_window(x, 1, [3], [2]), lambda x: np.lib.stride_tricks.sliding_window_view(x, 3, 1)[:, ::2]
    yield "trilu", "x:float32[n,4]", lambda x: topi.trilu(x, te.const(0, "int32"), True), np.triu
    yield "trilu_low", "x:float32[m,4,4]", lambda x: topi.trilu(x, te.const(1, "int32"), False), lambda x: np.tril(x, 1)


def put(x, v):
    x = x.copy()
    x[1:7:2] = v
    return x


def _to_dense(i, v):
    out = np.zeros(6, "float32")
    out[i] = v
    return out


def picks():
    yield "take", "x:float32[5,4] i:int32[n]{0:5}", lambda x, i: topi.take(x, i, 0), lambda x, i: x[i]
    yield "take_clip", "x:float32[5,4] i:int32[n,2]{-9:9}", lambda x, i: topi.take(x, i, 1), lambda x, i: np.take(x, i, 1, mode="clip")
    yield "take_fast", "x:float32[m,4] i:int64[n]{0:2}", lambda x, i: topi.take(x, i, 0, mode="fast"), lambda x, i: x[i]
    yield "take_wrap", "x:float32[5,4] i:int32[n]{-9:9}", lambda x, i: topi.take(x, i, 0, mode="wrap"), lambda x, i: np.take(x, i, 0, mode="wrap")
    yield "take_flat", "x:float32[5,4] i:int32[n]{0:20}", lambda x, i: topi.take(x, i), lambda x, i: np.take(x, i)
    yield "take_scalar", "x:float32[5,4] i:int32[]{0:5}", lambda x, i: topi.take(x, i, 0), lambda x, i: x[i]
    yield "take_batch", "x:float32[2,5,4] i:int32[2,3]{0:5}", lambda x, i: topi.take(x, i, 1, 1), lambda x, i: np.stack([a[b] for a, b in zip(x, i)])
    yield "gather", "x:float32[5,4] i:int32[5,2]{0:4}", lambda x, i: topi.gather(x, 1, i), lambda x, i: np.take_along_axis(x, i, 1)
    yield "gather_first", "x:float32[m,4] i:int64[2,4]{0:2}", lambda x, i: topi.gather(x, 0, i), lambda x, i: np.take_along_axis(x, i, 0)
    yield "gather_nd", "x:float32[5,4,3] i:int32[2,n]{0:4}", topi.gather_nd, lambda x, i: x[i[0], i[1]]
    yield "where", "c:bool[n,4]{0:2} x:float32[n,4] y:float32[n,4]", topi.where, np.where
    yield "where_broadcast", "c:bool[4]{0:2} x:float32[n,1] y:float32[]", topi.where, np.where
    yield "where_int", "c:int32[n]{0:2} x:float32[n] y:float32[n]", topi.where, lambda c, x, y: np.where(c != 0, x, y)
    yield "one_hot", "i:int32[n]{0:5}", lambda i: topi.one_hot(i, te.const(1, "float32"), te.const(0, "float32"), 5, -1, "float32"), lambda i: topi.testing.one_hot(i, 1, 0, 5, -1, "float32")
    yield "one_hot_first", "i:int32[n,2]{0:5}", lambda i: topi.one_hot(i, te.const(2, "int32"), te.const(-1, "int32"), 5, 0, "int32"), lambda i: topi.testing.one_hot(i, 2, -1, 5, 0, "int32")
    yield "sequence_mask", "x:float32[4,m,2] l:int32[m]{0:5}", lambda x, l: topi.sequence_mask(x, l, -1.0, 0), lambda x, l: topi.testing.sequence_mask(x, l, -1, 0), {"dtypes": ("float16", "float64", "int8", "int64")}
    yield "sequence_mask_last", "x:float32[m,4] l:int32[m]{0:5}", lambda x, l: topi.sequence_mask(x, l, 0, 1), lambda x, l: topi.testing.sequence_mask(x, l, 0, 1)
    yield "adv_index", "x:float32[5,4,3] i:int32[n]{0:5} j:int32[n]{0:4}", lambda x, i, j: topi.adv_index(x, [i, j]), lambda x, i, j: x[i, j]
    yield "matrix_set_diag", "x:float32[n,4,4] d:float32[n,4]", lambda x, d: topi.matrix_set_diag(x, d), lambda x, d: topi.testing.matrix_set_diag(x, d)
    yield "sparse_to_dense", "i:int32[3]{0:6} v:float32[3]", lambda i, v: topi.sparse_to_dense(i, (6,), v, te.const(0, "float32")), _to_dense


def ranges():
    yield "arange", "x:float32[n]", lambda x: topi.arange(te.const(0, "int32"), te.const(10, "int32"), te.const(3, "int32"), "int32"), lambda x: np.arange(0, 10, 3, "int32")
    yield "arange_down", "x:float32[n]", lambda x: topi.arange(te.const(5, "int32"), te.const(0, "int32"), te.const(-2, "int32"), "int32"), lambda x: np.arange(5, 0, -2, "int32")
    yield "arange_step", "x:float32[n]", lambda x: topi.arange(te.const(0, "int32"), te.const(10, "int32"), x.shape[0], "int32"), lambda x: np.arange(0, 10, len(x), "int32"), {"shaped": True, "least": 1}
    yield "arange_float", "x:float32[n]", lambda x: topi.arange(1.0, 3.0, 0.5), lambda x: np.arange(1, 3, 0.5, "float32")
    yield "arange_stop", "x:float32[n]", lambda x: topi.arange(5, dtype="int64"), lambda x: np.arange(5)
    yield "arange_symbol", "x:float32[n]", lambda x: topi.arange(0, x.shape[0], 1, x.shape[0].dtype), lambda x: np.arange(len(x), dtype="int32")


def layouts():
    yield "to_blocks", "x:float32[n,8,3,5]", lambda x: topi.layout_transform(x, "NCHW", "NCHW4c"), lambda x: x.reshape(len(x), 2, 4, 3, 5).transpose(0, 1, 3, 4, 2)
    yield "from_blocks", "x:float32[n,2,3,5,4]", lambda x: topi.layout_transform(x, "NCHW4c", "NCHW"), lambda x: x.transpose(0, 1, 4, 2, 3).reshape(len(x), 8, 3, 5)
    yield "to_nhwc", "x:float32[n,8,3,5]", lambda x: topi.layout_transform(x, "NCHW", "NHWC"), lambda x: x.transpose(0, 2, 3, 1)
    yield "uneven", "x:float32[1,7,2,2]", lambda x: topi.layout_transform(x, "NCHW", "NCHW4c"), lambda x: np.pad(x, [(0, 0), (0, 1), (0, 0), (0, 0)]).reshape(1, 2, 4, 2, 2).transpose(0, 1, 3, 4, 2)
