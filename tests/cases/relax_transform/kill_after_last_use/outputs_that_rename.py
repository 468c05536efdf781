# pass: relax.KillAfterLastUse
# a tensor lives as long as the output of its dataflow block that renames it, or a cast that changes nothing
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
        with R.dataflow():
            a = R.exp(x)
            b = a
            c = R.exp(a)
            R.output(b, c)
        d = R.match_cast(b, R.Tensor((3,), "float32"))
        e = R.add(d, c)
        f = R.exp(e)
        return f

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((3,), dtype="float32")) -> R.Tensor((3,), dtype="float32"):
        with R.dataflow():
            b: R.Tensor((3,), dtype="float32") = R.exp(x)
            c: R.Tensor((3,), dtype="float32") = R.exp(b)
            R.output(b, c)
        e: R.Tensor((3,), dtype="float32") = R.add(b, c)
        R.memory.kill_tensor(b)
        R.memory.kill_tensor(c)
        f: R.Tensor((3,), dtype="float32") = R.exp(e)
        R.memory.kill_tensor(e)
        return f
