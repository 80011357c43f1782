"""Prints a regular expression of the tests that a run leaves out, for `--skip`.

    left_out_tests.py FILE long              the long tests
    left_out_tests.py FILE slow TARGETS      and the slow tests of other targets than TARGETS

FILE is Tests/slow.txt, which names tests and suites. TARGETS are names between commas, or `none`.
Standard input is the list of all tests. The exit code is 1 if FILE names what is not in the list.
"""

import re
import sys


def main() -> int:
    """The command line."""
    path, scope = sys.argv[1:3]
    targets = set(sys.argv[3].split(",")) if scope == "slow" else set()
    known = {line.strip() for line in sys.stdin}
    left_out, unknown = [], []
    for line in open(path, encoding="utf-8"):
        if line.startswith("#"):
            continue
        kind, name = line.rstrip("\n").split(" ", 1)
        if not any(test == name or test.startswith(name + "/") for test in known):
            unknown.append(name)
        elif kind == "long" or scope == "slow" and name.partition(".")[0] not in targets:
            left_out.append(name)
    for name in unknown:
        print(f"{path} names {name}, which is no test", file=sys.stderr)
    print(f"{len(left_out)} long and slow tests and suites are left out", file=sys.stderr)
    print("^(?:" + "|".join(map(re.escape, left_out)) + ")/")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
