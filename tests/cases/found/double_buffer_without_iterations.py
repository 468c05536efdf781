# Found by: tvmscript fuzz te
#
# The first iteration of a loop over a size that is 0 was filled, and its last one ran.

from tvmscript.fuzz.te.area import Example, check
from tvmscript.testing.tensor_strategies import Definition, Step, TensorGraph

EXAMPLE = Example(
    TensorGraph('float64', (('n', 3),), (Definition('affine', (0,), (0,) * 6), Definition('affine', (1,), (0,) * 6)), {'n': 0}),
    (Step('compute_at', (0,) * 6), Step('double_buffer', (0,) * 6)),
)

check(EXAMPLE)
