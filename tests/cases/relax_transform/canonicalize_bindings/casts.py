# pass: relax.CanonicalizeBindings
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 3), "float32"), z: R.Tensor((2, 3), "float32"), s: R.Shape(["n", "m"])):
        n = T.int64()
        m = T.int64()
        k = T.int64()
        j = T.int64()
        gv = R.match_cast(x, R.Tensor((n, k), "float32"))
        gv1: R.Tensor((n, k), "float32") = R.add(gv, gv)
        gv2 = R.zeros(R.shape([k]), "float32")
        gv3 = R.match_cast(z, R.Tensor((j, 3), "float32"))
        gv4 = R.zeros(R.shape([j, k + 1]), "float32")
        gv5 = R.match_cast(x, R.Tensor((m, 3), "float32"))
        gv6 = R.zeros(R.shape([m]), "float32")
        gv7 = R.match_cast(x, R.Tensor((n, 3), "float32"))
        gv8 = R.exp(gv7)
        return (gv1, gv2, gv4, gv6, gv8)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 3), dtype="float32"), z: R.Tensor((2, 3), dtype="float32"), s: R.Shape(["n", "m"])) -> R.Tuple(R.Tensor(dtype="float32", ndim=2), R.Tensor(dtype="float32", ndim=1), R.Tensor(dtype="float32", ndim=2), R.Tensor(("m",), dtype="float32"), R.Tensor(("n", 3), dtype="float32")):
        m = T.int64()
        n = T.int64()
        k = T.int64()
        j = T.int64()
        gv: R.Tensor((n, k), dtype="float32") = R.match_cast(x, R.Tensor((n, k), dtype="float32"))
        gv1: R.Tensor((n, k), dtype="float32") = R.add(gv, gv)
        gv2: R.Tensor((k,), dtype="float32") = R.zeros(R.shape([k]), dtype="float32")
        gv3: R.Tensor((j, 3), dtype="float32") = R.match_cast(z, R.Tensor((j, 3), dtype="float32"))
        gv4: R.Tensor((j, k + 1), dtype="float32") = R.zeros(R.shape([j, k + 1]), dtype="float32")
        gv5: R.Tensor((m, 3), dtype="float32") = R.match_cast(x, R.Tensor((m, 3), dtype="float32"))
        gv6: R.Tensor((m,), dtype="float32") = R.zeros(R.shape([m]), dtype="float32")
        gv8: R.Tensor((n, 3), dtype="float32") = R.exp(x)
        return (gv1, gv2, gv4, gv6, gv8)
