"""mypy asks one plugin for a hook, its own last: where this plugin has a hook, it must call mypy's own."""

from collections.abc import Callable

from mypy.options import Options
from mypy.plugins.default import DefaultPlugin

from promo_mypy.plugin import feature_tables, names
from promo_mypy.plugin.transforms import transform_rows

#: The names for which both have a hook -> the module that calls mypy's own.
CALLED = {
    "functools.partial": "mypy_api/checker/partial_application.py",
    "functools.partial.__call__": "mypy_api/checker/partial_application.py",
    "builtins.tuple.__mul__": "mypy_api/checker/repeated_tuples.py",
}


def test_hooks_of_mypy_are_not_hidden() -> None:
    own = DefaultPlugin(Options())
    methods = [f"{cls}.{method}" for cls in names.FUNCTION_OBJECTS for method in names.FUNCTION_OBJECT_METHODS]
    tables: list[tuple[Callable[[str], object], list[str]]] = [
        (own.get_function_hook, [*feature_tables.FUNCTIONS, *names.EXACT_FUNCTIONS]),
        (own.get_function_signature_hook, [*transform_rows.FUNCTION_SIGNATURES, *names.EXACT_FUNCTIONS]),
        (own.get_method_hook, [*feature_tables.METHODS, *methods]),
        (own.get_method_signature_hook, [*feature_tables.SIGNATURES, *names.EXACT_OBJECTS]),
        (own.get_attribute_hook, [*feature_tables.ACCESSES]),
        (own.get_customize_class_mro_hook, [*feature_tables.CLASSES]),
    ]
    assert sum(len(ours) for _, ours in tables) > 1000
    assert {name for look_up, ours in tables for name in ours if look_up(name) is not None} == CALLED.keys()
