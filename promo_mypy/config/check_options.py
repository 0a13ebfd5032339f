"""The options of `promo-mypy check`, in the table `check` beside the others."""

from typing import Any, Final

from promo_mypy.config.tables import Place, described, listed
from promo_mypy.rules.records import record
from promo_mypy.rules.wording.diagnostics import selectable
from promo_mypy.rules.wording.near_matches import suggestion


@record
class CheckOptions:
    """The options of a check; each also has a flag. Paths are relative to the file with the options.

    Attributes:
        select: the codes to report, in place of those that are on by default.
        ignore: codes not to report.
        paths: the files and folders to check if the command names none.
        exclude: patterns of paths to leave out.
        baseline: the file with the findings that are accepted.
        python: the environment with the packages that the code uses, or its interpreter.
        cache_dir: the folder of the cache.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    baseline: str | None = None
    python: str | None = None
    cache_dir: str | None = None


_CODES: Final = ("select", "ignore")
_LISTS: Final = ("paths", "exclude")
_TEXTS: Final = ("baseline", "python", "cache_dir")


def read_check(table: object, place: Place) -> CheckOptions:
    """The options in the table `check`. Raises ConfigError."""
    if not isinstance(table, dict):
        raise place.error("check", f"expected a table, not {described(table)}")
    return CheckOptions(**{key: _value(key, value, place) for key, value in table.items()})


def _value(key: str, value: object, place: Place) -> Any:
    name = f"check.{key}"
    if key in _CODES or key in _LISTS:
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise place.error(name, f"expected an array of strings, not {described(value)}")
        for code in value if key in _CODES else ():
            if code not in selectable():
                raise place.error(name, f'"{code}" is no code{suggestion(code, selectable())}')
        return tuple(value)
    if key in _TEXTS:
        if not isinstance(value, str):
            raise place.error(name, f"expected a string, not {described(value)}")
        return value
    names = (*_CODES, *_LISTS, *_TEXTS)
    raise place.error(name, f"no such option{suggestion(key, names)}; the options are {listed(names)}")
