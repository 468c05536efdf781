# pass: relax.ReorderPermuteDimsAfterConcat
# differs from TVM: it makes the variables of the block plain ones
# A permutation of a dataflow block is not reordered with a concatenation behind it.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.permute_dims(a)
            R.output(b)
        c = R.concat((b, b), axis=0)
        return c

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((6, 2), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((2, 3), dtype="float32") = R.exp(x)
            b: R.Tensor((3, 2), dtype="float32") = R.permute_dims(a, axes=None)
            R.output(b)
        c: R.Tensor((6, 2), dtype="float32") = R.concat((b, b), axis=0)
        return c
