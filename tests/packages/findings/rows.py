"""Read the table of packages and the reviewed list of findings."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

from tests.packages.sources import Package

TABLE: Final = Path(__file__).parent / "packages.toml"
REVIEWED: Final = Path(__file__).parent / "reviewed.toml"

Verdict = Literal["true", "false", "useless"]
VERDICTS: Final[tuple[str, ...]] = get_args(Verdict)


@dataclass(frozen=True, slots=True)
class PackageRow:
    """A package of the table.

    Attributes:
        package: the release.
        group: the group that it is reported with: `first` and `second`, whose false findings were mended, or `fresh`,
            which was checked after that.
        field: what it is about.
        arrays: the libraries of its arrays.
    """

    package: Package
    group: str
    field: str
    arrays: str


@dataclass(frozen=True, slots=True)
class Review:
    """A finding that somebody has read in its source.

    Attributes:
        package: the distribution.
        file: the path below the folder of its release.
        source: the line of source, stripped.
        code: the code of the diagnostic.
        verdict: `true`: the code does what the finding says, and it is worth a maintainer's time; `false`: it does not;
            `useless`: it does, and nobody would change it.
        reason: why, in one line.
    """

    package: str
    file: str
    source: str
    code: str
    verdict: Verdict
    reason: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What it has in common with the findings that it is about."""
        return (self.package, self.file, self.source, self.code)


def packages() -> tuple[PackageRow, ...]:
    """The packages of the table, in order.

    Raises:
        KeyError: a row lacks a key.
    """
    return tuple(
        PackageRow(
            Package(row["name"], row["version"], row.get("module", row["name"].replace("-", "_"))),
            row["group"],
            row["field"],
            row["arrays"],
        )
        for row in _content(TABLE)["package"]
    )


def reviews() -> Mapping[tuple[str, str, str, str], Review]:
    """The reviewed findings by their keys.

    Raises:
        ValueError: an entry has no reason, another verdict, or stands there twice.
    """
    found: dict[tuple[str, str, str, str], Review] = {}
    for row in _content(REVIEWED).get("finding", []):
        review = Review(**row)
        if review.verdict not in VERDICTS or not review.reason.strip() or review.key in found:
            raise ValueError(f"{REVIEWED}: an entry twice, or without verdict or reason: {row}")
        found[review.key] = review
    return found


def _content(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))
