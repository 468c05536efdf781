"""Scripts that real TVM runs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


def answers_of_tvm(script: str) -> dict[str, Any]:
    """What a script prints behind ANSWERS in TVM's environment. The `oracle` fixture says whether there is one."""
    driver = Path(sys.modules["tvmscript_oracle"].__file__ or "")
    command = [sys.executable, str(driver), "exec", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return dict(json.loads(done.stdout.partition("ANSWERS")[2]))
