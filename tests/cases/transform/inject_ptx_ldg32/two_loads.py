# pass: tir.InjectPTXLDG32
# differs from TVM: it has no Python function for this pass
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    tx = T.launch_thread("threadIdx.x", 32)
    L_data = T.allocate([64], "float32", "local")
    L = T.Buffer((64,), "float32", data=L_data, scope="local")
    for i in range(4):
        L[i] = T.if_then_else(i + tx < 30, A[tx * 4 + i], T.float32(0))
        L[i + 8] = T.if_then_else(i + tx < 20, A[tx * 4 + i + 8], T.float32(0))
    M_data = T.allocate([64], 'float32', 'local')
    M = T.Buffer((64,), 'float32', data=M_data, scope='local')
    M[0] = A[0]
    B[tx] = L[tx % 4]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    tx = T.launch_thread("threadIdx.x", 32)
    predicate = T.allocate([1], "bool", "local")
    addr = T.allocate([2], "int32", "local")
    L = T.allocate([64], "float32", "local")
    L_1 = T.Buffer((64,), data=L, scope="local")
    for i in range(4):
        addr_1 = T.Buffer((2,), "int32", data=addr, scope="local")
        addr_1[0] = tx * 4 + i
        addr_1[1] = i
        predicate_1 = T.Buffer((1,), "bool", data=predicate, scope="local")
        predicate_1[0] = i + tx < 30
        L_1[addr_1[1]] = T.float32(0)
        T.ptx_ldg32(L, predicate_1[0], A[addr_1[0]], addr_1[1])
        addr_1[0] = tx * 4 + i + 8
        addr_1[1] = i + 8
        predicate_1[0] = i + tx < 20
        L_1[addr_1[1]] = T.float32(0)
        T.ptx_ldg32(L, predicate_1[0], A[addr_1[0]], addr_1[1])
    M = T.allocate([64], "float32", "local")
    M_1 = T.Buffer((64,), data=M, scope="local")
    M_1[0] = A[0]
    B[tx] = L_1[tx % 4]
