@tvm.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((200,), "float32"), B: T.Buffer((16,), "uint8")):
        for i in range(16):
            A[T.Ramp(11, 2, 4 * tir.vscale())] = T.Broadcast(125, 4 * tir.vscale())
            B[i] = T.call_llvm_pure_intrin(T.llvm_lookup_intrinsic_id("llvm.ctpop.i8"), T.uint32(1), B[i], dtype="uint8")

# output
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((200,), "float32"), B: T.Buffer((16,), "uint8")):
        for i in range(16):
            A[11:11 + T.vscale() * 4 * 2:2] = T.Broadcast(T.float32(125), T.vscale() * 4)
            B[i] = T.call_llvm_pure_intrin("uint8", "llvm.ctpop", T.uint32(1), B[i])
