# pass: tir.LegalizePackedCalls
# values: not compared: the interpreter has no C functions
# not well formed: addresses come from nowhere
@I.ir_module
class Module:
    @T.prim_func
    def f(A: T.handle, C: T.int32, device_context: T.handle) -> T.handle:
        A_0 = T.match_buffer(A, (8, 4), dtype="float32")
        T.evaluate(C)
    @T.prim_func
    def main(n: T.int32):
        A = T.handle()
        B = T.handle()
        C = T.handle()
        ctx = T.handle()
        T.evaluate(T.tvm_call_cpacked("f", A, n, ctx, dtype="int32"))

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def f(A_0: T.Buffer((8, 4), "float32"), C: T.int32, device_context: T.handle) -> T.handle:
        T.evaluate(C)

    @T.prim_func
    def main(n: T.int32):
        A = T.handle()  # tvmscript: A is undefined here
        ctx = T.handle()  # tvmscript: ctx is undefined here
        T.call_cpacked("f", T.tvm_stack_make_array(A, T.tvm_stack_make_shape(8, 4), T.reinterpret("handle", T.uint64(0)), T.uint32(2), T.Cast("float32", 0), 0), n, ctx)
