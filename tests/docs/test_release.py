"""The recipes of the pages fit docs/release.toml, and one variable there switches them all."""

import tomllib
from pathlib import Path

import pytest

from tests.docs.pages import PAGES
from tests.docs.release import RELEASED, written
from tests.mypy_runs import ROOT

RECIPES = """\
There is no release yet. Write ADDRESS.

```bash
python -m pip install "promo-mypy[lsp,fix] @ git+ADDRESS"
```

```yaml
  - repo: ADDRESS
    rev: main
```

```yaml
      - uses: OWNER/promo-mypy@main
```

```json
{"promo-mypy": {}}
```
"""


@pytest.mark.parametrize("file", PAGES, ids=[str(file.relative_to(ROOT)) for file in PAGES])
def test_the_recipes_fit_the_release(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert written(text) == text, "run python -m tests.docs"


def test_a_release_is_the_version_of_the_package() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert RELEASED in ("", version)


def test_one_variable_switches_every_recipe() -> None:
    assert written(RECIPES, "") == RECIPES
    released = written(RECIPES, "1.2.3")
    assert 'install "promo-mypy[lsp,fix]"\n' in released
    assert "    rev: v1.2.3\n" in released
    assert "uses: OWNER/promo-mypy@v1.2.3\n" in released
    assert released.startswith("Releases are on the package index. ")
    assert '{"promo-mypy": {}}' in released
    assert written(released, "") == RECIPES
