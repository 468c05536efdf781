# pass: relax.LambdaLift
# differs from TVM: it leaves sizes of the outer function undefined
# Sizes that only bodies use are passed on as a shape, also to the function itself and to those inside it.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")):
        n = T.int64()
        m = T.int64()
        @R.function
        def rec(y: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor(("n",), "float32"):
            @R.function
            def innermost(v: R.Tensor((4,), "float32")) -> R.Tensor(("n", "m"), "float32"):
                z = R.ones(R.shape([n, m]), "float32")
                return z
            if c:
                w = rec(y, c)
            else:
                q = innermost(y)
                w = R.sum(q, axis=1)
            return w
        gv1 = R.zeros(R.shape([4]), "float32")
        gv = rec(gv1, R.const(False))
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def main_innermost(v: R.Tensor((4,), dtype="float32"), sizes: R.Shape(["n", "m"])) -> R.Tensor(("n", "m"), dtype="float32"):
        n = T.int64()
        m = T.int64()
        z: R.Tensor((n, m), dtype="float32") = R.ones(R.shape([n, m]), dtype="float32")
        return z

    @R.function(private=True)
    def main_rec(y: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool"), sizes: R.Shape(["n", "m"])) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        m = T.int64()
        cls = Module
        innermost: R.Object = R.make_closure(cls.main_innermost, (R.shape([n, m]),))
        if c:
            w_then: R.Tensor((n,), dtype="float32") = cls.main_rec(y, c, sizes)
            w: R.Tensor(dtype="float32", ndim=1) = w_then
        else:
            q: R.Tensor(dtype="float32", ndim=2) = R.invoke_pure_closure(innermost, (y,), sinfo_args=(R.Tensor(dtype="float32", ndim=2),))
            w_else: R.Tensor(dtype="float32", ndim=1) = R.sum(q, axis=[1], keepdims=False)
            w: R.Tensor(dtype="float32", ndim=1) = w_else
        return w

    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Tensor(dtype="float32", ndim=1):
        n = T.int64()
        m = T.int64()
        cls = Module
        rec: R.Object = R.make_closure(cls.main_rec, (R.shape([n, m]),))
        gv1: R.Tensor((4,), dtype="float32") = R.zeros(R.shape([4]), dtype="float32")
        gv: R.Tensor(dtype="float32", ndim=1) = R.invoke_pure_closure(rec, (gv1, R.const(False, "bool")), sinfo_args=(R.Tensor(dtype="float32", ndim=1),))
        return gv
