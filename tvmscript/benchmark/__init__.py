"""Measure kernels beside those of other libraries: `tvmscript bench`.

timing.py       times of calls that take turns          limits.py    what the machine can do: arithmetic, copies
peers.py        kernels of other libraries              roofline.py  a picture of rates and limits
measure.py      a kernel and its peers on equal arguments
"""
