"""Read TIR: functions, statements, expressions, and the names of `T`."""
