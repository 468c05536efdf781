"""FuseTIR: functions of grouped kernel calls become kernels."""
