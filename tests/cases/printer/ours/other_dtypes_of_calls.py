# from tvm.script import tir as T

@T.prim_func(private=True)
def main(f: T.float32):
    T.Call("void", "tir.tvm_call_packed", ["f"])
    T.Call("float32", "tir.isinf", [f])
    T.Call("float64", "tir.exp", [f])
    T.Call("float32", "tir.exp", [f, f])
    T.Call("float32", "tir.prefetch", [f])
    T.Call("int32", "tir.reinterpret", [T.Cast("float64", f)])
