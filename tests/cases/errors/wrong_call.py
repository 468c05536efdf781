@I.ir_module
class Module:
    @T.prim_func(private=True)
    def scale(A: T.Buffer((4,), "float32"), n: T.int32):
        A[n] = 1.0

    @T.prim_func
    def main(A: T.Buffer((4,), "float32")):
        Module.scale(A.data)  # error: TS1107 "Module.scale(A.data)"
        Module.scale(A.data, 1.0)  # error: TS1107 "1.0"
        Module.scale(A[0], 1)  # error: TS1107 "A[0]"
        Module.scale(A.data, T.int64(1))

# output
error[TS1107]: the function scale takes 2 arguments, but got 1
 --> <text>:9:9
  |
9 |         Module.scale(A.data)  # error: TS1107 "Module.scale(A.data)"
  |         ^^^^^^^^^^^^^^^^^^^^

error[TS1107]: the function scale takes an integer for n, but got float32
  --> <text>:10:30
   |
10 |         Module.scale(A.data, 1.0)  # error: TS1107 "1.0"
   |                              ^^^

error[TS1107]: the function scale takes a pointer for A, but got float32
  --> <text>:11:22
   |
11 |         Module.scale(A[0], 1)  # error: TS1107 "A[0]"
   |                      ^^^^
hint: pass an address: T.address_of(A[0]), or A.data for all elements

3 errors
