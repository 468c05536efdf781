# program: mem1
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    tx = T.launch_thread("threadIdx.x", 16)
    B[tx] = A[tx]

# program: mem2
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in T.thread_binding(16, "threadIdx.x"):
        B[i] = A[i]

# program: mem3
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    b = T.allocate([5], "float32", "global")
    bb = T.Buffer((5,), data=b)
    bb[0] = 1.0
    with T.launch_thread("threadIdx.x", 16) as tx:
        B[tx] = A[tx] + bb[0]

# program: mem4
@T.prim_func
def main(p: T.handle("float32"), n: T.int32):
    q: T.handle("float32") = p
    A = T.Buffer((16,), data=q)
    A[0] = 1.0

# program: mem5
@T.prim_func
def main(p: T.handle("float32"), n: T.int32):
    T.attr(0, "device_scope", 0)
    A = T.Buffer((16,), data=p)
    A[0] = 1.0

# program: mem6
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    T.attr(0, "pragma_parallel_launch_point", 1)
    A[0] = 1.0

# program: mem7
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    T.evaluate(T.address_of(A[0]))
    T.evaluate(T.call_extern("int32", "f", A.data))

# program: mem8
@T.prim_func
def main(arg: T.handle, n: T.int32):
    q: T.handle("float32") = T.tvm_struct_get(arg, 0, 1, "handle")
    A = T.Buffer((16,), data=q)
    A[0] = 1.0

# program: mem9
@T.prim_func
def main(arg: T.handle, n: T.int32):
    T.func_attr({"calling_conv": 2})
    q: T.handle("float32") = T.tvm_struct_get(arg, 0, 1, "handle")
    A = T.Buffer((16,), data=q)
    A[0] = 1.0

# program: mem10
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    with T.attr(T.iter_var(T.int32(), (0, 4), "ThreadIndex", "cthread"), "virtual_thread", 4):
        B[0] = A[0]
