"""Sparse matrices."""

#: where the text differs from TVM's
_EXTENT = "in TVM the extent of a loop has a free variable; here a block inside goes over the elements"
DIFFERENT = {
    **dict.fromkeys(["products.csr_right", "products.csr_left", "products.bsr_right", "products.bsr_left"], _EXTENT),
    **dict.fromkeys(["products.conv_nhwc", "products.conv_nchw"], _EXTENT),
    **{f"compressed.{name}": "TVM takes matrices of its own class alone" for name in ("mm", "mm_bias", "mv", "mv_bias", "dense_data", "dense_weight", "double")},
    "matrices.add": "TVM vectorizes over rows",
}



def _pointers(p):
    """Tensors of increasing pointers, from draws of 0 or 1."""
    return topi.cumsum(p, 0, "int32")


def _dense(d, i, p, width):
    """The dense form of CSR or BSR; elements at one place are added."""
    rows = len(p) - 1
    block = d.shape[1:] or (1, 1)
    result = np.zeros((rows, width // block[1], *block), d.dtype)
    for row in range(rows):
        for k in range(p[row], p[row + 1]):
            result[row, i[k]] += d[k]
    return result.transpose(0, 2, 1, 3).reshape(rows * block[0], width)


def products():
    for name, block, rows in (("csr", "", "5"), ("bsr", ",2,4", "5")):
        yield f"{name}_right", f"x:float32[n,8] d:float32[5{block}] i:int32[5]{{0:2}} p:int32[{rows}]{{0:2}}", lambda x, d, i, p: topi.nn.sparse_dense(x, d, i, _pointers(p)), lambda x, d, i, p: x @ _dense(d, i, np.cumsum(p), 8).T, {"rtol": 1e-4}
        yield f"{name}_left", f"x:float32[4,8] d:float32[5{block}] i:int32[5]{{0:2}} p:int32[{rows}]{{0:2}}", lambda x, d, i, p: topi.nn.sparse_dense(x, d, i, _pointers(p), True), lambda x, d, i, p: _dense(d, i, np.cumsum(p), 8) @ x.T, {"rtol": 1e-4}
    for layout, spec, order in (("NHWC", "2,3,3,8", (0, 1, 2, 3)), ("NCHW", "2,8,3,3", (0, 2, 3, 1))):
        yield f"conv_{layout.lower()}", f"x:float32[{spec}] d:float32[5,2,4] i:int32[5]{{0:2}} p:int32[5]{{0:2}}", lambda x, d, i, p, layout=layout: topi.nn.sparse_conv2d(x, d, i, _pointers(p), layout), lambda x, d, i, p, order=order: (x.transpose(order) @ _dense(d, i, np.cumsum(p), 8).T).transpose(np.argsort(order)), {"rtol": 1e-4}


class _Parts:
    """A matrix in CSR, of tensors."""

    def __init__(self, shape, data, indices, pointers):
        self.shape, self.data, self.indices, self.indptr = shape, data, indices, _pointers(pointers)


def compressed():
    parts = "d:float32[5] i:int32[5]{0:6} p:int32[5]{0:2}"
    csr = lambda d, i, p: _Parts((4, 6), d, i, p)
    matrix = lambda d, i, p: _dense(d, i, np.cumsum(p), 6)
    sparse = topi.sparse
    yield "mm", f"{parts} b:float32[6,n]", lambda d, i, p, b: sparse.csrmm(csr(d, i, p), b), lambda d, i, p, b: matrix(d, i, p) @ b, {"rtol": 1e-4}
    yield "mm_bias", f"{parts} b:float32[6,4] c:float32[4]", lambda d, i, p, b, c: sparse.csrmm(csr(d, i, p), b, c), lambda d, i, p, b, c: matrix(d, i, p) @ b + c[:, None], {"rtol": 1e-4}
    yield "mv", f"{parts} b:float32[6,1]", lambda d, i, p, b: sparse.csrmv(csr(d, i, p), b), lambda d, i, p, b: matrix(d, i, p) @ b, {"rtol": 1e-4}
    yield "mv_bias", f"{parts} b:float32[6,1] c:float32[4]", lambda d, i, p, b, c: sparse.csrmv(csr(d, i, p), b, c), lambda d, i, p, b, c: matrix(d, i, p) @ b + c[:, None], {"rtol": 1e-4}
    yield "dense_data", f"{parts} b:float32[3,6]", lambda d, i, p, b: sparse.dense(csr(d, i, p), b), lambda d, i, p, b: matrix(d, i, p) @ b.T, {"rtol": 1e-4}
    yield "dense_weight", f"{parts} b:float32[n,6] c:float32[4]", lambda d, i, p, b, c: sparse.dense(b, csr(d, i, p), c), lambda d, i, p, b, c: b @ matrix(d, i, p).T + c, {"rtol": 1e-4}
    yield "double", "d:float64[5] i:int32[5]{0:6} p:int32[5]{0:2} b:float64[3,6]", lambda d, i, p, b: sparse.dense(csr(d, i, p), b), lambda d, i, p, b: matrix(d, i, p) @ b.T


def matrices():
    yield "add", "x:float32[4,5] d:float32[5] i:int32[5]{0:5} p:int32[5]{0:2}", lambda x, d, i, p: topi.nn.sparse_add(x, d, i, _pointers(p)), lambda x, d, i, p: x + _dense(d, i, np.cumsum(p), 5)
    yield "transpose", "d:float32[4] i:int32[4]{0:4} p:int32[5]{0:1}", lambda d, i, p: topi.nn.sparse_transpose(d, i, topi.add(p, topi.arange(0, 5, 1, "int32"))), lambda d, i, p: [d[np.argsort(i, kind="stable")], np.argsort(i, kind="stable").astype("int32"), np.searchsorted(np.sort(i), np.arange(5)).astype("int32")]
