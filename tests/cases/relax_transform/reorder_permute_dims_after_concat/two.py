# pass: relax.ReorderPermuteDimsAfterConcat
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 8), "float32"), a: R.Tensor((4, 8), "float32"), b: R.Tensor((6, 8), "float32"), c: R.Tensor((8, 3), "float32")):
        with R.dataflow():
            a1 = R.permute_dims(a)
            b1 = R.permute_dims(b, axes=[1, 0])
            w = R.concat((a1, b1), axis=1)
            y = R.matmul(x, w)
            w1 = R.concat((a1, c), axis=1)
            y1 = R.matmul(x, w1)
            R.output(y, y1)
        return (y, y1)
    @R.function
    def ranks(a: R.Tensor((4, 8, 2), "float32"), b: R.Tensor((4, 6, 2), "float32")):
        a1 = R.permute_dims(a, axes=[1, 2, 0])
        b1 = R.permute_dims(b, axes=[1, 2, 0])
        w = R.concat((a1, b1), axis=0)
        c1 = R.permute_dims(b, axes=[2, 1, 0])
        w1 = R.concat((c1, c1), axis=0)
        return (w, w1)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def ranks(a: R.Tensor((4, 8, 2), dtype="float32"), b: R.Tensor((4, 6, 2), dtype="float32")) -> R.Tuple(R.Tensor((14, 2, 4), dtype="float32"), R.Tensor((4, 6, 4), dtype="float32")):
        gv: R.Tensor((4, 14, 2), dtype="float32") = R.concat((a, b), axis=1)
        w: R.Tensor((14, 2, 4), dtype="float32") = R.permute_dims(gv, axes=[1, 2, 0])
        gv1: R.Tensor((4, 6, 4), dtype="float32") = R.concat((b, b), axis=2)
        w1: R.Tensor((4, 6, 4), dtype="float32") = R.permute_dims(gv1, axes=[2, 1, 0])
        return (w, w1)

    @R.function
    def main(x: R.Tensor((1, 8), dtype="float32"), a: R.Tensor((4, 8), dtype="float32"), b: R.Tensor((6, 8), dtype="float32"), c: R.Tensor((8, 3), dtype="float32")) -> R.Tuple(R.Tensor((1, 10), dtype="float32"), R.Tensor((1, 7), dtype="float32")):
        with R.dataflow():
            a1: R.Tensor((8, 4), dtype="float32") = R.permute_dims(a, axes=None)
            lv: R.Tensor((10, 8), dtype="float32") = R.concat((a, b), axis=0)
            w: R.Tensor((8, 10), dtype="float32") = R.permute_dims(lv, axes=None)
            y: R.Tensor((1, 10), dtype="float32") = R.matmul(x, w, out_dtype="void")
            w1: R.Tensor((8, 7), dtype="float32") = R.concat((a1, c), axis=1)
            y1: R.Tensor((1, 7), dtype="float32") = R.matmul(x, w1, out_dtype="void")
            R.output(y, y1)
        return (y, y1)
