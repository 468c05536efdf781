# pass: tir.LowerIntrin
@T.prim_func
def main(B: T.Buffer((8,), "int8"), U: T.Buffer((8,), "uint32"), V: T.Buffer((8,), "int32")):
    T.func_attr({"target": T.target("c")})
    for i in range(8):
        B[i] = B[i] // T.int8(3) + B[i] % T.int8(5)
        U[i] = U[i] // T.uint32(3) + U[i] % T.uint32(4)
    V[0:4] = V[0:4] // T.Broadcast(3, 4) + T.Ramp(2, 1, 4) % T.Broadcast(3, 4)

# after
# from tvm.script import tir as T

@T.prim_func
def main(B: T.Buffer((8,), "int8"), U: T.Buffer((8,), "uint32"), V: T.Buffer((8,), "int32")):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    for i in range(8):
        B[i] = T.Select(T.truncmod(B[i], T.int8(3)) >= T.int8(0), T.Div(B[i], T.int8(3)), T.Div(B[i], T.int8(3)) - T.int8(1)) + T.Select(T.truncmod(B[i], T.int8(5)) >= T.int8(0), T.truncmod(B[i], T.int8(5)), T.truncmod(B[i], T.int8(5)) + T.int8(5))
        U[i] = T.Div(U[i], T.uint32(3)) + T.bitwise_and(U[i], T.uint32(3))
    V[0:4] = T.Select(T.truncmod(V[0:4], T.Broadcast(3, 4)) >= T.Broadcast(0, 4), T.Div(V[0:4], T.Broadcast(3, 4)), T.Div(V[0:4], T.Broadcast(3, 4)) - T.Broadcast(1, 4)) + T.truncmod(T.Ramp(2, 1, 4), T.Broadcast(3, 4))
