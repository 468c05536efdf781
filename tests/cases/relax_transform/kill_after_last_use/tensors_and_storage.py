# pass: relax.KillAfterLastUse
@I.ir_module
class Module:

    @R.function
    def main(x: R.Tensor((100,), "float32")):
        R.func_attr({"relax.force_pure": 1})
        storage = R.memory.alloc_storage(R.shape([400]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        other = R.memory.alloc_storage(R.shape([400]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([100]), R.dtype("float32"))
        a_call = R.call_packed("f", x, a)
        b = a
        c = R.memory.alloc_tensor(other, R.prim_value(0), R.shape([100]), R.dtype("float32"))
        c_call = R.call_packed("f", b, c)
        t = (c, b)
        d = t[0]
        e = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([100]), R.dtype("float32"))
        e_call = R.call_packed("f", d, e)
        g = R.call_packed("g", e, c, sinfo_args=R.Tensor((100,), "float32"))
        h = R.call_packed("g", g, x, sinfo_args=R.Tensor((100,), "float32"))
        return (h, x)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((100,), dtype="float32")) -> R.Tuple(R.Tensor((100,), dtype="float32"), R.Tensor((100,), dtype="float32")):
        R.func_attr({"relax.force_pure": 1})
        storage: R.Object = R.memory.alloc_storage(R.shape([400]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        other: R.Object = R.memory.alloc_storage(R.shape([400]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a: R.Tensor((100,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([100]), R.dtype("float32"))
        a_call: R.Object = R.call_packed("f", x, a)
        c: R.Tensor((100,), dtype="float32") = R.memory.alloc_tensor(other, R.prim_value(0), R.shape([100]), R.dtype("float32"))
        R.memory.kill_storage(other)
        c_call: R.Object = R.call_packed("f", a, c)
        t: R.Tuple(R.Tensor((100,), dtype="float32"), R.Tensor((100,), dtype="float32")) = c, a
        R.memory.kill_tensor(a)
        e: R.Tensor((100,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([100]), R.dtype("float32"))
        R.memory.kill_storage(storage)
        e_call: R.Object = R.call_packed("f", c, e)
        g: R.Tensor((100,), dtype="float32") = R.call_packed("g", e, c, sinfo_args=(R.Tensor((100,), dtype="float32"),))
        R.memory.kill_tensor(c)
        R.memory.kill_tensor(e)
        h: R.Tensor((100,), dtype="float32") = R.call_packed("g", g, x, sinfo_args=(R.Tensor((100,), dtype="float32"),))
        R.memory.kill_tensor(g)
        return (h, x)
