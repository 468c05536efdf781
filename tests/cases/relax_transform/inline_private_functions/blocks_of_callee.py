# pass: relax.InlinePrivateFunctions
# differs from TVM: TVM puts bindings of the inlined function's plain blocks before the dataflow block of the call
@I.ir_module
class Module:
    @R.function(private=True)
    def helper(p: R.Tensor((1, 3), "float32")):
        h0 = R.nn.log_softmax(p, axis=-1)
        with R.dataflow():
            h1 = R.tanh(p)
            R.output(h1)
        return (h0, h1)

    @R.function
    def main(x: R.Tensor((1, 3), "float32")):
        cls = Module
        v = cls.helper(x)
        with R.dataflow():
            v0 = v[0]
            w = cls.helper(v0)
            w0 = w[0]
            z = R.permute_dims(w0, axes=[1, 0])
            R.output(z)
        return z

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3), dtype="float32")) -> R.Tensor((3, 1), dtype="float32"):
        h0: R.Tensor((1, 3), dtype="float32") = R.nn.log_softmax(x, axis=-1)
        with R.dataflow():
            h0_1: R.Tensor((1, 3), dtype="float32") = R.nn.log_softmax(h0, axis=-1)
            z: R.Tensor((3, 1), dtype="float32") = R.permute_dims(h0_1, axes=[1, 0])
            R.output(z)
        return z
