"""Default schedules for unscheduled functions."""
