# Found by: tvmscript fuzz te
# cause: OutOfBounds[TS5021] at backends/interp/accesses.py:fail
#
# tvmscript.backends.runtime.errors.OutOfBounds: error[TS5021]: reading B0[[1, 3]] is outside of its shape (3)
#   File "backends/interp/expressions.py", line 214, in select_lanes
#     a, b = chosen(frame), other(frame)
#            ^^^^^^^^^^^^^
#   File "backends/interp/expressions.py", line 118, in <lambda>
#     return lambda frame: tuple(map(operate, a(frame), b(frame)))
#                                             ^^^^^^^^
#   File "backends/interp/expressions.py", line 118, in <lambda>
#     return lambda frame: tuple(map(operate, a(frame), b(frame)))
#                                             ^^^^^^^^
#   File "backends/interp/accesses.py", line 254, in read
#     lanes = [0 if place is None else memory[place] for place in places(frame)]
#                                                                 ^^^^^^^^^^^^^
#   File "backends/interp/accesses.py", line 234, in places
#     fail(frame)
#   File "backends/interp/accesses.py", line 197, in fail
#     raise OutOfBounds(

from tvmscript.fuzz.te.area import Example, check
from tvmscript.testing.tensor_strategies import Definition, Step, TensorGraph

check(Example(graph=TensorGraph(dtype='float32', inputs=((), (3,)), definitions=(Definition(kind='affine', reads=(1,), numbers=(0, 0, 0, 0, 0, 0)), Definition(kind='affine', reads=(2,), numbers=(0, 0, 0, 0, 0, 0))), sizes={}), steps=(Step(primitive='cache_write', numbers=(0, 1, 1, 0, 0, 0, 0, 0)), Step(primitive='annotate', numbers=(2, 1, 2, 0, 0, 0, 0, 0))), seed=0))
