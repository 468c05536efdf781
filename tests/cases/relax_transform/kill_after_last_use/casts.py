# pass: relax.KillAfterLastUse
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n", 4), "float32")):
        k = T.int64()
        a = R.call_packed("f", x, sinfo_args=R.Tensor(ndim=2))
        b = R.match_cast(a, R.Tensor((k, 4), "float32"))
        c = R.call_packed("f", b, sinfo_args=R.Tensor(ndim=2))
        return c

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(ndim=2):
        n = T.int64()
        k = T.int64()
        a: R.Tensor(ndim=2) = R.call_packed("f", x, sinfo_args=(R.Tensor(ndim=2),))
        b: R.Tensor((k, 4), dtype="float32") = R.match_cast(a, R.Tensor((k, 4), dtype="float32"))
        R.memory.kill_tensor(a)
        c: R.Tensor(ndim=2) = R.call_packed("f", b, sinfo_args=(R.Tensor(ndim=2),))
        R.memory.kill_tensor(b)
        return c
