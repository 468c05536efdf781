# from tvm.script import tir as T

@T.prim_func(private=True)
def main(f: T.float32):
    T.call_llvm_pure_intrin("float32", "llvm.sqrt", T.uint32(1), f)
    T.call_llvm_intrin("float32", "llvm.fma", T.uint32(3), f, f, f)
