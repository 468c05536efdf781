"""Modes, masks and shapes that few calls have, and operators of graphs that TVM has not."""

from itertools import product

from tvmscript.ir.topi import graph
from tvmscript.ir.topi.slice import slice_scatter


def _take(x, i, axis, mode):
    if mode != "nan":
        return np.take(x, i, axis, mode=mode)
    extent = x.size if axis is None else x.shape[axis]
    is_inside = (i >= 0) & (i < extent)
    taken = np.take(x, np.where(is_inside, i, 0), axis) if extent else np.zeros(i.shape, x.dtype)
    if axis is not None:
        is_inside = is_inside.reshape(*[1] * axis, *i.shape, *[1] * (x.ndim - axis - 1))
    return np.where(is_inside, taken, np.nan).astype(x.dtype)


def takes():
    for mode, axis, dims in product(("clip", "wrap", "nan"), (None, 0, 1), ("6", "2,3")):
        yield f"{mode}{axis}[{dims}]", f"x:float32[4,3] i:int32[{dims}]{{-9:16}}", lambda x, i, a=axis, m=mode: topi.take(x, i, a, mode=m), lambda x, i, a=axis, m=mode: _take(x, i, a, m)


def rolls():
    for shape, shift, axis in (("n,m", 2, None), ("4,5", (1, -2), (0, 1)), ("4,5", 2, (1, 0)), ("2,n,3", -1, -2), ("3,4", 9, 1)):
        yield f"roll[{shape}]{shift}{axis}", f"x:float32[{shape}]", lambda x, s=shift, a=axis: topi.roll(x, s, a), lambda x, s=shift, a=axis: np.roll(x, s, a)


def _set_diagonals(x, d, first, last, align):
    x = x.copy()
    for k in range(first, last + 1):
        size = min(x.shape[-1] - max(k, 0), x.shape[-2] + min(k, 0))
        is_left = align.split("_")[k < 0] == "LEFT"
        row = d if first == last else d[..., last - k, :]
        row = row[..., :size] if is_left or first == last else row[..., row.shape[-1] - size :]
        for place in range(size):
            x[..., place - min(k, 0), place + max(k, 0)] = row[..., place]
    return x


def diagonals():
    for align in ("LEFT_LEFT", "LEFT_RIGHT", "RIGHT_LEFT", "RIGHT_RIGHT"):
        for first, last in ((-1, 1), (0, 2), (-2, -1)):
            yield f"{align}{first}{last}", f"x:float32[2,4,5] d:float32[2,{last - first + 1},{4 if last >= 0 else 3}]", lambda x, d, k=(first, last), a=align: topi.matrix_set_diag(x, d, k, a), lambda x, d, k=(first, last), a=align: _set_diagonals(x, d, *k, a)
    for k in (1, 0):
        yield f"one{k}", "x:float32[3,4] d:float32[3]", lambda x, d, k=k: topi.matrix_set_diag(x, d, k), lambda x, d, k=k: _set_diagonals(x, d, k, k, "RIGHT_LEFT")


def _dense(i, v, shape, default):
    result = np.full(shape, default, "float32")
    for row, value in zip(i, np.broadcast_to(v, len(i))):
        result[tuple(row)] = value
    return result


def dense():
    for values, default in product(("4", ""), (0, 2)):
        yield f"rows[{values}]{default}", f"i:int32[4,2]{{0:3}} v:float32[{values}]", lambda i, v, d=default: topi.sparse_to_dense(i, [3, 4], v, d), lambda i, v, d=default: _dense(i, v, (3, 4), d)


def shapes():
    yield "tile_nothing", "x:float32[2,3]", lambda x: topi.tile(x, (2, 0)), lambda x: np.zeros((4, 0), "float32")
    yield "expand_same", "x:float32[2,3] y:float32[2,3]", lambda x, y: topi.add(topi.expand_like(x, y, []), y), lambda x, y: x + y
    yield "same_layout", "x:float32[1,2,3,4]", lambda x: topi.add(topi.layout_transform(x, "NCHW", "NCHW"), x), lambda x: x + x
    yield "slice_back_from_a_size", "x:float32[n,4]", lambda x: topi.strided_slice(x, [x.shape[0] - 1], [0], [-2]), lambda x: x[len(x) - 1 : 0 : -2], {"positive": True}
    for stop, step in ((-1, -1), (-5, -2), (1, -3)):
        yield f"slice_back{stop}{step}", "x:float32[n,4]", lambda x, s=stop, t=step: topi.strided_slice(x, [3], [s], [t], axes=[1]), lambda x, s=stop, t=step: x[:, slice(3, None if s < -4 else s, t)]


def pads():
    for mode, name in (("reflect", "reflect"), ("circular", "wrap"), ("edge", "edge"), ("replicate", "edge"), ("constant", "constant")):
        yield f"pad_{mode}", "x:float32[2,3,4]", lambda x, m=mode: graph.pad(x, 0.0, [0, 0, 1, 2, 2, 1], m), lambda x, n=name: np.pad(x, [(0, 0), (1, 2), (2, 1)], n)


def slices():
    for begin, end, step in ((0, 4, 2), (1, 4, 1), (-3, 4, 3)):
        places = range(*slice(begin, end, step).indices(4))

        def replaced(x, s, places=places):
            x = x.copy()
            x[:, list(places)] = s
            return x

        yield f"scatter{begin}:{end}:{step}", f"x:float32[3,4] s:float32[3,{len(places)}]", lambda x, s, b=(begin, end, step): slice_scatter(x, s, *b, 1), replaced


def logarithms():
    for number in (1, 2, 5, 8, 1000):
        exact = (number - 1).bit_length()
        yield f"int{number}", "x:int32[3]", lambda x, n=number: topi.add(x, topi.ceil_log2(tvm.tir.const(n, "int32"))), lambda x, e=exact: x + np.int32(e)
    yield "float", "x:float32[5]{1:9}", lambda x: te.compute(x.shape, lambda i: topi.ceil_log2(x[i])), lambda x: np.ceil(np.log2(x))


def _losses(g, p, t, w, reduction, ignored):
    w = np.where(np.arange(len(w)) == ignored, 0, w).astype(w.dtype)
    weights = w[t]
    g = np.broadcast_to(g, t.shape)
    g = g / weights.sum() if reduction == "mean" else g
    kinds = np.arange(p.shape[1]).reshape(-1, *[1] * (t.ndim - 1))
    return np.where(kinds == t[:, None], (-weights * g)[:, None], 0)


def gradients():
    for reduction, ignored, rest in product(("mean", "sum", "none"), (-1, 2), ("", ",3")):
        shape = f"2{rest}" if reduction == "none" else ""
        yield f"nll_{reduction}{ignored}{rest}", f"g:float32[{shape}]{{1:2}} p:float32[2,4{rest}] t:int32[2{rest}]{{0:2}} w:float32[4]{{1:2}}", lambda g, p, t, w, r=reduction, i=ignored: graph.nll_loss_backward(g, p, t, w, r, i), lambda g, p, t, w, r=reduction, i=ignored: _losses(g, p, t, w, r, i)
    for axis, given in ((None, "5"), (0, "5,3"), (1, "4,5"), (-1, "4,5")):

        def added(g, x, i, axis=axis):
            result = np.zeros_like(x)
            if axis is None:
                np.add.at(result.reshape(-1), i, g)
            else:
                np.add.at(np.moveaxis(result, axis, 0), i, np.moveaxis(g, axis, 0))
            return result

        yield f"take{axis}", f"g:float32[{given}] x:float32[4,3] i:int32[5]{{0:3}}", lambda g, x, i, a=axis: graph.take_backward(g, x, i, a), added


def _attention(q, k, v, bias, scale, mask):
    q, k, v = (x.transpose(0, 2, 1, 3) for x in (q, k, v))
    scores = q @ k.transpose(0, 1, 3, 2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    scores = scores + (0 if bias is None else bias)
    if mask is not None:
        last = 0 if mask == "TopLeft" else abs(q.shape[2] - k.shape[2])
        scores = np.where(np.tri(q.shape[2], k.shape[2], last), scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True) @ v).transpose(0, 2, 1, 3)


def attention():
    tensors = "q:float32[2,3,2,4] k:float32[2,5,2,4] v:float32[2,5,2,3]"
    for scale, mask in product((None, 0.5), (None, "TopLeft", "BottomRight")):
        yield f"plain_{scale}{mask}", tensors, lambda q, k, v, s=scale, m=mask: graph.attention(q, k, v, None, s, m, None), lambda q, k, v, s=scale, m=mask: _attention(q, k, v, None, s, m), {"rtol": 1e-4}
        yield f"bias_{scale}{mask}", f"{tensors} b:float32[2,2,3,5]", lambda q, k, v, b, s=scale, m=mask: graph.attention(q, k, v, b, s, m, None), lambda q, k, v, b, s=scale, m=mask: _attention(q, k, v, b, s, m), {"rtol": 1e-4}


def _scatter(x, i, u, axis):
    result = x.copy()
    for place in np.ndindex(i.shape):
        goal = list(place)
        goal[axis] = i[place]
        result[tuple(goal)] += u[place]
    return result


def scatters():
    for data, axis in product(("4,5", "3,4,5"), (0, 1, -1)):
        given = "2,3" if len(data) == 3 else "2,3,3"
        yield f"parts[{data}]{axis}", f"x:float32[{data}] i:int32[{given}]{{0:3}} u:float32[{given}]", lambda x, i, u, a=axis: topi.scatter_elements(x, i, u, a, "add"), lambda x, i, u, a=axis: _scatter(x, i, u, a)


def images():
    references = tvm.testing.operator_references.sampling
    for corners in (True, False):
        yield f"cubic_reflected{corners}", "x:float32[1,2,6,7] g:float32[1,2,4,5]{-1.5:1.5}", lambda x, g, c=corners: topi.image.grid_sample(x, g, "bicubic", padding_mode="reflection", align_corners=c), lambda x, g, c=corners: references.grid_sample_python(x, g, "bicubic", "NCHW", "reflection", c), {"rtol": 1e-3}
    for size in ((1, 3), (2, 1)):
        yield f"crop{size}", "x:float32[2,3,8,9] b:float32[3,4]{0:0.9} i:int32[3]{0:2}", lambda x, b, i, s=size: topi.image.crop_and_resize(x, b, i, s), lambda x, b, i, s=size: references.crop_and_resize_python(x, b, i, s, "NCHW"), {"rtol": 1e-3}
    yield "crop_of_one", "x:float32[1,1,5]", lambda x: topi.image.resize1d(x, [0.1, 0.9], (1,), method="linear", coordinate_transformation_mode="tf_crop_and_resize"), lambda x: x[..., 2:3], {"rtol": 1e-4}
    yield "half_of_a_symbol", "x:float32[1,1,4] y:float32[n]", lambda x, y: topi.image.resize1d(x, None, (y.shape[0],), method="linear", coordinate_transformation_mode="pytorch_half_pixel"), lambda x, y: references.resize(x, [len(y)], "NCW", "linear", "pytorch_half_pixel"), {"positive": True}


def blocks():
    convolve = tvm.testing.operator_references.convolution.convolve
    for groups, pad in product((1, 2), ("VALID", 1)):
        yield f"nchwc{groups}{pad}", f"x:float32[n,2,5,5,2] w:float32[2,{2 // groups},3,3,2,4]", lambda x, w, p=pad: topi.nn.conv2d_NCHWc(x, w, 1, p, 1, "NCHW2c", "NCHW4c"), lambda x, w, p=pad, g=groups: convolve(x.transpose(0, 1, 4, 2, 3).reshape(len(x), 4, 5, 5), w.transpose(0, 5, 1, 4, 2, 3).reshape(8, 4 // g, 3, 3), 1, 0 if p == "VALID" else p, 1, g).reshape(len(x), 2, 4, *[3 if p == "VALID" else 5] * 2).transpose(0, 1, 3, 4, 2), {"rtol": 1e-4, "positive": True}
    yield "quantized", "x:float32[n,4]{-200:200}", lambda x: topi.nn.simulated_quantize(x, tvm.tir.const(1, "int32"), 2.0, 3), lambda x: np.clip(np.sign(x) * np.floor(abs(x / 2) + 0.5) + 3, -128, 127)
    yield "dequantized", "x:float32[n,4]{-100:100}", lambda x: topi.nn.simulated_dequantize(x, tvm.tir.const(1, "int32"), 2.0, 3), lambda x: (x - 3) * 2
