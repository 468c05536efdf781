"""Names of `T` that few kernels use: importing these modules adds them to the table."""

from __future__ import annotations

from typing import Final

from tvmscript.parser.tir.builtins import constants, custom, index_maps, metadata, te

MODULES: Final[dict[str, object]] = {
    "constants": constants,
    "custom": custom,
    "index_maps": index_maps,
    "metadata": metadata,
    "te": te,
}
