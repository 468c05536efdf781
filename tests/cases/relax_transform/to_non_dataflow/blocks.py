# pass: relax.ToNonDataflow
@I.ir_module
class Module:

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            y = R.exp(x)
            z = R.exp(y)
            R.output(z)
        w = R.add(z, z)
        with R.dataflow():
            v = R.add(w, z)
            R.output(v)
        return v

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        y: R.Tensor((4,), dtype="float32") = R.exp(x)
        z: R.Tensor((4,), dtype="float32") = R.exp(y)
        w: R.Tensor((4,), dtype="float32") = R.add(z, z)
        v: R.Tensor((4,), dtype="float32") = R.add(w, z)
        return v
