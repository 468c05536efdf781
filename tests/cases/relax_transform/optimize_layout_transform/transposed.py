# pass: relax.OptimizeLayoutTransform
# differs from TVM: it compares shapes alone, and removes a transposition
@I.ir_module
class Module:
    @R.function
    def square(x: R.Tensor((4, 4), "float32")):
        with R.dataflow():
            a = R.layout_transform(x, index_map=lambda i, j: (j, i))
            b = R.layout_transform(a, index_map=lambda i, j: (i, j))
            y = R.exp(b)
            R.output(y)
        return y

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def square(x: R.Tensor((4, 4), dtype="float32")) -> R.Tensor((4, 4), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((4, 4), dtype="float32") = R.layout_transform(x, index_map=T.index_map(lambda i, j: (j, i)), pad_value=None, axis_separators=[])
            b: R.Tensor((4, 4), dtype="float32") = R.layout_transform(a, index_map=T.index_map(lambda i, j: (i, j)), pad_value=None, axis_separators=[])
            y: R.Tensor((4, 4), dtype="float32") = R.exp(b)
            R.output(y)
        return y
