"""Fixtures that all tests share."""

import os
from pathlib import Path

import pytest

# JAX compares every frame of a refusal with its own folders: a fifth of the time of the tests that ask it for dtypes.
os.environ.setdefault("JAX_TRACEBACK_FILTERING", "off")


@pytest.fixture(scope="session")
def plugin_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """mypy's cache for runs with the plugin: the array libraries are read once per test session."""
    return tmp_path_factory.mktemp("cache-plugin")


@pytest.fixture(scope="session")
def stock_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """mypy's cache for runs without the plugin."""
    return tmp_path_factory.mktemp("cache-stock")
