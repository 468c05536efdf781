# pass: tir.CombineContextCall
@T.prim_func
def main(n: T.int32):
    T.func_attr({"target": T.target("c")})
    for i in T.parallel(4):
        T.call_extern("int32", "f", T.Call("handle", "tir.tvm_thread_context", [T.call_extern("handle", "ctx")]), i)
    T.call_extern("int32", "f", T.Call("handle", "tir.tvm_thread_context", [T.call_extern("handle", "ctx")]), n)

# after
# from tvm.script import tir as T

@T.prim_func
def main(n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    ctx_cache_: T.handle = T.call_extern("handle", "ctx")
    with T.LetStmt(T.call_extern("handle", "ctx")) as ctx_cache__1:
        for i in T.parallel(4):
            T.call_extern("int32", "f", ctx_cache__1, i)
    T.call_extern("int32", "f", ctx_cache_, n)
