# pass: relax.ReorderTakeAfterMatmul
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 16), "float32"), wt: R.Tensor(("n", 16, 32), "float32"), ids: R.Tensor((4,), "int64")):
        with R.dataflow():
            w = R.take(wt, ids, axis=0)
            y = R.matmul(x, w)
            R.output(y)
        return y

    @R.function
    def last(x: R.Tensor((1, 16), "float32"), wt: R.Tensor((16, 32), "float32"), ids: R.Tensor((4,), "int64")):
        with R.dataflow():
            w = R.take(wt, ids, axis=1)
            y = R.matmul(x, w)
            R.output(y)
        return y

    @R.function
    def batch(x: R.Tensor((3, 5, 16), "float32"), wt: R.Tensor((3, 16, 32), "float32"), ids: R.Tensor((4,), "int64")):
        with R.dataflow():
            w = R.take(wt, ids, axis=2)
            y = R.matmul(x, w)
            R.output(y)
        return y

    @R.function
    def weights(x: R.Tensor((1, 16), "float32"), wt: R.Tensor((16, 32), "float32"), ids: R.Tensor((4,), "int64")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            w = R.take(wt, ids, axis=1)
            y = R.matmul(x, w)
            R.output(y)
        return y

    @R.function
    def first(x: R.Tensor((1, 16), "float32"), wt: R.Tensor((8, 32), "float32"), ids: R.Tensor((16,), "int64")):
        with R.dataflow():
            w = R.take(wt, ids, axis=0)
            y = R.matmul(x, w)
            R.output(y)
        return y

    @R.function
    def vec(x: R.Tensor((3, 1, 16), "float32"), wt: R.Tensor((9, 16, 32), "float32"), ids: R.Tensor((3,), "int64")):
        with R.dataflow():
            w = R.take(wt, ids, axis=0)
            y = R.matmul(x, w)
            R.output(y)
        return y

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def batch(x: R.Tensor((3, 5, 16), dtype="float32"), wt: R.Tensor((3, 16, 32), dtype="float32"), ids: R.Tensor((4,), dtype="int64")) -> R.Tensor((3, 5, 4), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((3, 5, 32), dtype="float32") = R.matmul(x, wt, out_dtype="void")
            y: R.Tensor((3, 5, 4), dtype="float32") = R.take(lv, ids, axis=2)
            R.output(y)
        return y

    @R.function
    def first(x: R.Tensor((1, 16), dtype="float32"), wt: R.Tensor((8, 32), dtype="float32"), ids: R.Tensor((16,), dtype="int64")) -> R.Tensor((1, 32), dtype="float32"):
        with R.dataflow():
            w: R.Tensor((16, 32), dtype="float32") = R.take(wt, ids, axis=0)
            y: R.Tensor((1, 32), dtype="float32") = R.matmul(x, w, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def last(x: R.Tensor((1, 16), dtype="float32"), wt: R.Tensor((16, 32), dtype="float32"), ids: R.Tensor((4,), dtype="int64")) -> R.Tensor((1, 4), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 32), dtype="float32") = R.matmul(x, wt, out_dtype="void")
            y: R.Tensor((1, 4), dtype="float32") = R.take(lv, ids, axis=1)
            R.output(y)
        return y

    @R.function
    def vec(x: R.Tensor((3, 1, 16), dtype="float32"), wt: R.Tensor((9, 16, 32), dtype="float32"), ids: R.Tensor((3,), dtype="int64")) -> R.Tensor((3, 1, 32), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((16, 9, 32), dtype="float32") = R.permute_dims(wt, axes=[1, 0, 2])
            lv1: R.Tensor((16, 288), dtype="float32") = R.reshape(lv, R.shape([16, 288]))
            lv2: R.Tensor((3, 1, 288), dtype="float32") = R.matmul(x, lv1, out_dtype="void")
            lv3: R.Tensor((3, 1, 9, 32), dtype="float32") = R.reshape(lv2, R.shape([3, 1, 9, 32]))
            lv4: R.Tensor((3, 1, 3, 32), dtype="float32") = R.take(lv3, ids, axis=2)
            y: R.Tensor((3, 1, 32), dtype="float32") = R.einsum((lv4,), subscripts="ijik->ijk")
            R.output(y)
        return y

    @R.function
    def weights(x: R.Tensor((1, 16), dtype="float32"), wt: R.Tensor((16, 32), dtype="float32"), ids: R.Tensor((4,), dtype="int64")) -> R.Tensor((1, 4), dtype="float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            lv: R.Tensor((1, 32), dtype="float32") = R.matmul(x, wt, out_dtype="void")
            y: R.Tensor((1, 4), dtype="float32") = R.take(lv, ids, axis=1)
            R.output(y)
        return y

    @R.function
    def main(x: R.Tensor((1, 16), dtype="float32"), wt: R.Tensor(("n", 16, 32), dtype="float32"), ids: R.Tensor((4,), dtype="int64")) -> R.Tensor((4, 1, 32), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            w: R.Tensor((4, 16, 32), dtype="float32") = R.take(wt, ids, axis=0)
            y: R.Tensor((4, 1, 32), dtype="float32") = R.matmul(x, w, out_dtype="void")
            R.output(y)
        return y
