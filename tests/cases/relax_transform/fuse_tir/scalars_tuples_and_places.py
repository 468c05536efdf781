# pass: relax.FuseTIR
# differs from TVM: it reads no scalar parameter that has a name beside a shape
# Parameters of a public function that are a tuple, a scalar and a shape; a kernel that writes into its argument.
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def scale(x: T.Buffer((T.int64(4),), "float32"), k: T.int64, y: T.Buffer((T.int64(4),), "float32")):
        for i in range(T.int64(4)):
            with T.block("scale"):
                vi = T.axis.spatial(T.int64(4), i)
                y[vi] = x[vi] * T.Cast("float32", k)

    @T.prim_func(private=True)
    def shift(x: T.Buffer((T.int64(4),), "float32"), z: T.Buffer((T.int64(4),), "float32"), n: T.int64):
        for i in range(T.int64(4)):
            with T.block("shift"):
                vi = T.axis.spatial(T.int64(4), i)
                z[vi] = z[vi] + x[vi] + T.Cast("float32", n)

    @R.function
    def fused(p: R.Tuple(R.Tensor((4,), "float32"), R.Tuple(R.Tensor((4,), "float32"), R.Tensor((8,), "float32"))), k: R.Prim(value="k"), s: R.Shape(["n"])):
        k_1 = T.int64()
        n = T.int64()
        R.func_attr({"Primitive": 1})
        cls = Module
        with R.dataflow():
            lv0 = p[1]
            lv = lv0[0]
            lv1 = R.call_tir(cls.scale, (lv, k), out_sinfo=R.Tensor((4,), "float32"))
            lv2 = p[0]
            gv = R.call_tir_inplace(cls.shift, (lv2, lv1), inplace_indices=[1], out_sinfo=R.Tensor((4,), "float32"), tir_vars=R.shape([n]))
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor((4,), "float32"), w: R.Tensor((8,), "float32"), y: R.Tensor((4,), "float32"), k: R.Prim(value="k"), s: R.Shape(["n"])):
        cls = Module
        p = (x, (y, w))
        gv = cls.fused(p, k, s)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def fused(p_0: T.Buffer((T.int64(4),), "float32"), p_1_0: T.Buffer((T.int64(4),), "float32"), p_1_1: T.Buffer((T.int64(8),), "float32"), y_intermediate: T.Buffer((T.int64(4),), "float32"), k: T.int64, n: T.int64):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i in range(T.int64(4)):
            with T.block("scale"):
                vi = T.axis.spatial(T.int64(4), i)
                T.reads(p_1_0[vi])
                T.writes(y_intermediate[vi])
                y_intermediate[vi] = p_1_0[vi] * T.Cast("float32", k)
        for i in range(T.int64(4)):
            with T.block("shift"):
                vi = T.axis.spatial(T.int64(4), i)
                T.reads(y_intermediate[vi], p_0[vi])
                T.writes(y_intermediate[vi])
                y_intermediate[vi] = y_intermediate[vi] + p_0[vi] + T.Cast("float32", n)

    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), w: R.Tensor((8,), dtype="float32"), y: R.Tensor((4,), dtype="float32"), k_1: R.Prim(value="k"), s: R.Shape(["n"])) -> R.Tensor((4,), dtype="float32"):
        k = T.int64()
        n = T.int64()
        cls = Module
        p: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((8,), dtype="float32"))) = x, (y, w)
        gv: R.Tensor((4,), dtype="float32") = p[0]
        gv1: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((8,), dtype="float32")) = p[1]
        gv2: R.Tensor((4,), dtype="float32") = gv1[0]
        gv3: R.Tensor((8,), dtype="float32") = gv1[1]
        gv_1 = R.call_tir(cls.fused, (gv, gv2, gv3), out_sinfo=R.Tensor((4,), dtype="float32"), tir_vars=R.shape([k, n]))
        return gv_1
