"""The result of a session: what was installed, what the tests said, and when; one JSON file each."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).with_name("results")


@dataclass(frozen=True, slots=True)
class Result:
    """Attributes:
    session: its name, such as "mypy 1.19".
    profile: which tests ran.
    date: the day, as YYYY-MM-DD.
    versions: library -> version, Python among them; only what is installed.
    passed: how many tests passed; one that runs cold and warm counts twice.
    skipped: how many were skipped.
    failed: the tests that did not pass.
    """

    session: str
    profile: str
    date: str
    versions: dict[str, str]
    passed: int
    skipped: int
    failed: tuple[str, ...]

    @property
    def file(self) -> Path:
        """Where it is kept."""
        return FOLDER / f"{self.session.lower().replace(' ', '-')}.json"

    def save(self) -> None:
        """Write it in place of the last result of that session."""
        FOLDER.mkdir(exist_ok=True)
        self.file.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")


def saved() -> Iterator[Result]:
    """The results of all sessions."""
    for file in sorted(FOLDER.glob("*.json")):
        fields = json.loads(file.read_text(encoding="utf-8"))
        yield Result(**{**fields, "failed": tuple(fields["failed"])})
