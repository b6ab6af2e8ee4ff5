"""What stands between strangers and the tables: limits, time-outs, work that can be killed."""
