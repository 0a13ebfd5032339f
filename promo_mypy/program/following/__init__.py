"""Infer dtypes that follow from known ones, or from records, where mypy has none."""
