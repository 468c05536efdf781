# pass: relax.RewriteDataflowReshape
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def reshape(var_x: T.handle, var_y: T.handle):
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(8)))
        y = T.match_buffer(var_y, (n * T.int64(8),))
        for ax0 in range(n * T.int64(8)):
            with T.block("y"):
                v_ax0 = T.axis.spatial(n * T.int64(8), ax0)
                y[v_ax0] = x[v_ax0 // T.int64(8) % n, v_ax0 % T.int64(8)]

    @R.function
    def main(x: R.Tensor(("n", 8), "float32")) -> R.Tensor(("n * 8",), "float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.reshape, (x,), R.Tensor((n * 8,), "float32"))
            gv = R.add(y, y)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def reshape(var_x: T.handle, var_y: T.handle):
        n = T.int64()
        x = T.match_buffer(var_x, (n, T.int64(8)))
        y = T.match_buffer(var_y, (n * T.int64(8),))
        # with T.block("root"):
        for ax0 in range(n * T.int64(8)):
            with T.block("y"):
                v_ax0 = T.axis.spatial(n * T.int64(8), ax0)
                T.reads(x[v_ax0 // T.int64(8) % n, v_ax0 % T.int64(8)])
                T.writes(y[v_ax0])
                y[v_ax0] = x[v_ax0 // T.int64(8) % n, v_ax0 % T.int64(8)]

    @R.function
    def main(x: R.Tensor(("n", 8), dtype="float32")) -> R.Tensor(("n * 8",), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            y: R.Tensor((n * 8,), dtype="float32") = R.reshape(x, R.shape([n * 8]))
            gv: R.Tensor((n * 8,), dtype="float32") = R.add(y, y)
            R.output(gv)
        return gv
