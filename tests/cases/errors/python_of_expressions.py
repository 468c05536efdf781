# decorated
import math

import numpy as np

from tvmscript import T


@T.prim_func
def helper(x: T.float32) -> T.float32:
    return x


@T.prim_func
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = np.exp(A[i])  # error: TS2029 "np.exp(A[i])"
        B[i] = np.exp(A)  # error: TS2029 "np.exp(A)"
        B[i] = math.sqrt(A[i])  # error: TS2029 "math.sqrt(A[i])"
        B[i] = abs(A[i])  # error: TS2029 "abs(A[i])"
        B[i] = np.maximum(A[i], 0)  # error: TS1007 "np.maximum(A[i], 0)"
        B[i] = np.arctan2(A[i], 1)  # error: TS2029 "np.arctan2(A[i], 1)"
        B[i] = np.float32(A[i])  # error: TS2029 "np.float32(A[i])"
        B[i] = np.where(A[i] > 0, 1, 2)  # error: TS1007 "A[i] > 0"
        B[i] = int(A[i])  # error: TS2029 "int(A[i])"
        B[i] = helper(A[i])  # error: TS2006 "helper(A[i])"
    B = A + 1  # error: TS2014 "A + 1"
    F = A @ A  # error: TS2014 "A @ A"
    C = -A  # error: TS2014 "-A"
    D = T.exp + 1  # error: TS2014 "T.exp + 1"
    np.add(A, A)  # error: TS2029 "np.add(A, A)"
    a, b = A[0]  # error: TS2012 "a, b"
    return  # error: TS2005 "return"

# output
error[TS2029]: exp raised TypeError: loop of ufunc does not support argument 0 of type BufferLoad which has no callable exp method
  --> python_of_expressions.py:17:16
   |
17 |         B[i] = np.exp(A[i])  # error: TS2029 "np.exp(A[i])"
   |                ^^^^^^^^^^^^
hint: write T.exp(x)

error[TS2029]: exp raised TypeError: loop of ufunc does not support argument 0 of type Buffer which has no callable exp method
  --> python_of_expressions.py:18:16
   |
18 |         B[i] = np.exp(A)  # error: TS2029 "np.exp(A)"
   |                ^^^^^^^^^
hint: write T.exp(A[...])

error[TS2029]: sqrt raised TypeError: must be real number, not BufferLoad
  --> python_of_expressions.py:19:16
   |
19 |         B[i] = math.sqrt(A[i])  # error: TS2029 "math.sqrt(A[i])"
   |                ^^^^^^^^^^^^^^^
hint: write T.sqrt(x)

error[TS2029]: abs raised TypeError: bad operand type for abs(): 'BufferLoad'
  --> python_of_expressions.py:20:16
   |
20 |         B[i] = abs(A[i])  # error: TS2029 "abs(A[i])"
   |                ^^^^^^^^^
hint: write T.abs(x)

error[TS1007]: an expression of the program has no truth value while the program is built
  --> python_of_expressions.py:21:16
   |
21 |         B[i] = np.maximum(A[i], 0)  # error: TS1007 "np.maximum(A[i], 0)"
   |                ^^^^^^^^^^^^^^^^^^^
hint: write T.max(a, b)

error[TS2029]: arctan2 raised AttributeError: 'BufferLoad' object has no attribute 'arctan2'
  --> python_of_expressions.py:22:16
   |
22 |         B[i] = np.arctan2(A[i], 1)  # error: TS2029 "np.arctan2(A[i], 1)"
   |                ^^^^^^^^^^^^^^^^^^^
hint: write T.atan2(a, b)

error[TS2029]: float32 raised TypeError: float() argument must be a string or a real number, not 'BufferLoad'
  --> python_of_expressions.py:23:16
   |
23 |         B[i] = np.float32(A[i])  # error: TS2029 "np.float32(A[i])"
   |                ^^^^^^^^^^^^^^^^
hint: write T.float32(x)

error[TS1007]: an expression of the program has no truth value while the program is built
  --> python_of_expressions.py:24:25
   |
24 |         B[i] = np.where(A[i] > 0, 1, 2)  # error: TS1007 "A[i] > 0"
   |                         ^^^^^^^^
hint: write T.if_then_else(condition, a, b)

error[TS2029]: int raised TypeError: int() argument must be a string, a bytes-like object or a real number, not 'BufferLoad'
  --> python_of_expressions.py:25:16
   |
25 |         B[i] = int(A[i])  # error: TS2029 "int(A[i])"
   |                ^^^^^^^^^
hint: write T.int32(x)

error[TS2006]: a PrimFunc cannot be called
  --> python_of_expressions.py:26:16
   |
26 |         B[i] = helper(A[i])  # error: TS2006 "helper(A[i])"
   |                ^^^^^^^^^^^^
hint: put both functions into one class under @I.ir_module, and call it by the name of the class

error[TS2014]: the buffer A is not an expression
  --> python_of_expressions.py:27:9
   |
27 |     B = A + 1  # error: TS2014 "A + 1"
   |         ^^^^^
hint: write an element of it: A[...]

error[TS2014]: the buffer A is not an expression
  --> python_of_expressions.py:28:9
   |
28 |     F = A @ A  # error: TS2014 "A @ A"
   |         ^^^^^
hint: write an element of it: A[...]

error[TS2014]: the buffer A is not an expression
  --> python_of_expressions.py:29:9
   |
29 |     C = -A  # error: TS2014 "-A"
   |         ^^
hint: write an element of it: A[...]

error[TS2014]: T.exp is not an expression
  --> python_of_expressions.py:30:9
   |
30 |     D = T.exp + 1  # error: TS2014 "T.exp + 1"
   |         ^^^^^^^^^
hint: call it: T.exp(...)

error[TS2029]: add raised TypeError: unsupported operand type(s) for +: 'Buffer' and 'Buffer'
  --> python_of_expressions.py:31:5
   |
31 |     np.add(A, A)  # error: TS2029 "np.add(A, A)"
   |     ^^^^^^^^^^^^
hint: write the operator: a + b, a * b, ...

error[TS2012]: 2 names for an expression of type float32 cannot be assigned to
  --> python_of_expressions.py:32:5
   |
32 |     a, b = A[0]  # error: TS2012 "a, b"
   |     ^^^^
hint: write one assignment for each name

error[TS2005]: return without a value is not supported here
  --> python_of_expressions.py:33:5
   |
33 |     return  # error: TS2005 "return"
   |     ^^^^^^
hint: remove it, or put the statements that it skips under an if

17 errors
