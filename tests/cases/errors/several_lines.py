@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    class G:  # error: TS2005 "class G"
        pass

# output
error[TS2005]: a class is not supported here
 --> <text>:3:5
  |
3 |     class G:  # error: TS2005 "class G"
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
4 |         pass
  |         ^^^^
hint: put the functions into a class under @I.ir_module
