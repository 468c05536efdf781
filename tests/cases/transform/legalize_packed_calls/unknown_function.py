# pass: tir.LegalizePackedCalls
# values: not compared: the interpreter has no C functions
# differs from TVM: it refuses functions of other modules
@T.prim_func
def main(A: T.Buffer((4,), "float32")):
    T.call_cpacked("f", A.data, T.reinterpret("handle", T.uint64(0)))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4,), "float32")):
    T.call_cpacked("f", A.data, T.reinterpret("handle", T.uint64(0)))
