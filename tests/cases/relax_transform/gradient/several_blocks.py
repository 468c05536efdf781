# pass: relax.Gradient("main")
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,3),"float32")):
        with R.dataflow():
            gv0 = R.exp(x)
            R.output(gv0)
        with R.dataflow():
            gv = R.sum(gv0)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main_adjoint(x: R.Tensor((3, 3), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32"))):
        with R.dataflow():
            gv0: R.Tensor((3, 3), dtype="float32") = R.exp(x)
            gv: R.Tensor((), dtype="float32") = R.sum(gv0, axis=None, keepdims=False)
            gv_adjoint: R.Tensor((), dtype="float32") = R.ones(R.shape([]), dtype="float32")
            gv0_adjoint: R.Tensor((3, 3), dtype="float32") = R.broadcast_to(gv_adjoint, R.shape([3, 3]))
            x_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(gv0_adjoint, gv0)
            x_adjoint_out: R.Tensor((3, 3), dtype="float32") = x_adjoint
            R.output(gv0, gv, x_adjoint_out)
        return (gv, (x_adjoint_out,))

    @R.function
    def main(x: R.Tensor((3, 3), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            gv0: R.Tensor((3, 3), dtype="float32") = R.exp(x)
            gv: R.Tensor((), dtype="float32") = R.sum(gv0, axis=None, keepdims=False)
            R.output(gv0, gv)
        return gv
