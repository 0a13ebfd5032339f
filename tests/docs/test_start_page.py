"""The first page: its examples have the findings shown, its tabs are on the site, and its figures are in the README."""

import re
from pathlib import Path
from typing import Final

from tests.docs.pages import BLOCK, page, section, table
from tests.docs.walkthrough import Place, run_line
from tests.needed import needs

PAGE: Final = page("docs/index.md")
LIBRARIES: Final = ("NumPy", "JAX", "PyTorch")


def examples() -> dict[str, tuple[str, str]]:
    """File -> its program, and the finding that the page shows below it."""
    found = [content for language, content in BLOCK.findall(section(PAGE, "In your library"))]
    programs = [re.match(r"# (\S+)\n(.*)", program, re.DOTALL) for program in found[::2]]
    return {
        match[1]: (match[2], finding) for match, finding in zip(programs, found[1::2], strict=True) if match is not None
    }


def test_each_library_has_an_example_with_its_finding(tmp_path: Path, check_cache: Path) -> None:
    needs("jax", "jaxtyping", "torch")
    shown = examples()
    assert len(shown) == len(LIBRARIES)
    assert re.findall(r"^### (.*)$", PAGE, re.MULTILINE) == [*LIBRARIES]
    for name, (program, _) in shown.items():
        (tmp_path / name).write_text(program, encoding="utf-8")
    done = run_line(f"promo-mypy check {' '.join(shown)}", Place(tmp_path, tmp_path / "mypy", check_cache))
    findings = {text.partition(":")[0]: text for text in done.stdout.split("\n\n")[: len(shown)]}
    assert {name: finding for name, (_, finding) in shown.items()} == {
        name: f"{text}\n" for name, text in findings.items()
    }


def test_the_figures_are_those_of_the_readme() -> None:
    (ours, *others) = table(section(PAGE, "How it compares"))
    (known,) = re.findall(r"^([\d.]+ %), none wrong$", ours[2])
    assert f"[{known} exactly and none wrong](docs/index.md#how-it-compares)" in page("README.md")
    assert len(others) >= 5
