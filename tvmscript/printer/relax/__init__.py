"""Print Relax: functions, bindings, calls, struct info."""
