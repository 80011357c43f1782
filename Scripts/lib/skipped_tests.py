"""Prints which tests were skipped, and why.

    skipped_tests.py EVENTS...

EVENTS are the files that test runs write with `--event-stream-version 0
--event-stream-output-path`. Later versions of these files have no reasons. A skipped case of a test
with arguments counts as a test.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterator

#: The number of tests that are named for each reason.
SHOWN = 12
KINDS = {"testSkipped", "testCancelled", "testCaseCancelled"}


def records(path: str) -> Iterator[dict]:
    """The records of a file, whose last line may be cut off if the tests were killed."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.endswith("\n"):
                yield json.loads(line)


def skipped(paths: list[str]) -> dict[str, dict[str, list[str]]]:
    """The tests by reason, and the arguments of their skipped cases; suites are left out."""
    names: dict[str, str] = {}
    cases: dict[tuple[str, str], str] = {}
    for record in (record for path in paths for record in records(path)):
        told = record["payload"]
        if record["kind"] == "test":
            names[told["id"]] = told.get("displayName") or told["name"]
        elif told.get("kind") in KINDS and "(" in told.get("testID", ""):
            # Of a test without arguments, both the test and its only case are canceled.
            case = told.get("_testCase", {}).get("displayName", "")
            reason = " ".join(told.get("_comments", [])).rstrip(".")
            cases[told["testID"], case] = reason or "no reason given"
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for (test, case), reason in cases.items():
        found[reason][names.get(test, test)].append(case)
    return found


def main() -> int:
    """The command line."""
    found = skipped(sys.argv[1:])
    counts = {reason: sum(map(len, tests.values())) for reason, tests in found.items()}
    total = sum(counts.values())
    print(f"{total} skipped" + (":" if total else ""))
    for reason in sorted(found, key=lambda reason: (-counts[reason], reason)):
        tests = (
            f'"{name}"' + (f" ({', '.join(sorted(cases))})" if any(cases) else "")
            for name, cases in sorted(found[reason].items())
        )
        shown = list(tests)
        more = len(shown) - SHOWN
        names = ", ".join(shown[:SHOWN]) + (f", and {more} more" if more > 0 else "")
        print(" ".join(f"{counts[reason]:4}  {reason}: {names}".split("\n")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
