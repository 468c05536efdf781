# pass: relax.OptimizeLayoutTransform
@I.ir_module
class Module:
    @R.function
    def undo(x: R.Tensor((16,), "float32")):
        with R.dataflow():
            a = R.layout_transform(x, index_map=lambda i: (i // 4, i % 4))
            b = R.layout_transform(a, index_map=lambda i, j: (i * 4 + j,))
            y = R.exp(b)
            R.output(y)
        return y

    @R.function
    def same(x: R.Tensor((4, 8), "float32")):
        with R.dataflow():
            a = R.layout_transform(x, index_map=lambda i, j: (j, i))
            b = R.layout_transform(a, index_map=lambda i, j: (j, i))
            y = R.exp(b)
            R.output(y)
        return y

    @R.function
    def other(x: R.Tensor((4, 8), "float32")):
        with R.dataflow():
            a = R.layout_transform(x, index_map=lambda i, j: (j, i))
            b = R.layout_transform(a, index_map=lambda i, j: (i, j))
            y = R.exp(b)
            R.output(y)
        return y

    @R.function
    def out(x: R.Tensor((4, 8), "float32")):
        with R.dataflow():
            a = R.layout_transform(x, index_map=lambda i, j: (j, i))
            b = R.layout_transform(a, index_map=lambda i, j: (j, i))
            R.output(b)
        return b

    @R.function
    def shape_back(x: R.Tensor((4, 8), "float32")):
        with R.dataflow():
            a = R.layout_transform(x, index_map=lambda i, j: (i, j))
            b = R.layout_transform(a, index_map=lambda i, j: ((i * 8 + j) // 8, (i * 8 + j) % 8))
            y = R.exp(b)
            R.output(y)
        return y

    @R.function
    def padded(x: R.Tensor((14,), "float32")):
        with R.dataflow():
            a = R.layout_transform(x, index_map=T.index_map(lambda i: (i // 4, i % 4)), pad_value=0.0)
            b = R.layout_transform(a, index_map=lambda i, j: (i * 4 + j,))
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
    def other(x: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((8, 4), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((8, 4), dtype="float32") = R.layout_transform(x, index_map=T.index_map(lambda i, j: (j, i)), pad_value=None, axis_separators=[])
            b: R.Tensor((8, 4), dtype="float32") = R.layout_transform(a, index_map=T.index_map(lambda i, j: (i, j)), pad_value=None, axis_separators=[])
            y: R.Tensor((8, 4), dtype="float32") = R.exp(b)
            R.output(y)
        return y

    @R.function
    def out(x: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        return x

    @R.function
    def padded(x: R.Tensor((14,), dtype="float32")) -> R.Tensor((16,), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((4, 4), dtype="float32") = R.layout_transform(x, index_map=T.index_map(lambda i: (i // 4, i % 4)), pad_value=R.prim_value(T.float32(0)), axis_separators=[])
            b: R.Tensor((16,), dtype="float32") = R.layout_transform(a, index_map=T.index_map(lambda i, j: (i * 4 + j,)), pad_value=None, axis_separators=[])
            y: R.Tensor((16,), dtype="float32") = R.exp(b)
            R.output(y)
        return y

    @R.function
    def same(x: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        with R.dataflow():
            y: R.Tensor((4, 8), dtype="float32") = R.exp(x)
            R.output(y)
        return y

    @R.function
    def shape_back(x: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        with R.dataflow():
            y: R.Tensor((4, 8), dtype="float32") = R.exp(x)
            R.output(y)
        return y

    @R.function
    def undo(x: R.Tensor((16,), dtype="float32")) -> R.Tensor((16,), dtype="float32"):
        with R.dataflow():
            y: R.Tensor((16,), dtype="float32") = R.exp(x)
            R.output(y)
        return y
