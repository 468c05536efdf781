# pass: relax.RemoveMatmulBroadcast
# differs from TVM: it has no such pass
@I.ir_module
class Module:
    @R.function
    def right(x: R.Tensor((2, 3, 4), "float32"), w: R.Tensor((4, 5), "float32")):
        with R.dataflow():
            a = R.broadcast_to(w, (2, 4, 5))
            b = R.reshape(a, (2, 4, 5))
            y = R.matmul(x, b)
            R.output(y)
        return y

    @R.function
    def left(w: R.Tensor((1, 3, 4), "float32"), x: R.Tensor((2, 4, 5), "float32")):
        with R.dataflow():
            a = R.broadcast_to(w, (2, 3, 4))
            y = R.matmul(a, x, out_dtype="float32")
            R.output(y)
        return y

    @R.function
    def used(x: R.Tensor((2, 3, 4), "float32"), w: R.Tensor((4, 5), "float32")):
        a = R.broadcast_to(w, (2, 4, 5))
        y = R.matmul(x, a)
        return (y, a)

    @R.function
    def symbolic(x: R.Tensor(("n", 3, 4), "float32"), w: R.Tensor((4, 5), "float32")):
        n = T.int64()
        with R.dataflow():
            a = R.broadcast_to(w, (n, 4, 5))
            y = R.matmul(x, a)
            R.output(y)
        return y

    @R.function
    def both(x: R.Tensor((3, 4), "float32"), w: R.Tensor((4, 5), "float32")):
        with R.dataflow():
            a = R.broadcast_to(x, (2, 3, 4))
            b = R.broadcast_to(w, (2, 4, 5))
            y = R.matmul(a, b)
            R.output(y)
        return y

    @R.function
    def stays_columns(x: R.Tensor((2, 3, 4), "float32"), w: R.Tensor((4, 1), "float32")):
        with R.dataflow():
            a = R.broadcast_to(w, (2, 4, 5))
            y = R.matmul(x, a)
            R.output(y)
        return y

    @R.function
    def stays_mixed(x: R.Tensor((4, 3, 2), "float32"), w: R.Tensor((4, 2), "float32")):
        with R.dataflow():
            a = R.broadcast_to(w, (2, 4, 2))
            b = R.reshape(a, (4, 2, 2))
            y = R.matmul(x, b)
            R.output(y)
        return y

    @R.function
    def stays_wider(x: R.Tensor((1, 3, 4), "float32"), w: R.Tensor((4, 5), "float32")):
        with R.dataflow():
            a = R.broadcast_to(w, (2, 4, 5))
            y = R.matmul(x, a)
            R.output(y)
        return y

    @R.function
    def stays_vector(x: R.Tensor((2, 3, 4), "float32"), w: R.Tensor((4,), "float32")):
        with R.dataflow():
            a = R.broadcast_to(w, (2, 4, 4))
            y = R.matmul(x, a)
            R.output(y)
        return y

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def both(x: R.Tensor((3, 4), dtype="float32"), w: R.Tensor((4, 5), dtype="float32")) -> R.Tensor((2, 3, 5), dtype="float32"):
        with R.dataflow():
            b: R.Tensor((2, 4, 5), dtype="float32") = R.broadcast_to(w, R.shape([2, 4, 5]))
            y: R.Tensor((2, 3, 5), dtype="float32") = R.matmul(x, b, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def left(w: R.Tensor((1, 3, 4), dtype="float32"), x: R.Tensor((2, 4, 5), dtype="float32")) -> R.Tensor((2, 3, 5), dtype="float32"):
        with R.dataflow():
            y: R.Tensor((2, 3, 5), dtype="float32") = R.matmul(w, x, out_dtype="float32")
            R.output(y)
        return y

    @R.function
    def right(x: R.Tensor((2, 3, 4), dtype="float32"), w: R.Tensor((4, 5), dtype="float32")) -> R.Tensor((2, 3, 5), dtype="float32"):
        with R.dataflow():
            y: R.Tensor((2, 3, 5), dtype="float32") = R.matmul(x, w, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def stays_columns(x: R.Tensor((2, 3, 4), dtype="float32"), w: R.Tensor((4, 1), dtype="float32")) -> R.Tensor((2, 3, 5), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((2, 4, 5), dtype="float32") = R.broadcast_to(w, R.shape([2, 4, 5]))
            y: R.Tensor((2, 3, 5), dtype="float32") = R.matmul(x, a, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def stays_mixed(x: R.Tensor((4, 3, 2), dtype="float32"), w: R.Tensor((4, 2), dtype="float32")) -> R.Tensor((4, 3, 2), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((2, 4, 2), dtype="float32") = R.broadcast_to(w, R.shape([2, 4, 2]))
            b: R.Tensor((4, 2, 2), dtype="float32") = R.reshape(a, R.shape([4, 2, 2]))
            y: R.Tensor((4, 3, 2), dtype="float32") = R.matmul(x, b, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def stays_vector(x: R.Tensor((2, 3, 4), dtype="float32"), w: R.Tensor((4,), dtype="float32")) -> R.Tensor((2, 3, 4), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((2, 4, 4), dtype="float32") = R.broadcast_to(w, R.shape([2, 4, 4]))
            y: R.Tensor((2, 3, 4), dtype="float32") = R.matmul(x, a, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def stays_wider(x: R.Tensor((1, 3, 4), dtype="float32"), w: R.Tensor((4, 5), dtype="float32")) -> R.Tensor((2, 3, 5), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((2, 4, 5), dtype="float32") = R.broadcast_to(w, R.shape([2, 4, 5]))
            y: R.Tensor((2, 3, 5), dtype="float32") = R.matmul(x, a, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def symbolic(x: R.Tensor(("n", 3, 4), dtype="float32"), w: R.Tensor((4, 5), dtype="float32")) -> R.Tensor(("n", 3, 5), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            y: R.Tensor((n, 3, 5), dtype="float32") = R.matmul(x, w, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def used(x: R.Tensor((2, 3, 4), dtype="float32"), w: R.Tensor((4, 5), dtype="float32")) -> R.Tuple(R.Tensor((2, 3, 5), dtype="float32"), R.Tensor((2, 4, 5), dtype="float32")):
        a: R.Tensor((2, 4, 5), dtype="float32") = R.broadcast_to(w, R.shape([2, 4, 5]))
        y: R.Tensor((2, 3, 5), dtype="float32") = R.matmul(x, w, out_dtype="void")
        return (y, a)
