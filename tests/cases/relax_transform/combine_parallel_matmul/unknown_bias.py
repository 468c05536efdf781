# pass: relax.CombineParallelMatmul
# differs from TVM: it joins biases whose shapes it does not know
# values: not compared: shapes are not known
# the shape of a bias is not known: only the products are combined
@I.ir_module
class Module:
    @R.function
    def unknown(x: R.Tensor((2, 16), "float32"), A: R.Tensor((16, 8), "float32"), B: R.Tensor((16, 4), "float32"), b: R.Tensor(dtype="float32", ndim=1), c: R.Tensor((4,), "float32")):
        with R.dataflow():
            y = R.matmul(x, A)
            y1 = R.add(y, b)
            z = R.matmul(x, B)
            z1 = R.add(z, c)
            R.output(y1, z1)
        return (y1, z1)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def unknown(x: R.Tensor((2, 16), dtype="float32"), A: R.Tensor((16, 8), dtype="float32"), B: R.Tensor((16, 4), dtype="float32"), b: R.Tensor(dtype="float32", ndim=1), c: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor(dtype="float32", ndim=2), R.Tensor((2, 4), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((16, 12), dtype="float32") = R.concat((A, B), axis=1)
            lv1: R.Tensor((2, 12), dtype="float32") = R.matmul(x, lv, out_dtype="float32")
            lv2: R.Tuple(R.Tensor((2, 8), dtype="float32"), R.Tensor((2, 4), dtype="float32")) = R.split(lv1, indices_or_sections=[8], axis=1)
            y: R.Tensor((2, 8), dtype="float32") = lv2[0]
            y1: R.Tensor(dtype="float32", ndim=2) = R.add(y, b)
            z: R.Tensor((2, 4), dtype="float32") = lv2[1]
            z1: R.Tensor((2, 4), dtype="float32") = R.add(z, c)
            R.output(y1, z1)
        return (y1, z1)
