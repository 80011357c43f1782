"""Prints the slowest tests, and the time by target.

    test_timings.py COUNT EVENTS...

EVENTS are the files that test runs write with `--event-stream-output-path`. Tests run beside each
other, so the times add up to more than the run took.
"""

import json
import sys
from collections import defaultdict


def durations(path: str) -> dict[str, float]:
    """The seconds of each test function, all of its cases together, by its identifier.

    A test starts when it is put into the queue, and its cases when they run.
    """
    started: dict[tuple[str, str], float] = {}
    found: dict[str, float] = defaultdict(float)
    with open(path, encoding="utf-8") as events:
        for line in events:
            event = json.loads(line)["payload"] if line.endswith("\n") else {}
            if event.get("kind") not in ("testCaseStarted", "testCaseEnded"):
                continue
            test, now = event["testID"], event["instant"]["absolute"]
            case = test, event.get("_testCase", {}).get("id", "")
            if event["kind"] == "testCaseStarted":
                started[case] = now
            elif case in started:
                found[test] += now - started.pop(case)
    return found


def main() -> int:
    """The command line."""
    count, paths = int(sys.argv[1]), sys.argv[2:]
    found: dict[str, float] = {}
    for path in paths:
        found |= durations(path)
    print(f"== the slowest {count} of {len(found)} tests")
    for name, seconds in sorted(found.items(), key=lambda one: -one[1])[:count]:
        print(f"{seconds:8.1f} s  {name}")
    targets = defaultdict(list)
    for name, seconds in found.items():
        targets[name.partition(".")[0]].append(seconds)
    print("== seconds by target: all, longest, tests")
    for name, all_seconds in sorted(targets.items(), key=lambda one: -sum(one[1])):
        print(f"{sum(all_seconds):9.1f} {max(all_seconds):7.1f} {len(all_seconds):5}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
