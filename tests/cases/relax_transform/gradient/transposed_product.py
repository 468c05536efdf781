# pass: relax.Gradient("main")
# differs from TVM: TVM computes the transposed product as a product of transposes in the function itself, too
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((3, 2), "float32")):
        with R.dataflow():
            a = R.matmul(x, y)
            b = R.permute_dims(a, axes=[1, 0])
            c = R.sum(a)
            d = R.sum(b)
            e = R.add(c, d)
            R.output(e)
        return e

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main_adjoint(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((3, 2), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((3, 2), dtype="float32"))):
        with R.dataflow():
            a: R.Tensor((2, 2), dtype="float32") = R.matmul(x, y, out_dtype="void")
            b: R.Tensor((2, 2), dtype="float32") = R.permute_dims(a, axes=[1, 0])
            c: R.Tensor((), dtype="float32") = R.sum(a, axis=None, keepdims=False)
            d: R.Tensor((), dtype="float32") = R.sum(b, axis=None, keepdims=False)
            e: R.Tensor((), dtype="float32") = R.add(c, d)
            e_adjoint: R.Tensor((), dtype="float32") = R.ones(R.shape([]), dtype="float32")
            c_adjoint: R.Tensor((), dtype="float32") = e_adjoint
            d_adjoint: R.Tensor((), dtype="float32") = e_adjoint
            b_adjoint: R.Tensor((2, 2), dtype="float32") = R.broadcast_to(d_adjoint, R.shape([2, 2]))
            a_adjoint: R.Tensor((2, 2), dtype="float32") = R.broadcast_to(c_adjoint, R.shape([2, 2]))
            lv: R.Tensor((2, 2), dtype="float32") = R.permute_dims(b_adjoint, axes=[1, 0])
            a_adjoint1: R.Tensor((2, 2), dtype="float32") = R.add(a_adjoint, lv)
            lv1: R.Tensor((2, 3), dtype="float32") = R.permute_dims(y, axes=[1, 0])
            lv2: R.Tensor((3, 2), dtype="float32") = R.permute_dims(x, axes=[1, 0])
            x_adjoint: R.Tensor((2, 3), dtype="float32") = R.matmul(a_adjoint1, lv1, out_dtype="void")
            y_adjoint: R.Tensor((3, 2), dtype="float32") = R.matmul(lv2, a_adjoint1, out_dtype="void")
            x_adjoint_out: R.Tensor((2, 3), dtype="float32") = x_adjoint
            y_adjoint_out: R.Tensor((3, 2), dtype="float32") = y_adjoint
            R.output(e, x_adjoint_out, y_adjoint_out)
        return (e, (x_adjoint_out, y_adjoint_out))

    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((3, 2), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((2, 2), dtype="float32") = R.matmul(x, y, out_dtype="void")
            b: R.Tensor((2, 2), dtype="float32") = R.permute_dims(a, axes=[1, 0])
            c: R.Tensor((), dtype="float32") = R.sum(a, axis=None, keepdims=False)
            d: R.Tensor((), dtype="float32") = R.sum(b, axis=None, keepdims=False)
            e: R.Tensor((), dtype="float32") = R.add(c, d)
            R.output(e)
        return e
