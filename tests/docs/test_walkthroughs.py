"""Every tutorial and how-to guide can be followed: its commands print what the page shows, and its programs run."""

from pathlib import Path

import pytest

from tests.docs.pages import BLOCK, blocks
from tests.docs.walkthrough import WALKTHROUGHS, Place, followed, libraries
from tests.needed import needs
from tests.slow_tests import slow_but

_IDS = [file.stem for file in WALKTHROUGHS]
_TUTORIALS = [file for file in WALKTHROUGHS if file.parent.name == "tutorials"]


@pytest.fixture(scope="module")
def mypy_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the pages alone: they give mypy options of their own."""
    return tmp_path_factory.mktemp("cache-walkthroughs")


@pytest.mark.parametrize("file", slow_but(WALKTHROUGHS[:1], WALKTHROUGHS), ids=_IDS)
def test_a_page_can_be_followed(file: Path, tmp_path: Path, mypy_cache: Path, check_cache: Path) -> None:
    text = file.read_text(encoding="utf-8")
    needs(*libraries(text))
    assert followed(text, Place(tmp_path, mypy_cache, check_cache)) == text, "run python -m tests.docs"


@pytest.mark.parametrize("file", WALKTHROUGHS, ids=_IDS)
def test_a_page_shows_a_mistake_or_a_difference(file: Path) -> None:
    """The commands of a page are not all content."""
    shown = [content for language, content in BLOCK.findall(file.read_text(encoding="utf-8")) if language == "text"]
    assert any("promo-" in text or "error:" in text or "differ" in text for text in shown)


@pytest.mark.parametrize("file", _TUTORIALS, ids=lambda file: file.stem)
def test_the_program_fails_before_it_is_mended(file: Path, tmp_path: Path) -> None:
    """What the page says about its mistakes is true: with them, the last program of the page raises."""
    text = file.read_text(encoding="utf-8")
    needs(*libraries(text))
    first, *_, last = blocks(text, "python")
    unmended = f"```python\n{first}```\n```python\n{last}```\n```bash\npython show.py\n```\n"
    with pytest.raises(RuntimeError, match=r"(?s)Error: .*dtype"):
        followed(unmended, Place(tmp_path, tmp_path / "mypy", tmp_path / "check"))


def test_old_output_is_replaced(tmp_path: Path) -> None:
    page = (
        "```python\n# one.py\ndef f() -> int:\n    return 1\n\n\nprint(f())\n```\n\n"
        "```bash\npython one.py\n```\n\n```text\n2\n```\n\n"
        "```python\n# one.py\ndef f() -> int:\n    return 3\n```\n\n"
        "```bash\npython one.py\n```\n\n```text\n1\n```\n"
    )
    place = Place(tmp_path, tmp_path / "mypy", tmp_path / "check")
    assert followed(page, place) == page.replace("text\n1", "text\n3").replace("text\n2", "text\n1")


@pytest.mark.parametrize(
    ("block", "problem"),
    [
        ("```python\nprint(1)\n```\n", "no file is named"),
        ("```bash\ncurl x\n```\n", "curl is not among the programs"),
        ("```bash\npython missing.py\n```\n", "python missing.py: 2"),
    ],
)
def test_what_cannot_be_followed_is_an_error(block: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises((ValueError, RuntimeError), match=problem):
        followed(block, Place(tmp_path, tmp_path / "mypy", tmp_path / "check"))
