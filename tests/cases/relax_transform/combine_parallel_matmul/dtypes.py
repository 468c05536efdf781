# pass: relax.CombineParallelMatmul
# differs from TVM: it changes the dtype of the second product
@I.ir_module
class Module:
    @R.function
    def outdt(x: R.Tensor((2, 16), "float16"), A: R.Tensor((16, 8), "float16"), B: R.Tensor((16, 4), "float16")):
        with R.dataflow():
            a = R.matmul(x, A, out_dtype="float32")
            b = R.matmul(x, B)
            R.output(a, b)
        return (a, b)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def outdt(x: R.Tensor((2, 16), dtype="float16"), A: R.Tensor((16, 8), dtype="float16"), B: R.Tensor((16, 4), dtype="float16")) -> R.Tuple(R.Tensor((2, 8), dtype="float32"), R.Tensor((2, 4), dtype="float16")):
        with R.dataflow():
            a: R.Tensor((2, 8), dtype="float32") = R.matmul(x, A, out_dtype="float32")
            b: R.Tensor((2, 4), dtype="float16") = R.matmul(x, B, out_dtype="void")
            R.output(a, b)
        return (a, b)
