# pass: relax.KillAfterLastUse
# differs from TVM: it ends no lifetimes behind a conditional
@I.ir_module
class Module:
    @R.function(private=True)
    def one(x: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
        return x
    @R.function(pure=False)
    def main(x: R.Tensor((3,), "float32"), b: R.Tensor((), "bool")):
        cls = Module
        p = cls.one(x)
        p1 = cls.one(p)
        if b:
            q = cls.one(p1)
            t = cls.one(q)
        else:
            t = cls.one(x)
        a = cls.one(t)
        c = cls.one(a)
        return c

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def one(x: R.Tensor((3,), dtype="float32")) -> R.Tensor((3,), dtype="float32"):
        return x

    @R.function(pure=False)
    def main(x: R.Tensor((3,), dtype="float32"), b: R.Tensor((), dtype="bool")) -> R.Tensor((3,), dtype="float32"):
        cls = Module
        p: R.Tensor((3,), dtype="float32") = cls.one(x)
        p1: R.Tensor((3,), dtype="float32") = cls.one(p)
        R.memory.kill_tensor(p)
        if b:
            q: R.Tensor((3,), dtype="float32") = cls.one(p1)
            t_then: R.Tensor((3,), dtype="float32") = cls.one(q)
            R.memory.kill_tensor(q)
            t: R.Tensor((3,), dtype="float32") = t_then
        else:
            t_else: R.Tensor((3,), dtype="float32") = cls.one(x)
            t: R.Tensor((3,), dtype="float32") = t_else
        R.memory.kill_tensor(p1)
        a: R.Tensor((3,), dtype="float32") = cls.one(t)
        R.memory.kill_tensor(t)
        c: R.Tensor((3,), dtype="float32") = cls.one(a)
        R.memory.kill_tensor(a)
        return c
