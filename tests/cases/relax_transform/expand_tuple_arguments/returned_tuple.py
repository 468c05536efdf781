# pass: relax.ExpandTupleArguments
# differs from TVM: TVM binds the returned tuple to gv2: it flattens the old body inside of the new one
@I.ir_module
class Module:
    @R.function(private=True)
    def helper(p: R.Tensor((1, 3), "float32"), t: R.Tuple(R.Tensor((1, 3), "float32"), R.Tensor((2, 3), "float32"))):
        h0 = R.nn.log_softmax(p, axis=-1)
        h1 = R.tanh(p)
        return (h0, h1)

    @R.function
    def main(x: R.Tensor((1, 3), "float32"), y: R.Tensor((2, 3), "float32")):
        cls = Module
        z = cls.helper(x, (x, y))
        return z

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def helper(p: R.Tensor((1, 3), dtype="float32"), t_0: R.Tensor((1, 3), dtype="float32"), t_1: R.Tensor((2, 3), dtype="float32")) -> R.Tuple(R.Tensor((1, 3), dtype="float32"), R.Tensor((1, 3), dtype="float32")):
        h0: R.Tensor((1, 3), dtype="float32") = R.nn.log_softmax(p, axis=-1)
        h1: R.Tensor((1, 3), dtype="float32") = R.tanh(p)
        return (h0, h1)

    @R.function
    def main(x: R.Tensor((1, 3), dtype="float32"), y: R.Tensor((2, 3), dtype="float32")) -> R.Tuple(R.Tensor((1, 3), dtype="float32"), R.Tensor((1, 3), dtype="float32")):
        cls = Module
        z: R.Tuple(R.Tensor((1, 3), dtype="float32"), R.Tensor((1, 3), dtype="float32")) = cls.helper(x, x, y)
        return z
