# pass: relax.Gradient("main")
# Values between the marks are computed again.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,3),"float32"), y: R.Tensor((3,3),"float32"), z: R.Tensor((3,3),"float32"), u: R.Tensor((3,3),"float32"), v: R.Tensor((3,3),"float32")):
        with R.dataflow():
            x_scp = R.grad.start_checkpoint(x)
            y_scp = R.grad.start_checkpoint(y)
            z_scp = R.grad.start_checkpoint(z)
            lv1 = R.multiply(x_scp, y_scp)
            lv1_ecp = R.grad.end_checkpoint(lv1)
            u_scp = R.grad.start_checkpoint(u)
            v_scp = R.grad.start_checkpoint(v)
            lv2 = R.multiply(u_scp, v_scp)
            lv3 = R.multiply(lv2, lv1_ecp)
            lv3_ecp = R.grad.end_checkpoint(lv3)
            lv4 = R.multiply(lv3_ecp, z_scp)
            lv5 = R.exp(lv4)
            lv5_ecp = R.grad.end_checkpoint(lv5)
            gv = R.sum(lv5_ecp)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main_adjoint(x: R.Tensor((3, 3), dtype="float32"), y: R.Tensor((3, 3), dtype="float32"), z: R.Tensor((3, 3), dtype="float32"), u: R.Tensor((3, 3), dtype="float32"), v: R.Tensor((3, 3), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tuple(R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32"), R.Tensor((3, 3), dtype="float32"))):
        with R.dataflow():
            lv1: R.Tensor((3, 3), dtype="float32") = R.multiply(x, y)
            lv2: R.Tensor((3, 3), dtype="float32") = R.multiply(u, v)
            lv3: R.Tensor((3, 3), dtype="float32") = R.multiply(lv2, lv1)
            lv4: R.Tensor((3, 3), dtype="float32") = R.multiply(lv3, z)
            lv5: R.Tensor((3, 3), dtype="float32") = R.exp(lv4)
            gv: R.Tensor((), dtype="float32") = R.sum(lv5, axis=None, keepdims=False)
            gv_adjoint: R.Tensor((), dtype="float32") = R.ones(R.shape([]), dtype="float32")
            lv2_cp: R.Tensor((3, 3), dtype="float32") = R.multiply(u, v)
            lv1_cp: R.Tensor((3, 3), dtype="float32") = R.multiply(x, y)
            lv3_cp: R.Tensor((3, 3), dtype="float32") = R.multiply(lv2_cp, lv1_cp)
            lv4_cp: R.Tensor((3, 3), dtype="float32") = R.multiply(lv3_cp, z)
            lv5_cp: R.Tensor((3, 3), dtype="float32") = R.exp(lv4_cp)
            lv5_adjoint: R.Tensor((3, 3), dtype="float32") = R.broadcast_to(gv_adjoint, R.shape([3, 3]))
            lv4_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv5_adjoint, lv5_cp)
            lv3_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv4_adjoint, z)
            z_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv4_adjoint, lv3_cp)
            lv2_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv3_adjoint, lv1_cp)
            lv1_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv3_adjoint, lv2_cp)
            u_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv2_adjoint, v)
            v_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv2_adjoint, u)
            x_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv1_adjoint, y)
            y_adjoint: R.Tensor((3, 3), dtype="float32") = R.multiply(lv1_adjoint, x)
            x_adjoint_out: R.Tensor((3, 3), dtype="float32") = x_adjoint
            y_adjoint_out: R.Tensor((3, 3), dtype="float32") = y_adjoint
            z_adjoint_out: R.Tensor((3, 3), dtype="float32") = z_adjoint
            u_adjoint_out: R.Tensor((3, 3), dtype="float32") = u_adjoint
            v_adjoint_out: R.Tensor((3, 3), dtype="float32") = v_adjoint
            R.output(gv, x_adjoint_out, y_adjoint_out, z_adjoint_out, u_adjoint_out, v_adjoint_out)
        return (gv, (x_adjoint_out, y_adjoint_out, z_adjoint_out, u_adjoint_out, v_adjoint_out))

    @R.function
    def main(x: R.Tensor((3, 3), dtype="float32"), y: R.Tensor((3, 3), dtype="float32"), z: R.Tensor((3, 3), dtype="float32"), u: R.Tensor((3, 3), dtype="float32"), v: R.Tensor((3, 3), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            x_scp: R.Tensor((3, 3), dtype="float32") = R.grad.start_checkpoint(x)
            y_scp: R.Tensor((3, 3), dtype="float32") = R.grad.start_checkpoint(y)
            z_scp: R.Tensor((3, 3), dtype="float32") = R.grad.start_checkpoint(z)
            lv1: R.Tensor((3, 3), dtype="float32") = R.multiply(x_scp, y_scp)
            lv1_ecp: R.Tensor((3, 3), dtype="float32") = R.grad.end_checkpoint(lv1)
            u_scp: R.Tensor((3, 3), dtype="float32") = R.grad.start_checkpoint(u)
            v_scp: R.Tensor((3, 3), dtype="float32") = R.grad.start_checkpoint(v)
            lv2: R.Tensor((3, 3), dtype="float32") = R.multiply(u_scp, v_scp)
            lv3: R.Tensor((3, 3), dtype="float32") = R.multiply(lv2, lv1_ecp)
            lv3_ecp: R.Tensor((3, 3), dtype="float32") = R.grad.end_checkpoint(lv3)
            lv4: R.Tensor((3, 3), dtype="float32") = R.multiply(lv3_ecp, z_scp)
            lv5: R.Tensor((3, 3), dtype="float32") = R.exp(lv4)
            lv5_ecp: R.Tensor((3, 3), dtype="float32") = R.grad.end_checkpoint(lv5)
            gv: R.Tensor((), dtype="float32") = R.sum(lv5_ecp, axis=None, keepdims=False)
            R.output(gv)
        return gv
