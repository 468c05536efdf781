# pass: relax.RemoveRedundantReshape
@I.ir_module
class Module:
    @R.function
    def chain(x: R.Tensor((1, 16, 4), "float32")):
        with R.dataflow():
            a = R.reshape(x, (16, 4))
            b = R.reshape(a, (4, 16))
            c = R.reshape(b, (64,))
            y = R.exp(c)
            R.output(y)
        return y

    @R.function
    def same(x: R.Tensor((16, 4), "float32")):
        with R.dataflow():
            a = R.reshape(x, (16, 4))
            y = R.exp(a)
            R.output(y)
        return y

    @R.function
    def back(x: R.Tensor((16, 4), "float32")):
        with R.dataflow():
            a = R.reshape(x, (64,))
            b = R.reshape(a, (16, 4))
            y = R.exp(b)
            R.output(y)
        return y

    @R.function
    def output(x: R.Tensor((16, 4), "float32")):
        with R.dataflow():
            a = R.reshape(x, (16, 4))
            R.output(a)
        return a

    @R.function
    def used(x: R.Tensor((16, 4), "float32")):
        with R.dataflow():
            a = R.reshape(x, (64,))
            b = R.reshape(a, (4, 16))
            y = R.exp(a)
            R.output(y, b)
        return (y, b)

    @R.function
    def symbolic(x: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        with R.dataflow():
            a = R.reshape(x, (n, 4))
            b = R.reshape(a, (n * 4,))
            c = R.reshape(b, (n, 4))
            y = R.exp(c)
            R.output(y)
        return y

    @R.function
    def plain(x: R.Tensor((16, 4), "float32")):
        a = R.reshape(x, (64,))
        b = R.reshape(a, (16, 4))
        y = R.exp(b)
        return y

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def back(x: R.Tensor((16, 4), dtype="float32")) -> R.Tensor((16, 4), dtype="float32"):
        with R.dataflow():
            y: R.Tensor((16, 4), dtype="float32") = R.exp(x)
            R.output(y)
        return y

    @R.function
    def chain(x: R.Tensor((1, 16, 4), dtype="float32")) -> R.Tensor((64,), dtype="float32"):
        with R.dataflow():
            c: R.Tensor((64,), dtype="float32") = R.reshape(x, R.shape([64]))
            y: R.Tensor((64,), dtype="float32") = R.exp(c)
            R.output(y)
        return y

    @R.function
    def output(x: R.Tensor((16, 4), dtype="float32")) -> R.Tensor((16, 4), dtype="float32"):
        return x

    @R.function
    def plain(x: R.Tensor((16, 4), dtype="float32")) -> R.Tensor((16, 4), dtype="float32"):
        y: R.Tensor((16, 4), dtype="float32") = R.exp(x)
        return y

    @R.function
    def same(x: R.Tensor((16, 4), dtype="float32")) -> R.Tensor((16, 4), dtype="float32"):
        with R.dataflow():
            y: R.Tensor((16, 4), dtype="float32") = R.exp(x)
            R.output(y)
        return y

    @R.function
    def symbolic(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            y: R.Tensor((n, 4), dtype="float32") = R.exp(x)
            R.output(y)
        return y

    @R.function
    def used(x: R.Tensor((16, 4), dtype="float32")) -> R.Tuple(R.Tensor((64,), dtype="float32"), R.Tensor((4, 16), dtype="float32")):
        with R.dataflow():
            a: R.Tensor((64,), dtype="float32") = R.reshape(x, R.shape([64]))
            b: R.Tensor((4, 16), dtype="float32") = R.reshape(x, R.shape([4, 16]))
            y: R.Tensor((64,), dtype="float32") = R.exp(a)
            R.output(b, y)
        return (y, b)
