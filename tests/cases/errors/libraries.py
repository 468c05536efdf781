@T.prim_func
def f(A: T.Buffer((16,), "float32")):
    A[0] = np.exp(A[0])  # error: TS2003 "np"


@T.prim_func
def g(A: T.Buffer((16,), "float32")):
    A[0] = math.pi  # error: TS2003 "math"


@T.prim_func
def h(A: T.Buffer((16,), "float32")):
    A[0] = np.minimum(A[0], 1.0)  # error: TS2003 "np"


@T.prim_func
def i(A: T.Buffer((16,), "float32")):
    A[0] = np.unwrap(A[0])  # error: TS2003 "np"


@T.prim_func
def j(A: T.Buffer((16,), "float32")):
    A[0] = mat.exp(A[0])  # error: TS2003 "mat"

# output
error[TS2003]: np is not defined
 --> <text>:3:12
  |
3 |     A[0] = np.exp(A[0])  # error: TS2003 "np"
  |            ^^
hint: write T.exp(x)

error[TS2003]: math is not defined
 --> <text>:8:12
  |
8 |     A[0] = math.pi  # error: TS2003 "math"
  |            ^^^^
hint: write the number: 3.141592653589793

error[TS2003]: np is not defined
  --> <text>:13:12
   |
13 |     A[0] = np.minimum(A[0], 1.0)  # error: TS2003 "np"
   |            ^^
hint: write T.min(a, b)

error[TS2003]: np is not defined
  --> <text>:18:12
   |
18 |     A[0] = np.unwrap(A[0])  # error: TS2003 "np"
   |            ^^
hint: T has the functions: T.sqrt(x), T.exp(x), T.floor(x)

error[TS2003]: mat is not defined
  --> <text>:23:12
   |
23 |     A[0] = mat.exp(A[0])  # error: TS2003 "mat"
   |            ^^^
hint: assign it before its use, or add a parameter

5 errors
