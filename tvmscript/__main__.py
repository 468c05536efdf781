"""`python -m tvmscript`: the command where the script is not on the path."""

from __future__ import annotations

import sys

from tvmscript.cli import main

sys.exit(main())
