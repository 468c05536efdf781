"""Products of matrices and normalisations: each dtype; extents that are 0, 1 and symbolic."""

FLOATS = ("float32", "float64", "float16", "bfloat16")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint32")
CLOSE = {"rtol": 1e-4}
SIZES = (("n", "m", "k"), ("3", "0", "2"), ("0", "4", "2"), ("1", "1", "1"), ("n", "4", "1"), ("3", "5", "0"))


def matmul():
    for dtype in (*FLOATS, *INTEGERS):
        for rows, inner, columns in SIZES:
            for ta in (False, True):
                for tb in (False, True):
                    a, b = (inner, rows) if ta else (rows, inner), (columns, inner) if tb else (inner, columns)
                    spec = f"a:{dtype}[{','.join(a)}] b:{dtype}[{','.join(b)}]"
                    value = lambda a, b, ta=ta, tb=tb: ((a.T if ta else a) @ (b.T if tb else b)).astype(a.dtype)
                    yield f"matmul_{dtype}{rows}{inner}{columns}{ta:d}{tb:d}", spec, lambda a, b, ta=ta, tb=tb: topi.matmul(a, b, ta, tb), value, CLOSE
                    batch = spec.replace("a:" + dtype + "[", f"a:{dtype}[2,").replace("b:" + dtype + "[", f"b:{dtype}[2,")
                    yield f"batch_{dtype}{rows}{inner}{columns}{ta:d}{tb:d}", batch, lambda a, b, ta=ta, tb=tb: topi.nn.batch_matmul(a, b, transpose_a=ta, transpose_b=tb), lambda a, b, ta=ta, tb=tb: ((a.swapaxes(1, 2) if ta else a) @ (b.swapaxes(1, 2) if tb else b)).astype(a.dtype), CLOSE
            yield f"dense_{dtype}{rows}{inner}{columns}", f"a:{dtype}[{rows},{inner}] b:{dtype}[{columns},{inner}] c:{dtype}[{columns}]", topi.nn.dense, lambda a, b, c: (a @ b.T + c).astype(a.dtype), CLOSE
            yield f"tensordot_{dtype}{rows}{inner}{columns}", f"a:{dtype}[{rows},{inner},2] b:{dtype}[{inner},2,{columns}]", lambda a, b: topi.tensordot(a, b, 2), lambda a, b: np.tensordot(a, b, 2), CLOSE


def einsum():
    for text, *shapes in (("ij,jk->ik", "n,m", "m,k"), ("ij->ji", "n,0"), ("ii->i", "3,3"), ("ii", "3,3"), ("i,i", "n", "n"), ("i,j->ij", "n", "m"), ("ijk->", "2,n,3"), ("bij,bjk->bik", "0,2,3", "0,3,2"), ("...ij,...jk->...ik", "2,n,3", "2,3,m"), ("ij,ij->", "n,0", "n,0")):
        for dtype in ("float32", "float64", "int32"):
            yield f"{text}_{dtype}{shapes}".replace(" ", ""), " ".join(f"x{i}:{dtype}[{s}]" for i, s in enumerate(shapes)), lambda *x, t=text: topi.einsum(t, *x), lambda *x, t=text: np.einsum(t, *x), CLOSE


def norms():
    mean = lambda x, axes: x.mean(axes, keepdims=True)
    norm = lambda x, axes, e=1e-5: (x - mean(x, axes)) / np.sqrt(mean((x - mean(x, axes)) ** 2, axes) + e)
    for dtype in ("float32", "float64", "float16"):
        loose = {"rtol": 3e-3}
        for shape, scale, axes in (("n,m,4", "4", (2,)), ("n,3,4", "3,4", (1, 2)), ("0,4", "4", (1,)), ("n,1", "1", (1,)), ("2,1,3", "1,3", (1, 2)), ("5", "5", (0,))):
            yield f"layer_{dtype}{shape}", f"x:{dtype}[{shape}] g:{dtype}[{scale}] b:{dtype}[{scale}]", lambda x, g, b, a=axes: topi.nn.layer_norm(x, g, b, list(a)), lambda x, g, b, a=axes: norm(x, a) * g + b, loose
            yield f"rms_{dtype}{shape}", f"x:{dtype}[{shape}] w:{dtype}[{scale}]", lambda x, w, a=axes: topi.nn.rms_norm(x, w, list(a)), lambda x, w, a=axes: x / np.sqrt(mean(x * x, a) + 1e-5) * w, loose
        for shape, groups in (("2,4,3,5", 2), ("n,4,m,5", 4), ("0,4,2,2", 2), ("1,4,1,1", 1), ("n,6,3,1", 3)):
            yield f"group_{dtype}{shape}{groups}", f"x:{dtype}[{shape}] g:{dtype}[{shape[2]}] b:{dtype}[{shape[2]}]", lambda x, g, b, k=groups: topi.nn.group_norm(x, g, b, k, 1, [2, 3]), lambda x, g, b, k=groups: topi.testing.group_norm_python(x, g, b, k, 1, (2, 3)), loose
        for shape in ("2,3,4,5", "n,2,3,3", "0,2,2,2", "1,1,2,2"):
            yield f"instance_{dtype}{shape}", f"x:{dtype}[{shape}] g:{dtype}[{shape[2]}] b:{dtype}[{shape[2]}]", lambda x, g, b: topi.nn.instance_norm(x, g, b, [2, 3]), lambda x, g, b: topi.testing.instance_norm_python(x, g, b, (2, 3)), loose
            yield f"batch_{dtype}{shape}", f"x:{dtype}[{shape}] g:{dtype}[{shape[2]}] b:{dtype}[{shape[2]}] m:{dtype}[{shape[2]}] v:{dtype}[{shape[2]}]{{0.5:2}}", lambda x, g, b, m, v: topi.nn.batch_norm(x, g, b, m, v, training=False)[0], lambda *x: topi.testing.batch_norm(*x, 1, 1e-5, True, True, False, 0.1)[0], loose
            yield f"lrn_{dtype}{shape}", f"x:{dtype}[{shape}]", lambda x: topi.nn.lrn(x, 3, 1, 1e-4, 0.75, 2), lambda x: topi.testing.lrn_python(x, 3, 1, 2, 1e-4, 0.75), loose
            yield f"l2_{dtype}{shape}", f"x:{dtype}[{shape}]", lambda x: topi.nn.l2_normalize(x, 1e-3, [1, 2]), lambda x: x / np.sqrt(np.maximum((x * x).sum((1, 2), keepdims=True), 1e-3)), loose
