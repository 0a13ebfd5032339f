"""The rows of `promo_mypy.rules.methods` as tables from qualified name to hook."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from mypy.types import Type

from promo_mypy.plugin import casts, indexing, iteration, names, same_dtype
from promo_mypy.plugin.autocast import outside
from promo_mypy.plugin.libraries import GENERIC, Library
from promo_mypy.rules import autocast, methods
from promo_mypy.rules.methods import MethodRule

Feature = Callable[..., Type]  # (MethodContext or AttributeContext, session=Session)


def _method(name: str, rule: MethodRule) -> Feature:
    if rule.dtype in casts.EFFECTS:
        return partial(casts.infer, rule=rule, name=name)
    return partial(same_dtype.infer_method, rule=rule)


def _methods() -> Iterator[tuple[str, Feature]]:
    for library in GENERIC:
        for cls in library.classes:
            for name, rule in methods.METHODS[library.library.value].items():
                feature = _method(name, rule)
                touched = library.library is Library.TORCH and autocast.touches(name)
                yield f"{cls}.{name}", partial(outside, feature=feature) if touched else feature
            yield f"{cls}.__getitem__", indexing.infer_item
            yield f"{cls}.__iter__", iteration.infer_items
    for name, rule in methods.JAX_UPDATES.items():
        yield f"{names.JAX_UPDATE_REF}.{name}", _method(name, rule)
    yield f"{names.JAX_UPDATE_HELPER}.__getitem__", indexing.infer_item
    for name, rule in methods.NUMPY_METHODS.items():
        for cls in (names.NUMPY_ARRAY, names.NUMPY_GENERIC):
            yield f"{cls}.{name}", partial(casts.infer_numpy, rule=rule)
    yield f"{names.NUMPY_ARRAY}.__getitem__", indexing.infer_numpy_item


def _attributes() -> Iterator[tuple[str, Feature]]:
    for library in GENERIC:
        for cls in library.classes:
            for name, rule in methods.ATTRIBUTES[library.library.value].items():
                yield f"{cls}.{name}", partial(same_dtype.infer_attribute, rule=rule)
    yield f"{names.JAX_ARRAY}.at", partial(same_dtype.infer_attribute, rule=MethodRule())
    for name in methods.NUMPY_ATTRIBUTES:
        yield f"{names.NUMPY_ARRAY}.{name}", same_dtype.infer_numpy_part


METHODS: Final[Mapping[str, Feature]] = dict(_methods())
ATTRIBUTES: Final[Mapping[str, Feature]] = dict(_attributes())
