"""TVM's `contrib.download`: nothing is fetched, files must be there."""

from __future__ import annotations

from tvmscript.frontend.relay.download import download, download_testdata

__all__ = ["download", "download_testdata"]
