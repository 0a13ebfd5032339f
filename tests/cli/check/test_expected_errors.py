"""What a test expects to fail is no mistake: pytest.raises and the like, as a context and as a call."""

from pathlib import Path

from tests.cli.check.checks import HEADER, check_json

PROGRAM = f"""{HEADER}import unittest

import numpy.testing
import pytest


def of_floats(x: NDArray[np.float32]) -> None: ...


class Test(unittest.TestCase):
    def test_them(self) -> None:
        with pytest.raises(TypeError):
            of_floats(np.zeros(3))
        with open("log") as log, pytest.warns(UserWarning, match="x"):
            of_floats(np.zeros(3))
        with self.assertRaises(TypeError):
            of_floats(np.zeros(3))
        self.assertRaisesRegex(TypeError, "x", lambda: of_floats(np.zeros(3)))
        numpy.testing.assert_raises(TypeError, of_floats, np.zeros(3))
        with open("log"):
            of_floats(np.zeros(3))  # reported
        with pytest.raises(TypeError):
            pass
        of_floats(np.zeros(3))  # reported
"""


def test_only_what_is_not_expected_is_reported(tmp_path: Path, check_cache: Path) -> None:
    (tmp_path / "test_program.py").write_text(PROGRAM, encoding="utf-8")
    reported = [number for number, line in enumerate(PROGRAM.splitlines(), start=1) if "# reported" in line]
    assert check_json(tmp_path, check_cache).codes == [(line, "promo-mismatch") for line in reported]
