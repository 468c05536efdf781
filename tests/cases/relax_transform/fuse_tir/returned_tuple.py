# pass: relax.FuseTIR
# differs from TVM: relax.ExpandTupleArguments, which runs before, differs: TVM binds the returned tuple
@I.ir_module
class Module:
    @R.function(private=True)
    def helper(p: R.Tensor((1, 3), "float32"), t: R.Tuple(R.Tensor((1, 3), "float32"), R.Tensor((2, 3), "float32"))):
        h0 = R.exp(p)
        return (h0, h0)

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
    def helper(p: R.Tensor((1, 3), dtype="float32")) -> R.Tuple(R.Tensor((1, 3), dtype="float32"), R.Tensor((1, 3), dtype="float32")):
        h0: R.Tensor((1, 3), dtype="float32") = R.exp(p)
        return (h0, h0)

    @R.function
    def main(x: R.Tensor((1, 3), dtype="float32"), y: R.Tensor((2, 3), dtype="float32")) -> R.Tuple(R.Tensor((1, 3), dtype="float32"), R.Tensor((1, 3), dtype="float32")):
        cls = Module
        z: R.Tuple(R.Tensor((1, 3), dtype="float32"), R.Tensor((1, 3), dtype="float32")) = cls.helper(x)
        return z
