"""Change the syntax trees of modules when they are imported, so that `validation` and `recording` see their values."""
