"""Print TIR: functions, statements, blocks, expressions, buffers."""
