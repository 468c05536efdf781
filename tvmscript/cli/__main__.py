"""`python -m tvmscript.cli`."""

from __future__ import annotations

import sys

from tvmscript.cli import main

sys.exit(main())
