"""Converters of torch's operators, one file a family. Importing this package fills the table of converters."""

from __future__ import annotations

from tvmscript.frontend.torch.operators import activation as activation
from tvmscript.frontend.torch.operators import arithmetic as arithmetic
from tvmscript.frontend.torch.operators import attention as attention
from tvmscript.frontend.torch.operators import convolution as convolution
from tvmscript.frontend.torch.operators import counting as counting
from tvmscript.frontend.torch.operators import creation as creation
from tvmscript.frontend.torch.operators import datatype as datatype
from tvmscript.frontend.torch.operators import elementwise as elementwise
from tvmscript.frontend.torch.operators import extents as extents
from tvmscript.frontend.torch.operators import getitem as getitem
from tvmscript.frontend.torch.operators import indexing as indexing
from tvmscript.frontend.torch.operators import join as join
from tvmscript.frontend.torch.operators import linear as linear
from tvmscript.frontend.torch.operators import loss as loss
from tvmscript.frontend.torch.operators import normalization as normalization
from tvmscript.frontend.torch.operators import padding as padding
from tvmscript.frontend.torch.operators import pooling as pooling
from tvmscript.frontend.torch.operators import recurrent as recurrent
from tvmscript.frontend.torch.operators import reduction as reduction
from tvmscript.frontend.torch.operators import resize as resize
from tvmscript.frontend.torch.operators import scatter as scatter
from tvmscript.frontend.torch.operators import shape as shape
from tvmscript.frontend.torch.operators import slicing as slicing
from tvmscript.frontend.torch.operators import sorting as sorting
