# Found by: tvmscript fuzz te

from tvmscript.fuzz.te.area import Example, check
from tvmscript.testing.tensor_strategies import Definition, Step, TensorGraph

EXAMPLE = Example(TensorGraph('float32', ((6, 1),), (Definition('matmul', (0, 0), (0,)*6),)), (Step('split', (0,)*6), Step('cache_read', (0,)*6), Step('annotate', (0,)*6), Step('compute_at', (0,)*6)))

check(EXAMPLE)
