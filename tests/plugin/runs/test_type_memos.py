"""Results that depend on types and options alone serve all files of a build with the same options, and no other."""

from types import SimpleNamespace
from typing import cast

import pytest
from mypy.options import Options as MypyOptions

from promo_mypy.config import Options
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.state import caches
from promo_mypy.plugin.state.caches import TypeMemos

OWN = Options()


def checker(options: MypyOptions, *modules: str) -> TypeChecker:
    """What is read of the checker of a file."""
    return cast(TypeChecker, SimpleNamespace(options=options, modules=dict.fromkeys(modules)))


def test_files_of_one_build_share_results() -> None:
    memos, options = TypeMemos(), MypyOptions()
    first = memos.of(checker(options, "a", "b"), OWN)
    assert memos.of(checker(options, "a", "b"), Options()) is first


def test_other_options_have_other_results() -> None:
    memos, options = TypeMemos(), MypyOptions()
    first = memos.of(checker(options, "a"), OWN)
    assert memos.of(checker(options, "a"), Options(jax_enable_x64=True)) is not first
    assert memos.of(checker(MypyOptions(), "a"), OWN) is not first
    assert memos.of(checker(options, "a"), OWN) is first


def test_a_module_that_joins_drops_results() -> None:
    memos, options = TypeMemos(), MypyOptions()
    first = memos.of(checker(options, "a"), OWN)
    assert memos.of(checker(options, "a", "torch.special"), OWN) is not first


@pytest.mark.parametrize("option", ["fine_grained_incremental", "cache_fine_grained"])
def test_daemons_share_nothing(option: str) -> None:
    memos, options = TypeMemos(), MypyOptions()
    setattr(options, option, True)
    assert memos.of(checker(options, "a"), OWN) is not memos.of(checker(options, "a"), OWN)


def test_many_results_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "_MOST", 1)
    memos, options = TypeMemos(), MypyOptions()
    first = memos.of(checker(options, "a"), OWN)
    for question in range(2):
        first.calls[question,] = caches.KnownCall({})
    assert memos.of(checker(options, "a"), OWN) is not first
