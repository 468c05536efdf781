"""Products of matrices and tensors."""

#: where the text differs from TVM's
DIFFERENT = {f"nn.{name}": "TVM's uses a name that it does not import" for name in ("dense_pack", "dense_pack_bias")}


def matmul():
    yield "matmul", "a:float32[n,m] b:float32[m,4]", topi.matmul, lambda a, b: a @ b
    yield "matmul_transposed", "a:float32[m,n] b:float32[4,m]", lambda a, b: topi.matmul(a, b, True, True), lambda a, b: a.T @ b.T
    yield "tensordot", "a:float32[n,3,4] b:float32[4,3,2]", lambda a, b: topi.tensordot(a, b, [[1, 2], [1, 0]]), lambda a, b: np.tensordot(a, b, [[1, 2], [1, 0]])
    yield "tensordot_number", "a:float32[n,3,4] b:float32[3,4,2]", lambda a, b: topi.tensordot(a, b, 2), lambda a, b: np.tensordot(a, b, 2)


def nn():
    yield "matmul", "a:float32[n,m] b:float32[m,4]", topi.nn.matmul, lambda a, b: a @ b
    yield "matmul_bias", "a:float32[n,m] b:float32[4,m] c:float32[4]", lambda a, b, c: topi.nn.matmul(a, b, c, transpose_b=True), lambda a, b, c: a @ b.T + c
    yield "dense", "a:float32[n,m] b:float32[4,m]", topi.nn.dense, lambda a, b: a @ b.T
    yield "dense_pack", "a:float32[n,m] b:float32[3,m,2]", topi.nn.dense_pack, lambda a, b: a @ b.transpose(0, 2, 1).reshape(6, -1).T
    yield "dense_pack_bias", "a:float32[n,m] b:float32[3,m,2] c:float32[6]", topi.nn.dense_pack, lambda a, b, c: a @ b.transpose(0, 2, 1).reshape(6, -1).T + c
    yield "dense_bias", "a:float32[n,m] b:float32[4,m] c:float32[4]", topi.nn.dense, lambda a, b, c: a @ b.T + c
    yield "dense_mixed", "a:float16[n,m] b:float16[4,m]", lambda a, b: topi.nn.dense(a, b, None, "float32"), lambda a, b: a.astype("float32") @ b.T.astype("float32")
    yield "dense_int8", "a:int8[n,m]{-9:9} b:int8[4,m]{-9:9}", lambda a, b: topi.nn.dense(a, b, None, "int32"), lambda a, b: a.astype("int32") @ b.T.astype("int32")
    yield "batch_matmul", "a:float32[2,n,m] b:float32[2,4,m]", topi.nn.batch_matmul, lambda a, b: a @ b.swapaxes(1, 2)
    yield "batch_matmul_plain", "a:float32[2,n,m] b:float32[2,m,4]", lambda a, b: topi.nn.batch_matmul(a, b, transpose_b=False), lambda a, b: a @ b
    yield "batch_matmul_one", "a:float32[1,n,m] b:float32[3,4,m]", topi.nn.batch_matmul, lambda a, b: a @ b.swapaxes(1, 2)


def einsum():
    for name, (subscripts, spec) in {
        "matmul": ("ij,jk->ik", "a:float32[n,m] b:float32[m,4]"),
        "diagonal": ("ii->i", "a:float32[4,4]"),
        "trace": ("ii", "a:float32[4,4]"),
        "outer": ("i,j->ij", "a:float32[n] b:float32[4]"),
        "implicit": ("ij,jk", "a:float32[n,m] b:float32[m,4]"),
        "sum": ("ij->", "a:float32[m,4]"),
        "ellipsis": ("...ij,...jk->...ik", "a:float32[2,n,m] b:float32[2,m,4]"),
        "transpose": ("ij->ji", "a:float32[n,4]"),
        "three": ("ij,jk,kl->il", "a:float32[n,m] b:float32[m,4] c:float32[4,2]"),
    }.items():
        yield name, spec, lambda *x, s=subscripts: topi.einsum(s, *x), lambda *x, s=subscripts: np.einsum(s, *x)
