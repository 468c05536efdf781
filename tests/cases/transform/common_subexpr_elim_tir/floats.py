# pass: tir.CommonSubexprElimTIR
@T.prim_func
def main(F: T.Buffer((4,), "float32"), u: T.float32, v: T.float32):
    F[0] = F[1] * T.float32(2) + u * v
    F[1] = (u * v + T.float32(1)) * (u * v + T.float32(1))

# after
# from tvm.script import tir as T

@T.prim_func
def main(F: T.Buffer((4,), "float32"), u: T.float32, v: T.float32):
    cse_var_2: T.float32 = u * v
    cse_var_1: T.float32 = cse_var_2 + T.float32(1)
    F[0] = F[1] * T.float32(2) + cse_var_2
    F[1] = cse_var_1 * cse_var_1
