# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(x: T.int32, g: T.float32, H: T.handle, A: T.Buffer((16,), "float32")):
    T.q_multiply_shift(x, x, 31, 1)
    T.evaluate(not (T.fabs(g) == T.float32("inf") and not T.isnan(g)) and not T.isnan(g))
    T.evaluate(T.fabs(g) == T.float32("inf") and not T.isnan(g))
    T.call_llvm_pure_intrin("float32", "llvm.sqrt", g)
    T.call_llvm_intrin("int32", "llvm.ctpop", x)
    T.fmod(g, g)
    T.type_annotation("float32")
    T.lookup_param("p")
    T.cuda.func_call("f", x, source_code="int f(int x) { return x; }", return_type="int32")
    T.evaluate(T.cuda.cvta_generic_to_shared(A.data) & T.uint32(4278190079))
    T.evaluate(A.data)
    T.call_ffi_kernel("k", A.data, launch_params=["threadIdx.x"], ret_ty="int32")
