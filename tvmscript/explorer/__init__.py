"""Compiler explorer: one HTML page with the program after every pass, LLVM IR, and assembly.

stages.py    data classes: texts with the source lines of each line, stages, recordings
recording.py runs the compiler, and records the output of every stage
origins.py   source lines of programs       native.py    source lines of LLVM IR and assembly
page.py      the page, from the templates page.html, page.css, page.js
"""

from __future__ import annotations

from tvmscript.explorer.page import page as page
from tvmscript.explorer.recording import record as record
from tvmscript.explorer.stages import Recording as Recording
