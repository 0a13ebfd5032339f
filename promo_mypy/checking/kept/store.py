"""Keep answers in a folder of the cache: one JSON file for each question."""

import contextlib
import json
import os
import tempfile
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, TypeVar

from promo_mypy.checking.kept.facts import Facts
from promo_mypy.checking.kept.plain import reader

#: The folder of the cache, beside the options of a repository.
CACHE: Final = ".promo_mypy_cache"
#: The folder in the cache.
FOLDER: Final = "kept"
#: The most answers that are kept: those that were asked for last. One takes about half a megabyte.
_MOST: Final = 12
#: The version of the files.
_FORMAT: Final = 1

Answer = TypeVar("Answer")
#: What a command asks, as JSON data.
Question = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Store:
    """The answers in the cache of a repository.

    Attributes:
        folder: the folder of the cache; None keeps nothing.
    """

    folder: Path | None

    def answer(self, question: Question) -> Any:
        """The kept answer to a question, as JSON data; None without one whose facts hold."""
        file = self._file(question)
        kept = _read(file, question) if file is not None else None
        if file is None or kept is None:
            return None
        facts, answer = kept
        held = facts.held()
        if held is None:
            return None
        if held is not facts:
            _write(file, question, held, answer)
        else:
            with contextlib.suppress(OSError):
                os.utime(file)  # asked for last
        return answer

    def read(self, question: Question, answers: type[Answer]) -> Answer | None:
        """The kept answer as a value of a class, which `plain` has made JSON data; None without one that holds."""
        try:
            data = self.answer(question)
            answer: Answer | None = None if data is None else reader(answers)(data)
        except (TypeError, ValueError, LookupError):  # written by something else
            return None
        return answer

    def facts(self, question: Question) -> Facts | None:
        """The facts of the kept answer, whether they hold or not."""
        file = self._file(question)
        kept = _read(file, question) if file is not None else None
        return kept[0] if kept is not None else None

    def keep(self, question: Question, facts: Facts, answer: Any) -> None:
        """Keep an answer, which is JSON data. If that is impossible, nothing is kept."""
        file = self._file(question)
        if file is not None and _write(file, question, facts, answer):
            _remove_oldest(file.parent)

    def _file(self, question: Question) -> Path | None:
        if self.folder is None:
            return None
        digest = blake2b(json.dumps(question, sort_keys=True).encode(), digest_size=12).hexdigest()
        return self.folder / FOLDER / f"{question['command']}-{digest}.json"


def write_whole(file: Path, text: str) -> bool:
    """Replace a file as a whole, whoever reads or writes it at the same time. Returns whether that worked."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=file.parent, delete=False) as written:
            written.write(text)
        try:
            Path(written.name).replace(file)
        except OSError:  # Windows: another process is reading the file
            Path(written.name).unlink()
            return False
    except OSError:
        return False
    return True


def _write(file: Path, question: Question, facts: Facts, answer: Any) -> bool:
    content = {"format": _FORMAT, "question": question, "facts": facts.plain(), "answer": answer}
    return write_whole(file, json.dumps(content, separators=(",", ":")))


def _read(file: Path, question: Question) -> tuple[Facts, Any] | None:
    try:
        content = json.loads(file.read_bytes())
        if content["format"] != _FORMAT or content["question"] != question:
            return None
        return Facts.of(content["facts"]), content["answer"]
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def _remove_oldest(folder: Path) -> None:
    with contextlib.suppress(OSError):
        files = sorted(folder.glob("*.json"), key=lambda file: file.stat().st_mtime, reverse=True)
        for file in files[_MOST:]:
            file.unlink(missing_ok=True)
