"""Check functions whose parameters declare no dtype with the dtypes that the calls of the checked files pass."""
