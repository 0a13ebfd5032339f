"""Turn the expectation of an annotation into a closure that checks a value and returns the mismatch.

Only arrays are checked, also in the built-in containers of the annotation. Values of other classes are
left to type checkers. Passed keys are cached, so that the next check of such an array is one look-up in a set.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias, TypeVar

from promo_runtime.actual_dtypes import actual_dtype, dtype_text
from promo_runtime.validation.expectations import (
    Dtypes,
    Expected,
    ExpectedArray,
    ExpectedEntries,
    ExpectedFields,
    ExpectedItems,
    ExpectedTree,
    ExpectedUnion,
    ExpectedVariable,
)
from promo_runtime.validation.leaf_paths import key_step, tree_leaves
from promo_runtime.validation.promised_dtypes import promised_dtype

_ITEMS: Final = (list, tuple, set, frozenset)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """An array whose dtype is not the expected one; `path` leads to it, "" or `["x"][0]`."""

    expected: str
    actual: str
    path: str = ""

    def under(self, step: str) -> "Mismatch":
        """The same, with the path from the container around it."""
        return replace(self, path=step + self.path)


Bindings: TypeAlias = dict[TypeVar | str, Any]
"""Within one call: type variable or parameter -> its value."""

Check: TypeAlias = Callable[[Any, Bindings], Mismatch | None]


def check_of(expected: Expected | None) -> Check | None:
    """The closure; None if no dtype is expected."""
    match expected:
        case ExpectedArray():
            return _array(expected)
        case ExpectedVariable():
            return _whole_variable(expected)
        case ExpectedItems():
            return _items(expected.cls, check_of(expected.item))
        case ExpectedFields():
            return _fields(expected)
        case ExpectedEntries():
            return _entries(check_of(expected.key), check_of(expected.value))
        case ExpectedTree():
            return _tree(check_of(expected.leaf))
        case ExpectedUnion():
            return _union(expected)
        case _:
            return None


def _array(expected: ExpectedArray) -> Check | None:
    if expected.variable is not None:
        return _dtype_variable(expected.variable, expected.dtypes)
    if expected.promotion is not None:
        promotion = expected.promotion

        def check_promotion(value: Any, bindings: Bindings) -> Mismatch | None:
            actual = actual_dtype(value)
            promised = promised_dtype(promotion, value, bindings) if actual is not None else None
            if actual is None or promised is None or actual is promised:
                return None
            return Mismatch(f"{promised.name}, to which {promotion} evaluates in this call", dtype_text(actual))

        return check_promotion
    return _dtypes(expected.dtypes) if expected.dtypes is not None else None


def _dtypes(dtypes: Dtypes) -> Check:
    passed: set[Any] = set()

    def check_dtype(value: Any, _: Bindings) -> Mismatch | None:
        given = getattr(value, "dtype", None)
        try:
            if given is None or (type(value), given) in passed:
                return None
        except TypeError:  # an attribute of that name that is not a dtype
            return None
        actual = actual_dtype(value)
        if actual is None:
            return None
        if actual not in dtypes.admitted:
            return Mismatch(dtypes.shown, dtype_text(actual))
        passed.add((type(value), given))
        return None

    return check_dtype


def _dtype_variable(variable: TypeVar, dtypes: Dtypes | None) -> Check:
    """The same dtype for all uses of the variable in one call."""

    def check_variable(value: Any, bindings: Bindings) -> Mismatch | None:
        actual = actual_dtype(value)
        if actual is None:
            return None
        if dtypes is not None and actual not in dtypes.admitted:
            return Mismatch(dtypes.shown, dtype_text(actual))
        first = actual_dtype(bindings.setdefault(variable, value))
        if first is None or first == actual:
            return None
        return Mismatch(f"{dtype_text(first)}, for which {variable.__name__} stands in this call", dtype_text(actual))

    return check_variable


def _whole_variable(expected: ExpectedVariable) -> Check:
    """Stores the value for a `Promote`: a variable over arrays does not require equal dtypes."""
    variable, inner = expected.variable, check_of(expected.inner)

    def check_value(value: Any, bindings: Bindings) -> Mismatch | None:
        bindings.setdefault(variable, value)
        return inner(value, bindings) if inner is not None else None

    return check_value


def _items(cls: type, item: Check | None) -> Check | None:
    if item is None:
        return None

    def check_items(value: Any, bindings: Bindings) -> Mismatch | None:
        if isinstance(value, _ITEMS) and isinstance(value, cls):
            for place, each in enumerate(value):
                found = item(each, bindings)
                if found is not None:
                    return found.under(key_step(place))
        return None

    return check_items


def _fields(expected: ExpectedFields) -> Check | None:
    checks = [(key, check) for key, each in expected.fields if (check := check_of(each)) is not None]
    if not checks:
        return None
    cls: Any = expected.cls
    length, named = expected.length, issubclass(cls, tuple) and expected.length is None

    def check_fields(value: Any, bindings: Bindings) -> Mismatch | None:
        if not isinstance(value, cls) or (length is not None and len(value) != length):
            return None
        for key, check in checks:
            if named:
                found = check(getattr(value, str(key)), bindings)
            elif length is not None or key in value:
                found = check(value[key], bindings)
            else:
                continue
            if found is not None:
                return found.under(f".{key}" if named else key_step(key))
        return None

    return check_fields


def _entries(key: Check | None, value: Check | None) -> Check | None:
    if key is None and value is None:
        return None

    def check_entries(entries: Any, bindings: Bindings) -> Mismatch | None:
        if not isinstance(entries, dict):
            return None
        for name, each in entries.items():
            found = value(each, bindings) if value is not None else None
            if found is None and key is not None:
                found = key(name, bindings)
            if found is not None:
                return found.under(key_step(name))
        return None

    return check_entries


def _tree(leaf: Check | None) -> Check | None:
    if leaf is None:
        return None

    def check_tree(value: Any, bindings: Bindings) -> Mismatch | None:
        for path, each in tree_leaves(value):
            found = leaf(each, bindings)
            if found is not None:
                return found.under(path)
        return None

    return check_tree


def _union(expected: ExpectedUnion) -> Check | None:
    members = [(_class_of(member), check_of(member), member) for member in expected.members]
    if all(check is None for _, check, _ in members):
        return None
    arrays = [check for _, check, member in members if isinstance(member, ExpectedArray)]
    checks = [(cls, check) for cls, check, _ in members if cls not in _NEVER_ARRAYS]
    if len(checks) == 1 and arrays:
        return arrays[0]
    keeps = not any(_depends_on_call(member) for _, _, member in members)
    passed: set[Any] = set()

    def check_union(value: Any, bindings: Bindings) -> Mismatch | None:
        actual = actual_dtype(value)
        if actual is not None and (type(value), actual) in passed:
            return None
        fitting = [check for cls, check in checks if isinstance(value, cls)]
        if not fitting and actual is not None:
            fitting = arrays
        found: list[Mismatch] = []
        for check in fitting:
            mismatch = check(value, bindings) if check is not None else None
            if mismatch is None:
                if keeps and actual is not None:
                    passed.add((type(value), actual))
                return None
            found.append(mismatch)
        if not found:
            return None
        alike = [each.expected for each in found if each.path == found[0].path]
        return replace(found[0], expected=" | ".join(dict.fromkeys(alike)))

    return check_union


# A NumPy scalar may be a float or complex, too.
_NEVER_ARRAYS: Final = (type(None), str, bytes, bool, int)


def _class_of(member: Expected) -> type:
    """The class of the values of a member of a union."""
    match member:
        case ExpectedTree() | ExpectedUnion() | ExpectedVariable():
            return object
        case _:
            return member.cls or object


def _depends_on_call(expected: Expected) -> bool:
    match expected:
        case ExpectedArray():
            return expected.variable is not None or expected.promotion is not None
        case ExpectedVariable():
            return True
        case ExpectedUnion():
            return any(map(_depends_on_call, expected.members))
        case _:
            return False
