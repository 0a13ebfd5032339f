"""Variables and attributes that hold arrays: what an operator or a test does to their dtypes."""
