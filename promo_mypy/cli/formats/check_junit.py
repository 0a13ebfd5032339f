"""Write findings as a JUnit report."""

from xml.etree import ElementTree

from promo_mypy.cli.formats.check_text import counted, place, printable
from promo_mypy.linting.report import Report


def check_junit(report: Report) -> str:
    """A JUnit report: a test suite for all files, a test for each file, a failure for all of its findings."""
    by_file = {path: [each for each in report.findings if each.path == path] for path in report.files}
    failures = sum(bool(found) for found in by_file.values())
    counts = {"name": "promo-mypy", "tests": str(len(by_file)), "failures": str(failures), "errors": "0"}
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", counts | {"skipped": "0"})
    for path, found in by_file.items():
        case = ElementTree.SubElement(suite, "testcase", {"name": printable(path), "classname": "promo-mypy"})
        if found:
            text = f"{found[0].code}: {found[0].message}"
            message = printable(text if len(found) == 1 else f"{counted(len(found), 'finding')}: {text}")
            failure = ElementTree.SubElement(case, "failure", {"type": found[0].code, "message": message})
            failure.text = "\n".join(f"{place(each)}: {each.code} {printable(each.text)}" for each in found)
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True)
