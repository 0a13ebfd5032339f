"""Check functions whose parameters declare no dtype with the dtypes that the calls of a file pass."""
