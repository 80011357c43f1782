"""Prints the tests that failed, as a regular expression for `--filter`.

    failed_tests.py MOST EVENTS...

EVENTS are the files that test runs write with `--event-stream-output-path`. The status is 1 if more
than MOST tests failed, or none.
"""

import json
import re
import sys


def failed(path: str) -> set[str]:
    """The identifiers of the tests that recorded an issue; suites are left out."""
    found = set()
    with open(path, encoding="utf-8") as events:
        for line in events:
            # The last line is cut off if the tests were killed.
            event = json.loads(line)["payload"] if line.endswith("\n") else {}
            if event.get("kind") == "issueRecorded" and "(" in event.get("testID", ""):
                found.add(event["testID"])
    return found


def main() -> int:
    """The command line."""
    most, paths = int(sys.argv[1]), sys.argv[2:]
    found = sorted(set().union(*map(failed, paths)))
    if not 0 < len(found) <= most:
        return 1
    print("^(?:" + "|".join(map(re.escape, found)) + ")$")
    return 0


if __name__ == "__main__":
    sys.exit(main())
