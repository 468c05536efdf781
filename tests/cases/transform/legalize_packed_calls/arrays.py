# pass: tir.LegalizePackedCalls
# values: not compared: the interpreter has no C functions
# not well formed: addresses come from nowhere
@I.ir_module
class Module:
    @T.prim_func
    def f(A: T.handle, B: T.handle, C: T.handle, device_context: T.handle) -> T.handle:
        A_0 = T.match_buffer(A, (1,), dtype="float32")
        B_0 = T.match_buffer(B, (1, 4), dtype="int8")
        C_0 = T.match_buffer(C, (1,), dtype="float16")
        T.evaluate(C)
    @T.prim_func
    def main(n: T.int32):
        A = T.handle()
        B = T.handle()
        C = T.handle()
        ctx = T.handle()
        T.evaluate(T.tvm_call_cpacked("f", A, B, C, ctx, dtype="int32"))

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def f(A_0: T.Buffer((1,), "float32"), B_0: T.Buffer((1, 4), "int8"), C: T.handle, device_context: T.handle) -> T.handle:
        C_0 = T.match_buffer(C, (1,), "float16")
        T.evaluate(C)

    @T.prim_func
    def main(n: T.int32):
        A = T.handle()  # tvmscript: A is undefined here
        B = T.handle()  # tvmscript: B is undefined here
        C = T.handle()  # tvmscript: C is undefined here
        ctx = T.handle()  # tvmscript: ctx is undefined here
        T.call_cpacked("f", T.tvm_stack_make_array(A, T.tvm_stack_make_shape(1), T.reinterpret("handle", T.uint64(0)), T.uint32(1), T.Cast("float32", 0), 0), T.tvm_stack_make_array(B, T.tvm_stack_make_shape(1, 4), T.reinterpret("handle", T.uint64(0)), T.uint32(2), T.Cast("int8", 0), 0), T.tvm_stack_make_array(C, T.tvm_stack_make_shape(1), T.reinterpret("handle", T.uint64(0)), T.uint32(1), T.Cast("float16", 0), 0), ctx)
