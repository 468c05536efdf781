# program: pure00
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(T.call_extern("int32", "f"))

# program: pure01
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(T.call_pure_extern("int32", "f"))

# program: pure02
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(T.exp(A[0]))

# program: pure03
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(A[0])

# program: pure04
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    A[0] = 1.0

# program: pure05
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(T.tvm_storage_sync("shared"))

# program: pure06
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(T.address_of(A[0]))

# program: pure07
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(T.call_packed("f"))

# program: pure08
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(T.tvm_access_ptr(T.type_annotation("float32"), A.data, 0, 4, 1))

# program: pure09
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(T.assume(n > 0))

# program: pure10
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    T.ret(n + 1)

# program: pure11
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    T.ret(A[0])

# program: pure13
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(T.isnullptr(A.data))

# program: pure14
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(T.tvm_struct_get(A.data, 0, 1, dtype="handle"))

# program: pure15
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(T.tvm_stack_alloca("int8", 3))

# program: pure16
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    assert n > 0, "msg"
    T.evaluate(0)

# program: pure17
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    while n > 10:
        T.evaluate(0)

# program: pure_alloc
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    b = T.allocate([5], "float32", "global")
    bb = T.Buffer((5,), data=b)
    bb[0] = A[0]
    T.evaluate(bb[0])

# program: pure_allocbuf
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    B = T.alloc_buffer((16,))
    for i in range(16):
        with T.block("x"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi]

# program: pure_const
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    b = T.allocate_const([1, 2, 3], "int32", [3])
    bb = T.Buffer((3,), "int32", data=b)
    bb[0] = 1

# program: pure_decl
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    B = T.decl_buffer((16,))
    B[0] = A[0]

# program: pure_declview
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    B = T.decl_buffer((16,), data=A.data)
    B[0] = A[1]

# program: pure_call
@I.ir_module
class Module:
    @T.prim_func
    def f(n: T.int32) -> T.int32:
        T.ret(n + 1)
    @T.prim_func
    def g(n: T.int32) -> T.int32:
        T.ret(Module.f(n))
