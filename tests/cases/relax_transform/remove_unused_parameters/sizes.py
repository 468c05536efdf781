# pass: relax.RemoveUnusedParameters
# differs from TVM: TVM infers R.Object for results whose sizes a scalar parameter defines
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), y: R.Tensor((4,), "float32")):
        n = T.int64()
        cls = Module
        z = cls.f(x, y)
        return z

    @R.function(private=True)
    def f(x: R.Tensor(("m", 8), "float32"), y: R.Tensor((4,), "float32")):
        m = T.int64()
        z = R.zeros(R.shape([m]), "float32")
        return (y, z)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f(y: R.Tensor((4,), dtype="float32"), param_m: R.Prim(value="m")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor(("m",), dtype="float32")):
        m = T.int64()
        z: R.Tensor((m,), dtype="float32") = R.zeros(R.shape([m]), dtype="float32")
        return (y, z)

    @R.function
    def main(x: R.Tensor(("n", 8), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor(("n",), dtype="float32")):
        n = T.int64()
        cls = Module
        z: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((n,), dtype="float32")) = cls.f(y, R.prim_value(n))
        return z
