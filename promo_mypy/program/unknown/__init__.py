"""Find out why dtypes are unknown: parameters decide them, or something else that can be named."""
