"""The measured tables as the parameter `golden`, one per test, and all of them as the fixture `golden_files`."""

import pytest

from tests.rules.golden_tables import FILES, GoldenFiles, golden_tables


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "golden" in metafunc.fixturenames:
        tables = [table for file in FILES for table in golden_tables(file).values()]
        metafunc.parametrize("golden", tables, ids=[f"{table.file}:{table.name}" for table in tables])


@pytest.fixture(scope="session")
def golden_files() -> GoldenFiles:
    return {file: golden_tables(file) for file in FILES}
