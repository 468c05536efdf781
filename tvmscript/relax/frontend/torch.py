"""TVM's front door `tvm.relax.frontend.torch`: importers of torch models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tvmscript.ir.core.lazy import lazy_names

if TYPE_CHECKING:
    from tvmscript.frontend.torch.dynamo import dynamo_capture_subgraphs as dynamo_capture_subgraphs
    from tvmscript.frontend.torch.dynamo import relax_dynamo as relax_dynamo
    from tvmscript.frontend.torch.exported import from_exported_program as from_exported_program
    from tvmscript.frontend.torch.fx import from_fx as from_fx
    from tvmscript.frontend.torch.traced import from_traced as from_traced

# other paths of TVM are found by `tvm_names`
__path__: list[str] = []

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "dynamo_capture_subgraphs": "tvmscript.frontend.torch.dynamo",
        "from_exported_program": "tvmscript.frontend.torch.exported",
        "from_fx": "tvmscript.frontend.torch.fx",
        "from_traced": "tvmscript.frontend.torch.traced",
        "relax_dynamo": "tvmscript.frontend.torch.dynamo",
    },
)
