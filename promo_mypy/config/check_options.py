"""The options of `promo-mypy check`, in the table `check` beside the others."""

from collections.abc import Mapping
from typing import Any, Final

from promo_mypy.config.tables import CODES, Place, described, listed, read_codes, read_strings
from promo_mypy.rules.records import record
from promo_mypy.rules.wording.near_matches import suggestion


@record
class CheckOptions:
    """The options of a check; each also has a flag. Paths are relative to the file with the options.

    Attributes:
        select: the codes to report, in place of those that are on by default.
        ignore: codes not to report.
        per_file_ignores: codes not to report in some files: a pattern of paths, and the codes.
        paths: the files and folders to check if the command names none.
        exclude: patterns of paths to leave out.
        notebooks: whether folders include their notebooks.
        report_unused: whether to report comments that accept no finding.
        respect_type_ignore: whether `# type: ignore` without a code accepts findings.
        fail_on_unseen: whether the check fails where the types of an imported array library are not seen.
        baseline: the file with the findings that are accepted.
        python: the environment with the packages that the code uses, or its interpreter.
        cache_dir: the folder of the cache.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    notebooks: bool = True
    report_unused: bool = False
    respect_type_ignore: bool = False
    fail_on_unseen: bool = False
    baseline: str | None = None
    python: str | None = None
    cache_dir: str | None = None


_LISTS: Final = ("paths", "exclude")
_SWITCHES: Final = ("notebooks", "report_unused", "respect_type_ignore", "fail_on_unseen")
_TEXTS: Final = ("baseline", "python", "cache_dir")
_PER_FILE: Final = "per_file_ignores"
_NAMES: Final = (*CODES, _PER_FILE, *_LISTS, *_SWITCHES, *_TEXTS)


def read_check(table: object, place: Place) -> CheckOptions:
    """The options in the table `check`; `per-file-ignores` is the same as `per_file_ignores`. Raises ConfigError."""
    if not isinstance(table, dict):
        raise place.error("check", f"expected a table, not {described(table)}")
    return CheckOptions(**{key.replace("-", "_"): _value(key, value, place) for key, value in table.items()})


def _value(key: str, value: object, place: Place) -> Any:
    name, option = f"check.{key}", key.replace("-", "_")
    if option in CODES:
        return read_codes(name, value, place)
    if option in _LISTS:
        return read_strings(name, value, place)
    if option == _PER_FILE:
        return _per_file(name, value, place)
    if option in _SWITCHES or option in _TEXTS:
        kind, wanted = (bool, "true or false") if option in _SWITCHES else (str, "a string")
        if not isinstance(value, kind):
            raise place.error(name, f"expected {wanted}, not {described(value)}")
        return value
    raise place.error(name, f"no such option{suggestion(option, _NAMES)}; the options are {listed(_NAMES)}")


def _per_file(name: str, table: object, place: Place) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(table, Mapping):
        raise place.error(name, f"expected a table from patterns of files to codes, not {described(table)}")
    return tuple((pattern, read_codes(f'{name}."{pattern}"', codes, place)) for pattern, codes in table.items())
