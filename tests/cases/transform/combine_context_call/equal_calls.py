# pass: tir.CombineContextCall
@T.prim_func
def main(n: T.int32):
    T.func_attr({"target": T.target("c")})
    for i in range(4):
        T.call_extern("int32", "f", T.Call("handle", "tir.tvm_thread_context", [T.call_extern("handle", "ctx")]), i)
    T.call_extern("int32", "f", T.Call("handle", "tir.tvm_thread_context", [T.call_extern("handle", "ctx")]), n)
    T.call_extern("int32", "f", T.Call("handle", "tir.tvm_thread_context", [T.call_extern("handle", "other")]), n)

# after
# from tvm.script import tir as T

@T.prim_func
def main(n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    ctx_cache_: T.handle = T.call_extern("handle", "ctx")
    ctx_cache__1: T.handle = T.call_extern("handle", "other")
    for i in range(4):
        T.call_extern("int32", "f", ctx_cache_, i)
    T.call_extern("int32", "f", ctx_cache_, n)
    T.call_extern("int32", "f", ctx_cache__1, n)
