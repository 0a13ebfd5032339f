"""Read options from the tables of a TOML file: check every key and value, and raise one error for the first fault."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from promo_mypy.config.options import ALLOWED_VALUES, FILES, LIBRARIES, LISTS, Override
from promo_mypy.rules.profiles import Profile, ProfileError, read_profile
from promo_mypy.rules.records import record
from promo_mypy.rules.wording.diagnostics import is_selectable, selectable
from promo_mypy.rules.wording.near_matches import suggestion

if TYPE_CHECKING:
    from promo_mypy.rules.lattices.own_systems import OwnSystem

#: Keys that may be beside the options in their table.
TABLES: Final = ("overrides", "systems", "check")
BESIDE: Final = (*TABLES, *FILES)
#: The options of the check that may stand in an override, too.
CODES: Final = ("select", "ignore")


class ConfigError(Exception):
    """Invalid options. The message is one line with file, key, fault and allowed values."""


@record
class Place:
    """A table in a file, with its name in messages and the user's own systems that it may name."""

    file: Path
    table: str
    own_systems: tuple[str, ...] = ()

    def error(self, key: str, fault: str) -> ConfigError:
        """The error for a fault of one key, or of the table itself if the key is empty."""
        name = ".".join(part for part in (self.table, key) if part)
        return ConfigError(f"{self.file}: {name}: {fault}")

    def override(self, number: int) -> "Place":
        """The place of the override with that number, counted from 1."""
        return replace(self, table=f"{self.table}.overrides[{number}]".lstrip("."))


def read(file: Path) -> dict[str, Any]:
    """The content of a TOML file; empty if there is no such file."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: is not UTF-8: byte {error.start} cannot be decoded") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file}: is not valid TOML: {error}") from error


def read_systems(table: object, place: Place) -> tuple["OwnSystem", ...]:
    """The user's own systems in the table `systems`, each checked. Raises ConfigError."""
    # Imported only if there are such systems: reading them needs the tables of the systems that they extend.
    from promo_mypy.rules.lattices.files import read_table
    from promo_mypy.rules.lattices.toml_sources import TomlError, source_of

    try:
        source = source_of(place.file).at(*filter(None, place.table.split(".")), "systems")
        return tuple(system.checked() for system in read_table(table, source).values())
    except TomlError as error:
        raise ConfigError(str(error)) from error


def read_recorded(value: object, place: Place) -> Profile:
    """The profile in a file, whose path is relative to the configuration. Raises ConfigError."""
    if not isinstance(value, str) or not value:
        raise place.error("profile", f"expected the path of a profile, not {described(value)}")
    try:
        return read_profile((place.file.parent / value).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise place.error("profile", f"there is no {value}: record it with pytest --promo-record=PACKAGE") from error
    except OSError as error:
        raise place.error("profile", f"{value} cannot be read: {error.strerror}") from error
    except ProfileError as error:
        raise place.error("profile", f"{value}: {error}") from error


def read_strings(name: str, value: object, place: Place) -> tuple[str, ...]:
    """A list of strings. Raises ConfigError."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise place.error(name, f"expected an array of strings, not {described(value)}")
    return tuple(value)


def read_codes(name: str, value: object, place: Place) -> tuple[str, ...]:
    """A list of codes, or of the beginnings of codes. Raises ConfigError."""
    codes = read_strings(name, value, place)
    for code in codes:
        if not is_selectable(code):
            raise place.error(name, f'"{code}" is no code{suggestion(code, selectable())}')
    return codes


def checked_options(table: Mapping[str, object], place: Place, other_keys: tuple[str, ...]) -> dict[str, Any]:
    """The values of options by name; `other_keys` are keys that may be beside them. Raises ConfigError."""
    return {key: _checked_value(key, value, place, other_keys) for key, value in table.items()}


def _checked_value(key: str, value: object, place: Place, other_keys: tuple[str, ...]) -> object:
    if key in ALLOWED_VALUES:
        more = place.own_systems if key == "system" else ()
        return _allowed(key, value, (*ALLOWED_VALUES[key], *more), place)
    if key in LISTS:
        if LISTS[key].is_by_library and isinstance(value, dict):
            return tuple(_by_library(key, value, place))
        if LISTS[key].is_by_library and isinstance(value, str):
            value = [value]
        if not isinstance(value, list):
            raise place.error(key, f"expected an array of {LISTS[key].what}, not {described(value)}")
        members = (*LISTS[key].members(), *(place.own_systems if key == "portable_to" else ()))
        return tuple(_allowed(key, member, members, place) for member in value)
    names = (*ALLOWED_VALUES, *LISTS, *other_keys)
    raise place.error(key, f"no such option{suggestion(key, names)}; the options are {listed(names)}")


def _by_library(key: str, table: Mapping[str, object], place: Place) -> Iterator[str]:
    for library, value in table.items():
        _allowed(key, library, LIBRARIES, place)
        for member in value if isinstance(value, list) else [value]:
            yield f"{library}:{_allowed(key, member, LISTS[key].members(), place)}"


def _allowed(key: str, value: object, allowed: tuple[str | bool, ...], place: Place) -> object:
    # 1 == True in Python, but not in TOML: the type must be right, too.
    if any(type(value) is type(each) and value == each for each in allowed):
        return value
    near = suggestion(value, (each for each in allowed if isinstance(each, str)))
    raise place.error(key, f"{described(value)} is not allowed{near}; allowed: {listed(map(_toml, allowed))}")


def checked_overrides(tables: object, place: Place) -> Iterator[Override]:
    """The overrides, one for each pattern of modules, in the order of the file. Raises ConfigError."""
    if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
        brackets = ".".join(part for part in (place.table, "overrides") if part)
        raise place.error("overrides", f"expected one or more [[{brackets}]] tables, not {described(tables)}")
    set_by: dict[tuple[str, str], object] = {}
    for number, table in enumerate(tables, start=1):
        here = place.override(number)
        if "module" not in table:
            raise here.error("module", 'is missing: name the modules, as in module = "pkg.*"')
        for key in FILES:
            if key in table:
                raise here.error(key, "is one for all modules: set it in the general table")
        codes = {key: read_codes(key, table[key], here) for key in CODES if key in table}
        others = {key: value for key, value in table.items() if key != "module" and key not in CODES}
        changes = checked_options(others, here, other_keys=("module", *CODES))
        for pattern in _checked_patterns(table["module"], here):
            for key, value in (*changes.items(), *codes.items()):
                # mypy rejects this in its own overrides; for equal patterns no order is better than the other.
                if set_by.setdefault((pattern, key), value) != value:
                    raise here.error(key, f'module "{pattern}" has another value in an earlier override')
            yield Override(pattern, tuple(changes.items()), tuple(codes.items()))


def _checked_patterns(modules: object, place: Place) -> list[str]:
    patterns: list[Any] = modules if isinstance(modules, list) else [modules]
    if not patterns:
        raise place.error("module", "the list is empty")
    for pattern in patterns:
        if not isinstance(pattern, str):
            raise place.error("module", f"expected a string or a list of strings, not {described(pattern)}")
        if pattern == "*":
            raise place.error("module", '"*" is every module: set the option in the general table')
        if not all(component == "*" or component.isidentifier() for component in pattern.split(".")):
            raise place.error("module", f'"{pattern}" is not a module pattern; write "pkg.mod", "pkg.*" or "pkg.*.mod"')
    return patterns


def listed(names: Iterable[str]) -> str:
    """Names, separated by commas."""
    return ", ".join(names)


def _toml(value: str | bool) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def described(value: object) -> str:
    """A value as TOML spells it, with its type if it may be mistaken for another."""
    if isinstance(value, str | bool):
        return _toml(value)
    if isinstance(value, list):
        return "an array"
    if isinstance(value, dict):
        return "a table"
    return f"{value} ({type(value).__name__})"
