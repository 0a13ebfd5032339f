"""An edit in one function is checked there first, and gives what a run from the start gives."""

from pathlib import Path

import pytest

from promo_mypy.linting.request import LintRequest
from promo_mypy.linting.selection import Selection
from promo_mypy.lsp.messages import Checked, Document, Edits, Hint
from promo_mypy.lsp.worker import Worker

pytestmark = pytest.mark.slow

TEXT = """\
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.float32]


def fade(image: Image, gain: float) -> Image:
    scaled = image * gain
    return scaled


class Filter:
    weight: npt.NDArray[np.float64]

    def __init__(self) -> None:
        self.weight = np.ones(3)

    def apply(self, image: Image) -> Image:
        total = image + 1
        return total

    @staticmethod
    def mix(one: Image, other: npt.NDArray[np.int16]) -> Image:
        return one + other


def late(image: Image) -> npt.NDArray[np.float64]:
    return image  # a mistake


def use(image: Image, found: Filter) -> Image:
    return found.apply(fade(image, 2))
"""
#: Edits of one text after the other: what is replaced, the new text, and whether only one function is checked.
EDITS = {
    "another value": ("image * gain", "image * np.float64(2)", True),
    "a line more, with a mistake": (
        "    scaled = image * np.float64(2)\n",
        "    scaled = image * np.float64(2)\n    other = scaled + 1\n",
        True,
    ),
    "two lines fewer": ("    scaled = image * np.float64(2)\n    other = scaled + 1\n", "    scaled = image\n", True),
    "a method": ("total = image + 1", "total = image + self.weight", True),
    "a comment that ignores": ("return total", "return total  # type: ignore[promo-mismatch]", True),
    "a comment without a code, which does not": (
        "return total  # type: ignore[promo-mismatch]",
        "return total  # type: ignore",
        False,
    ),
    "our own comment": ("return total  # type: ignore", "return total  # promo: ignore[promo-mismatch]", True),
    "no such comment": (
        "return total  # promo: ignore[promo-mismatch]",
        "x = (\n            1)\n        return total",
        True,
    ),
    "a static method": ("one + other", "one + other.astype(np.int64)", True),
    "the last line": ("return image  # a mistake", "return image * 2", True),
    "a string of several lines": (
        "    return scaled",
        '    """A\n\ndef no() -> None:\n    """\n    return scaled',
        True,
    ),
    "a name that is gone": ("    scaled = image\n", "", True),
    "and is back": ('    """A\n', '    scaled = image * 3\n    """A\n', True),
    "a signature": ("gain: float", "gain: int", True),
    "the declared dtype of a parameter": ("def late(image: Image)", "def late(image: npt.NDArray[np.float64])", True),
    "and of the result": (
        "def late(image: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]",
        "def late(\n    image: Image,\n    scale: float = 2,\n) -> npt.NDArray[np.complex64]",
        True,
    ),
    "that of a function which others call": ("gain: int) -> Image", "gain: int) -> npt.NDArray[np.float64]", True),
    "and back, with its body": (
        "gain: int) -> npt.NDArray[np.float64]:\n",
        "gain: int, *, more: bool = False) -> Image:\n    print(more)\n",
        True,
    ),
    "the signature of a method": (
        "def apply(self, image: Image) -> Image",
        "def apply(self, image: npt.NDArray[np.uint8]) -> Image",
        True,
    ),
    "that of a method below a decorator": ("other: npt.NDArray[np.int16]", "other: npt.NDArray[np.int64]", False),
    "a name that changes": ("def late(", "def later(", False),
    "an attribute": ("self.weight = np.ones(3)", "self.weight = np.ones(4)", False),
    "between functions": ("class Filter", "LIMIT = np.float32(1)\n\n\nclass Filter", False),
    "two functions": ("image * 2", "LIMIT + 3", True),
    "an import": ("    return LIMIT + 3", "    import math\n    return LIMIT + math.pi", False),
    "a function without a result": ("def __init__(self) -> None:", "def __init__(self):", False),
    "and its body": ("np.ones(4)", "np.ones(5)", False),
}


class Checks:
    """A worker in this process, with one document."""

    def __init__(self, path: Path, cache: Path) -> None:
        self._path = str(path)
        self._request = LintRequest((), cache=cache, selection=Selection())
        self._version = 0
        self._worker: Worker | None = None

    def check(self, text: str | None) -> Checked:
        """The answer to a new text; without one, to the wish for the rest."""
        self._version += 1
        documents = (Document(self._path, self._version, text),) if text is not None else ()
        anew = self._request if self._worker is None else None
        self._worker = self._worker or Worker(lambda _done: None)
        answer = self._worker.check(Edits(documents, anew=anew))
        assert answer.failure == ""
        return answer

    def seen(self, answer: Checked) -> tuple[object, tuple[Hint, ...]]:
        """The findings of an answer, and the hints."""
        assert self._worker is not None
        hints = self._worker.hints(self._path).value
        assert hints is not None
        (result,) = answer.results
        return result.findings, hints


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "filters.py"


def test_an_edit_gives_what_a_run_from_the_start_gives(file: Path, check_cache: Path) -> None:
    checks = Checks(file, check_cache)
    checks.check(TEXT)
    text, differences, partial = TEXT, {}, {}
    for name, (old, new, _) in EDITS.items():
        assert text.count(old) == 1, name
        text = text.replace(old, new)
        answer = checks.check(text)
        partial[name] = answer.is_partial
        at_once = checks.seen(answer)
        fresh = Checks(file, check_cache)
        expected = fresh.seen(fresh.check(text))
        if at_once != expected:
            differences[name] = at_once, expected
        if len(partial) % 3 == 0:
            rest = checks.check(None)
            assert not rest.is_partial
            assert checks.seen(rest) == expected, name
    assert differences == {}
    assert partial == {name: is_partial for name, (_, _, is_partial) in EDITS.items()}


def test_the_programs_have_mistakes(file: Path, check_cache: Path) -> None:
    """Without one, equal results would show little."""
    checks = Checks(file, check_cache)
    text, counts = TEXT, set()
    for old, new, _ in EDITS.values():
        text = text.replace(old, new)
        (result,) = checks.check(text).results
        counts.add(len(result.findings))
    assert len(counts) > 2
