# pass: relax.ComputePrimValue
# Scalars in calls, as values and as conditions; constants, variables and extents of shapes stay.
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), "float32"), m: R.Prim(value="k")):
        n = T.int64()
        k = T.int64()
        a = R.call_packed("f", x, R.prim_value(n * 2), R.prim_value(n * 2), R.prim_value(k), R.prim_value(3), R.shape([n + 1]), sinfo_args=R.Object)
        b = R.prim_value(n * k + 1)
        if R.prim_value(n * 2 < 4 and k > 1):
            u = R.call_packed("f", x, R.prim_value(n + 2), b, sinfo_args=R.Object)
        else:
            u = R.call_packed("f", a, sinfo_args=R.Object)
        return u

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def compute_symbolic_expr(n: T.int64) -> T.int64:
        return n * T.int64(2)

    @T.prim_func(private=True)
    def compute_symbolic_expr1(n: T.int64, k: T.int64) -> T.int64:
        return n * k + T.int64(1)

    @T.prim_func(private=True)
    def compute_symbolic_expr2(n: T.int64, k: T.int64) -> T.bool:
        return n * T.int64(2) < T.int64(4) and k > T.int64(1)

    @T.prim_func(private=True)
    def compute_symbolic_expr3(n: T.int64) -> T.int64:
        return n + T.int64(2)

    @R.function(pure=False)
    def main(x: R.Tensor(("n",), dtype="float32"), m: R.Prim(value="k")) -> R.Object:
        n = T.int64()
        k = T.int64()
        cls = Module
        gv: R.Prim("int64") = cls.compute_symbolic_expr(R.prim_value(n))
        gv1: R.Prim("int64") = cls.compute_symbolic_expr(R.prim_value(n))
        a: R.Object = R.call_packed("f", x, gv, gv1, R.prim_value(k), R.prim_value(3), R.shape([n + 1]), sinfo_args=(R.Object,))
        b: R.Prim("int64") = cls.compute_symbolic_expr1(R.prim_value(n), R.prim_value(k))
        gv3: R.Prim("bool") = cls.compute_symbolic_expr2(R.prim_value(n), R.prim_value(k))
        if gv3:
            gv2: R.Prim("int64") = cls.compute_symbolic_expr3(R.prim_value(n))
            u_then: R.Object = R.call_packed("f", x, gv2, b, sinfo_args=(R.Object,))
            u: R.Object = u_then
        else:
            u_else: R.Object = R.call_packed("f", a, sinfo_args=(R.Object,))
            u: R.Object = u_else
        return u
