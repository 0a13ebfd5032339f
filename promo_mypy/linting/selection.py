"""Decide which codes are reported, in which modules and files."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from promo_mypy.config import Config
from promo_mypy.linting.exclusions import is_excluded_below
from promo_mypy.rules.wording.diagnostics import UNUSED, codes_of, selected


@dataclass(frozen=True, slots=True)
class Selection:
    """The codes that a command or an editor asks for; each that is given replaces the option of that name.

    Attributes:
        select: the codes to report.
        ignore: the codes not to report.
        with_unused: whether comments are reported that accept no finding.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    with_unused: bool = False

    def in_module(self, module: str, config: Config) -> frozenset[str]:
        """The codes that are wanted in a module."""
        codes = config.codes_for_module(module)
        wanted = selected(self.select or codes["select"], self.ignore or codes["ignore"])
        return wanted | {UNUSED.code} if self.with_unused or config.check.report_unused else wanted

    def in_file(self, file: Path, module: str, config: Config, home: Path) -> frozenset[str]:
        """The same without those that the options ignore in a file. `home`: the folder of the options."""
        return self.in_module(module, config) - codes_of(_ignored(file.absolute(), config, home.absolute()))


def _ignored(file: Path, config: Config, home: Path) -> Iterable[str]:
    for pattern, codes in config.check.per_file_ignores:
        if is_excluded_below(home, file, (pattern.removeprefix("**/"),)):
            yield from codes
