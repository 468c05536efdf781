# pass: tir.BF16ComputeLegalize
# memory whose address is taken keeps its dtype
# differs from TVM: it gives the address of float32 elements away
# values: not compared: the interpreter has no external functions
@T.prim_func
def main(A: T.Buffer((16,), "bfloat16")):
    U = T.decl_buffer((16,), "bfloat16")
    T.evaluate(T.call_extern("int32", "fill", T.address_of(U[0]), T.address_of(A[1])))
    for i in range(16):
        A[i] = U[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "bfloat16")):
    U = T.decl_buffer((16,), "bfloat16")
    T.call_extern("int32", "fill", T.address_of(U[0]), T.address_of(A[1]))
    for i in range(16):
        A[i] = U[i]
