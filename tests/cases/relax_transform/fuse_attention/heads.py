# pass: relax.FuseAttention
# differs from TVM: it has no such pass
@I.ir_module
class Module:
    @R.function
    def plain(q: R.Tensor((6, 3, 4), "float32"), k: R.Tensor((6, 4, 5), "float32"), v: R.Tensor((6, 5, 2), "float32")):
        with R.dataflow():
            scores = R.matmul(q, k)
            weights = R.nn.softmax(scores)
            y = R.matmul(weights, v)
            R.output(y)
        return y

    @R.function
    def heads(q: R.Tensor((2, 3, 3, 4), "float32"), k: R.Tensor((2, 3, 4, 5), "float32"), v: R.Tensor((2, 3, 5, 2), "float32")):
        with R.dataflow():
            scores = R.matmul(q, k)
            weights = R.nn.softmax(scores, axis=3)
            y = R.matmul(weights, v)
            R.output(y)
        return y

    # what torch exports
    @R.function
    def safe(q: R.Tensor((6, 3, 4), "float32"), k: R.Tensor((6, 4, 5), "float32"), v: R.Tensor((6, 5, 2), "float32")):
        with R.dataflow():
            product = R.matmul(q, k)
            scores = R.reshape(product, (2, 3, 3, 5))
            weights = R.nn.softmax(scores)
            finite = R.logical_not(R.equal(scores, R.const("-inf", "float32")))
            has_finite = R.astype(R.max(R.astype(finite, "int8"), axis=[-1], keepdims=True), "bool")
            chosen = R.where(R.logical_not(has_finite), R.full_like(weights, R.const(0, "float32")), weights)
            copies = R.broadcast_to(chosen, (2, 3, 3, 5))
            left = R.reshape(copies, (6, 3, 5))
            y = R.matmul(left, v)
            R.output(y)
        return y

    # other weights than those of torch
    @R.function
    def stays_filled(q: R.Tensor((6, 3, 4), "float32"), k: R.Tensor((6, 4, 5), "float32"), v: R.Tensor((6, 5, 2), "float32")):
        with R.dataflow():
            scores = R.matmul(q, k)
            weights = R.nn.softmax(scores)
            finite = R.logical_not(R.equal(scores, R.const(0, "float32")))
            has_finite = R.astype(R.max(R.astype(finite, "int8"), axis=[-1], keepdims=True), "bool")
            chosen = R.where(R.logical_not(has_finite), R.full_like(weights, R.const(0, "float32")), weights)
            y = R.matmul(chosen, v)
            R.output(y)
        return y

    # zeros along columns
    @R.function
    def stays_safe_columns(q: R.Tensor((6, 3, 4), "float32"), k: R.Tensor((6, 4, 5), "float32"), v: R.Tensor((6, 5, 2), "float32")):
        with R.dataflow():
            scores = R.matmul(q, k)
            weights = R.nn.softmax(scores)
            finite = R.logical_not(R.equal(scores, R.const("-inf", "float32")))
            has_finite = R.astype(R.max(R.astype(finite, "int8"), axis=[1], keepdims=True), "bool")
            chosen = R.where(R.logical_not(has_finite), R.full_like(weights, R.const(0, "float32")), weights)
            y = R.matmul(chosen, v)
            R.output(y)
        return y

    @R.function
    def stays_used(q: R.Tensor((6, 3, 4), "float32"), k: R.Tensor((6, 4, 5), "float32"), v: R.Tensor((6, 5, 2), "float32")):
        scores = R.matmul(q, k)
        weights = R.nn.softmax(scores)
        y = R.matmul(weights, v)
        return (y, weights)

    @R.function
    def stays_columns(q: R.Tensor((6, 3, 4), "float32"), k: R.Tensor((6, 4, 5), "float32"), v: R.Tensor((6, 5, 2), "float32")):
        with R.dataflow():
            scores = R.matmul(q, k)
            weights = R.nn.softmax(scores, axis=1)
            y = R.matmul(weights, v)
            R.output(y)
        return y

    @R.function
    def stays_other_rows(q: R.Tensor((6, 3, 4), "float32"), k: R.Tensor((6, 4, 6), "float32"), v: R.Tensor((6, 3, 2), "float32")):
        with R.dataflow():
            scores = R.matmul(q, k)
            weights = R.nn.softmax(scores)
            left = R.reshape(weights, (6, 6, 3))
            y = R.matmul(left, v)
            R.output(y)
        return y

    @R.function
    def stays_repeated(q: R.Tensor((6, 3, 4), "float32"), k: R.Tensor((4, 5), "float32"), v: R.Tensor((6, 5, 2), "float32")):
        with R.dataflow():
            scores = R.matmul(q, k)
            weights = R.nn.softmax(scores)
            y = R.matmul(weights, v)
            R.output(y)
        return y

    @R.function
    def stays_symbolic(q: R.Tensor(("n", 3, 4), "float32"), k: R.Tensor(("n", 4, 5), "float32"), v: R.Tensor(("n", 5, 2), "float32")):
        with R.dataflow():
            scores = R.matmul(q, k)
            weights = R.nn.softmax(scores)
            y = R.matmul(weights, v)
            R.output(y)
        return y

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def heads(q: R.Tensor((2, 3, 3, 4), dtype="float32"), k: R.Tensor((2, 3, 4, 5), dtype="float32"), v: R.Tensor((2, 3, 5, 2), dtype="float32")) -> R.Tensor((2, 3, 3, 2), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((6, 3, 1, 4), dtype="float32") = R.reshape(q, R.shape([6, 3, 1, 4]))
            lv1: R.Tensor((2, 3, 5, 4), dtype="float32") = R.permute_dims(k, axes=[0, 1, 3, 2])
            lv2: R.Tensor((6, 5, 1, 4), dtype="float32") = R.reshape(lv1, R.shape([6, 5, 1, 4]))
            lv3: R.Tensor((6, 5, 1, 2), dtype="float32") = R.reshape(v, R.shape([6, 5, 1, 2]))
            lv4: R.Tensor((6, 3, 1, 2), dtype="float32") = R.nn.attention(lv, lv2, lv3, scale=T.float32(1), causal_mask=None, window_size=None)
            y: R.Tensor((2, 3, 3, 2), dtype="float32") = R.reshape(lv4, R.shape([2, 3, 3, 2]))
            R.output(y)
        return y

    @R.function
    def plain(q: R.Tensor((6, 3, 4), dtype="float32"), k: R.Tensor((6, 4, 5), dtype="float32"), v: R.Tensor((6, 5, 2), dtype="float32")) -> R.Tensor((6, 3, 2), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((6, 3, 1, 4), dtype="float32") = R.reshape(q, R.shape([6, 3, 1, 4]))
            lv1: R.Tensor((6, 5, 4), dtype="float32") = R.permute_dims(k, axes=[0, 2, 1])
            lv2: R.Tensor((6, 5, 1, 4), dtype="float32") = R.reshape(lv1, R.shape([6, 5, 1, 4]))
            lv3: R.Tensor((6, 5, 1, 2), dtype="float32") = R.reshape(v, R.shape([6, 5, 1, 2]))
            lv4: R.Tensor((6, 3, 1, 2), dtype="float32") = R.nn.attention(lv, lv2, lv3, scale=T.float32(1), causal_mask=None, window_size=None)
            y: R.Tensor((6, 3, 2), dtype="float32") = R.reshape(lv4, R.shape([6, 3, 2]))
            R.output(y)
        return y

    # what torch exports
    @R.function
    def safe(q: R.Tensor((6, 3, 4), dtype="float32"), k: R.Tensor((6, 4, 5), dtype="float32"), v: R.Tensor((6, 5, 2), dtype="float32")) -> R.Tensor((6, 3, 2), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((6, 3, 1, 4), dtype="float32") = R.reshape(q, R.shape([6, 3, 1, 4]))
            lv1: R.Tensor((6, 5, 4), dtype="float32") = R.permute_dims(k, axes=[0, 2, 1])
            lv2: R.Tensor((6, 5, 1, 4), dtype="float32") = R.reshape(lv1, R.shape([6, 5, 1, 4]))
            lv3: R.Tensor((6, 5, 1, 2), dtype="float32") = R.reshape(v, R.shape([6, 5, 1, 2]))
            lv4: R.Tensor((6, 3, 1, 2), dtype="float32") = R.nn.attention(lv, lv2, lv3, scale=T.float32(1), causal_mask=None, window_size=None)
            y: R.Tensor((6, 3, 2), dtype="float32") = R.reshape(lv4, R.shape([6, 3, 2]))
            R.output(y)
        return y

    @R.function
    def stays_columns(q: R.Tensor((6, 3, 4), dtype="float32"), k: R.Tensor((6, 4, 5), dtype="float32"), v: R.Tensor((6, 5, 2), dtype="float32")) -> R.Tensor((6, 3, 2), dtype="float32"):
        with R.dataflow():
            scores: R.Tensor((6, 3, 5), dtype="float32") = R.matmul(q, k, out_dtype="void")
            weights: R.Tensor((6, 3, 5), dtype="float32") = R.nn.softmax(scores, axis=1)
            y: R.Tensor((6, 3, 2), dtype="float32") = R.matmul(weights, v, out_dtype="void")
            R.output(y)
        return y

    # other weights than those of torch
    @R.function
    def stays_filled(q: R.Tensor((6, 3, 4), dtype="float32"), k: R.Tensor((6, 4, 5), dtype="float32"), v: R.Tensor((6, 5, 2), dtype="float32")) -> R.Tensor((6, 3, 2), dtype="float32"):
        with R.dataflow():
            scores: R.Tensor((6, 3, 5), dtype="float32") = R.matmul(q, k, out_dtype="void")
            weights: R.Tensor((6, 3, 5), dtype="float32") = R.nn.softmax(scores, axis=-1)
            lv2: R.Tensor((6, 3, 5), dtype="bool") = R.equal(scores, R.const(0, "float32"))
            finite: R.Tensor((6, 3, 5), dtype="bool") = R.logical_not(lv2)
            lv4: R.Tensor((6, 3, 5), dtype="int8") = R.astype(finite, dtype="int8")
            lv5: R.Tensor((6, 3, 1), dtype="int8") = R.max(lv4, axis=[-1], keepdims=True)
            has_finite: R.Tensor((6, 3, 1), dtype="bool") = R.astype(lv5, dtype="bool")
            lv7: R.Tensor((6, 3, 1), dtype="bool") = R.logical_not(has_finite)
            lv8: R.Tensor((6, 3, 5), dtype="float32") = R.full_like(weights, R.const(0, "float32"), dtype="void")
            chosen: R.Tensor((6, 3, 5), dtype="float32") = R.where(lv7, lv8, weights)
            y: R.Tensor((6, 3, 2), dtype="float32") = R.matmul(chosen, v, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def stays_other_rows(q: R.Tensor((6, 3, 4), dtype="float32"), k: R.Tensor((6, 4, 6), dtype="float32"), v: R.Tensor((6, 3, 2), dtype="float32")) -> R.Tensor((6, 6, 2), dtype="float32"):
        with R.dataflow():
            scores: R.Tensor((6, 3, 6), dtype="float32") = R.matmul(q, k, out_dtype="void")
            weights: R.Tensor((6, 3, 6), dtype="float32") = R.nn.softmax(scores, axis=-1)
            left: R.Tensor((6, 6, 3), dtype="float32") = R.reshape(weights, R.shape([6, 6, 3]))
            y: R.Tensor((6, 6, 2), dtype="float32") = R.matmul(left, v, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def stays_repeated(q: R.Tensor((6, 3, 4), dtype="float32"), k: R.Tensor((4, 5), dtype="float32"), v: R.Tensor((6, 5, 2), dtype="float32")) -> R.Tensor((6, 3, 2), dtype="float32"):
        with R.dataflow():
            scores: R.Tensor((6, 3, 5), dtype="float32") = R.matmul(q, k, out_dtype="void")
            weights: R.Tensor((6, 3, 5), dtype="float32") = R.nn.softmax(scores, axis=-1)
            y: R.Tensor((6, 3, 2), dtype="float32") = R.matmul(weights, v, out_dtype="void")
            R.output(y)
        return y

    # zeros along columns
    @R.function
    def stays_safe_columns(q: R.Tensor((6, 3, 4), dtype="float32"), k: R.Tensor((6, 4, 5), dtype="float32"), v: R.Tensor((6, 5, 2), dtype="float32")) -> R.Tensor((6, 3, 2), dtype="float32"):
        with R.dataflow():
            scores: R.Tensor((6, 3, 5), dtype="float32") = R.matmul(q, k, out_dtype="void")
            weights: R.Tensor((6, 3, 5), dtype="float32") = R.nn.softmax(scores, axis=-1)
            lv2: R.Tensor((6, 3, 5), dtype="bool") = R.equal(scores, R.const("-inf", "float32"))
            finite: R.Tensor((6, 3, 5), dtype="bool") = R.logical_not(lv2)
            lv4: R.Tensor((6, 3, 5), dtype="int8") = R.astype(finite, dtype="int8")
            lv5: R.Tensor((6, 1, 5), dtype="int8") = R.max(lv4, axis=[1], keepdims=True)
            has_finite: R.Tensor((6, 1, 5), dtype="bool") = R.astype(lv5, dtype="bool")
            lv7: R.Tensor((6, 1, 5), dtype="bool") = R.logical_not(has_finite)
            lv8: R.Tensor((6, 3, 5), dtype="float32") = R.full_like(weights, R.const(0, "float32"), dtype="void")
            chosen: R.Tensor((6, 3, 5), dtype="float32") = R.where(lv7, lv8, weights)
            y: R.Tensor((6, 3, 2), dtype="float32") = R.matmul(chosen, v, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def stays_symbolic(q: R.Tensor(("n", 3, 4), dtype="float32"), k: R.Tensor(("n", 4, 5), dtype="float32"), v: R.Tensor(("n", 5, 2), dtype="float32")) -> R.Tensor(("n", 3, 2), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            scores: R.Tensor((n, 3, 5), dtype="float32") = R.matmul(q, k, out_dtype="void")
            weights: R.Tensor((n, 3, 5), dtype="float32") = R.nn.softmax(scores, axis=-1)
            y: R.Tensor((n, 3, 2), dtype="float32") = R.matmul(weights, v, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def stays_used(q: R.Tensor((6, 3, 4), dtype="float32"), k: R.Tensor((6, 4, 5), dtype="float32"), v: R.Tensor((6, 5, 2), dtype="float32")) -> R.Tuple(R.Tensor((6, 3, 2), dtype="float32"), R.Tensor((6, 3, 5), dtype="float32")):
        scores: R.Tensor((6, 3, 5), dtype="float32") = R.matmul(q, k, out_dtype="void")
        weights: R.Tensor((6, 3, 5), dtype="float32") = R.nn.softmax(scores, axis=-1)
        y: R.Tensor((6, 3, 2), dtype="float32") = R.matmul(weights, v, out_dtype="void")
        return (y, weights)
