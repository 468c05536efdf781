"""A campaign: random programs, schedules and passes, where three implementations must compute the same."""
