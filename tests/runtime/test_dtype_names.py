"""`promo_runtime` names every dtype and category of the rules, and nothing else."""

import promo_runtime
from promo_mypy.rules.dtypes import CATEGORIES, DTYPES


def test_every_dtype_class_is_exported_as_itself() -> None:
    classes = {*DTYPES.values(), *CATEGORIES.values()}
    assert {getattr(promo_runtime, name) for name in promo_runtime.__all__} == classes
    assert sorted(promo_runtime.__all__) == sorted(each.__name__ for each in classes)
