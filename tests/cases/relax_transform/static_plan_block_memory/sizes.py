# pass: relax.StaticPlanBlockMemory
@I.ir_module
class Module:

    @R.function
    def main(x: R.Tensor((100,), "float32")):
        R.func_attr({"relax.force_pure": 1})
        a_ = R.builtin.alloc_tensor(R.shape([100]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        a_call = R.call_packed("f", x, a_)
        a = a_
        b_ = R.builtin.alloc_tensor(R.shape([3]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        b_call = R.call_packed("f", a, b_)
        b = b_
        c_ = R.builtin.alloc_tensor(R.shape([200]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        c_call = R.call_packed("f", b, c_)
        c = c_
        d_ = R.builtin.alloc_tensor(R.shape([50]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        d_call = R.call_packed("f", c, d_)
        d = d_
        e_ = R.builtin.alloc_tensor(R.shape([150]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        e_call = R.call_packed("f", d, e_)
        e = e_
        g_ = R.builtin.alloc_tensor(R.shape([150]), R.dtype("float16"), R.prim_value(0), R.str("global"))
        g_call = R.call_packed("f", e, g_)
        g = g_
        h_ = R.builtin.alloc_tensor(R.shape([150]), R.dtype("float16"), R.prim_value(0), R.str("global"))
        h_call = R.call_packed("f", g, h_)
        h = h_
        i_ = R.builtin.alloc_tensor(R.shape([10000]), R.dtype("float16"), R.prim_value(0), R.str("global"))
        i_call = R.call_packed("f", h, i_)
        i = i_
        j_ = R.builtin.alloc_tensor(R.shape([150]), R.dtype("float16"), R.prim_value(0), R.str("global"))
        j_call = R.call_packed("f", i, j_)
        j = j_
        return j

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((100,), dtype="float32")) -> R.Tensor((150,), dtype="float16"):
        R.func_attr({"relax.force_pure": 1})
        storage: R.Object = R.memory.alloc_storage(R.shape([800]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a_: R.Tensor((100,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([100]), R.dtype("float32"))
        a_call: R.Object = R.call_packed("f", x, a_)
        a: R.Tensor((100,), dtype="float32") = a_
        storage1: R.Object = R.memory.alloc_storage(R.shape([200]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        b_: R.Tensor((3,), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([3]), R.dtype("float32"))
        b_call: R.Object = R.call_packed("f", a, b_)
        b: R.Tensor((3,), dtype="float32") = b_
        c_: R.Tensor((200,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([200]), R.dtype("float32"))
        c_call: R.Object = R.call_packed("f", b, c_)
        c: R.Tensor((200,), dtype="float32") = c_
        d_: R.Tensor((50,), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([50]), R.dtype("float32"))
        d_call: R.Object = R.call_packed("f", c, d_)
        d: R.Tensor((50,), dtype="float32") = d_
        e_: R.Tensor((150,), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([150]), R.dtype("float32"))
        e_call: R.Object = R.call_packed("f", d, e_)
        e: R.Tensor((150,), dtype="float32") = e_
        storage2: R.Object = R.memory.alloc_storage(R.shape([300]), R.prim_value(0), R.str("global"), R.dtype("float16"))
        g_: R.Tensor((150,), dtype="float16") = R.memory.alloc_tensor(storage2, R.prim_value(0), R.shape([150]), R.dtype("float16"))
        g_call: R.Object = R.call_packed("f", e, g_)
        g: R.Tensor((150,), dtype="float16") = g_
        storage3: R.Object = R.memory.alloc_storage(R.shape([300]), R.prim_value(0), R.str("global"), R.dtype("float16"))
        h_: R.Tensor((150,), dtype="float16") = R.memory.alloc_tensor(storage3, R.prim_value(0), R.shape([150]), R.dtype("float16"))
        h_call: R.Object = R.call_packed("f", g, h_)
        h: R.Tensor((150,), dtype="float16") = h_
        storage4: R.Object = R.memory.alloc_storage(R.shape([20000]), R.prim_value(0), R.str("global"), R.dtype("float16"))
        i_: R.Tensor((10000,), dtype="float16") = R.memory.alloc_tensor(storage4, R.prim_value(0), R.shape([10000]), R.dtype("float16"))
        i_call: R.Object = R.call_packed("f", h, i_)
        i: R.Tensor((10000,), dtype="float16") = i_
        j_: R.Tensor((150,), dtype="float16") = R.builtin.alloc_tensor(R.shape([150]), R.dtype("float16"), R.prim_value(0), R.str("global"))
        j_call: R.Object = R.call_packed("f", i, j_)
        j: R.Tensor((150,), dtype="float16") = j_
        return j
