"""What became of a program on its way to machine code, as one page to look at.

stages.py    the texts on the way, and which lines of them come from which lines of the script
recording.py runs the passes and the compiler, and keeps what they made
origins.py   lines of programs              native.py    lines of LLVM IR and of assembly
page.py      the page; page.html page.css page.js are its parts
"""

from __future__ import annotations

from tvmscript.explorer.page import page as page
from tvmscript.explorer.recording import record as record
from tvmscript.explorer.stages import Recording as Recording
