"""Struct info that TVM 0.27 infers for its new layers: operator, arguments, keywords, struct info."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

#: (operator, arguments, keywords, what is inferred: as in `test_new_in_0_27`)
INFERRED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    tuple(json.loads(line)) for line in Path(__file__).with_name("inferred_by_0_27.jsonl").read_text().splitlines()
]  # fmt: skip
