# pass: relax.KillAfterLastUse
# tuples, their items and objects
@I.ir_module
class Module:
    @R.function(private=True)
    def helper(x: R.Tensor((3,), "float32")) -> R.Tuple(R.Tensor((3,), "float32"), R.Tensor((3,), "float32")):
        return (x, x)
    @R.function(pure=False)
    def main(x: R.Tensor((3,), "float32"), b: R.Tensor((), "bool"), o: R.Object, tt: R.Tuple(R.Object, R.Object)):
        cls = Module
        t = cls.helper(x)
        a = t[0]
        d = (a, x)
        e = R.call_packed("h", d, sinfo_args=(R.Object,))
        e2 = R.match_cast(o, R.Tuple(R.Object, R.Object))
        e3 = e2[0]
        e4 = R.call_packed("h", e3, sinfo_args=(R.Object,))
        q = tt[0]
        q2 = R.call_packed("h", q, sinfo_args=(R.Object,))
        c = R.make_closure(cls.helper, (x,))
        z = R.invoke_closure(c, (x,), sinfo_args=(R.Tensor,))
        y = R.call_packed("h", z, e, q2, sinfo_args=(R.Tuple,))
        u = R.null_value()
        w = R.call_packed("h", u, sinfo_args=(R.Tuple(R.Tensor((3,), "float32"), R.Shape(ndim=1)),))
        w1 = w[1]
        w2 = w[0]
        w3 = R.call_packed("h", w1, w2, sinfo_args=(R.Tuple,))
        return x

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def helper(x: R.Tensor((3,), dtype="float32")) -> R.Tuple(R.Tensor((3,), dtype="float32"), R.Tensor((3,), dtype="float32")):
        return (x, x)

    @R.function(pure=False)
    def main(x: R.Tensor((3,), dtype="float32"), b: R.Tensor((), dtype="bool"), o: R.Object, tt: R.Tuple(R.Object, R.Object)) -> R.Tensor((3,), dtype="float32"):
        cls = Module
        t: R.Tuple(R.Tensor((3,), dtype="float32"), R.Tensor((3,), dtype="float32")) = cls.helper(x)
        a: R.Tensor((3,), dtype="float32") = t[0]
        R.vm.kill_object(t)
        d: R.Tuple(R.Tensor((3,), dtype="float32"), R.Tensor((3,), dtype="float32")) = a, x
        R.memory.kill_tensor(a)
        e: R.Object = R.call_packed("h", d, sinfo_args=(R.Object,))
        R.vm.kill_object(d)
        e2: R.Tuple(R.Object, R.Object) = R.match_cast(o, R.Tuple(R.Object, R.Object))
        e3: R.Object = e2[0]
        R.vm.kill_object(e2)
        e4: R.Object = R.call_packed("h", e3, sinfo_args=(R.Object,))
        R.vm.kill_object(e3)
        q: R.Object = tt[0]
        q2: R.Object = R.call_packed("h", q, sinfo_args=(R.Object,))
        R.vm.kill_object(q)
        c: R.Object = R.make_closure(cls.helper, (x,))
        z: R.Tensor = R.invoke_closure(c, (x,), sinfo_args=(R.Tensor,))
        R.vm.kill_object(c)
        R.call_packed("h", z, e, q2, sinfo_args=(R.Tuple,))
        R.memory.kill_tensor(z)
        R.vm.kill_object(e)
        R.vm.kill_object(q2)
        u: R.Object = R.null_value()
        w: R.Tuple(R.Tensor((3,), dtype="float32"), R.Shape(ndim=1)) = R.call_packed("h", u, sinfo_args=(R.Tuple(R.Tensor((3,), dtype="float32"), R.Shape(ndim=1)),))
        R.vm.kill_object(u)
        w1: R.Shape(ndim=1) = w[1]
        w2: R.Tensor((3,), dtype="float32") = w[0]
        R.vm.kill_object(w)
        R.call_packed("h", w1, w2, sinfo_args=(R.Tuple,))
        R.memory.kill_tensor(w2)
        return x
