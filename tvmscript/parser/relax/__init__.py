"""Read Relax: functions, bindings, values, and the names of `R`."""
